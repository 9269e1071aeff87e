/* A program over a pipe with three edges: an opened exchange, a chunk with `x` as its first byte, and another line. In base64, an
 * `x` is "eA". It has the counters that clang would compile into it. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end);

static uint8_t counters[3];

__attribute__((constructor)) static void tell(void) {
  __sanitizer_cov_8bit_counters_init(counters, counters + 3);
  __sanitizer_cov_8bit_counters_init(counters, counters + 3);
}

int main(void) {
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin) != NULL) {
    ++counters[strstr(line, "\"open\"") != NULL ? 0 : strstr(line, "{\"feed\":\"eA") != NULL ? 1 : 2];
    puts("{\"ack\":true}");
    fflush(stdout);
  }
  return 0;
}
