/* A translator with the counters that clang's -fsanitize-coverage=inline-8bit-counters,pc-table would compile into it, so that
 * the test needs no clang. It has three edges: open, a chunk with 'x', and any other chunk. */
#include <stdint.h>
#include <string.h>

#include "harness/testee/splitproof_testee.h"

#ifdef NOT_COUNTED
static void count(int edge) { (void)edge; }
#else
static uint8_t counters[3];

struct pc_entry {
  uintptr_t address;
  uintptr_t flags;
};
static const struct pc_entry entries[3] = {
    {(uintptr_t)&splitproof_open, 1}, {(uintptr_t)&splitproof_feed, 1}, {(uintptr_t)&splitproof_feed + 1, 0}};

void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end);
void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end);

/* clang calls them once for each file of a library, with the same arguments. */
__attribute__((constructor)) static void tell(void) {
  for (int i = 0; i < 2; ++i) {
    __sanitizer_cov_8bit_counters_init(counters, counters + 3);
    __sanitizer_cov_pcs_init((const uintptr_t*)entries, (const uintptr_t*)(entries + 3));
  }
}

static void count(int edge) { ++counters[edge]; }
#endif

static const splitproof_host* client;

unsigned splitproof_abi(void) { return SPLITPROOF_TESTEE_ABI; }

void* splitproof_open(const char* variant, const char* opening, const splitproof_host* host) {
  (void)variant;
  (void)opening;
  client = host;
  count(0);
  return &client;
}

void splitproof_feed(void* exchange, const char* bytes, size_t size) {
  (void)exchange;
  count(memchr(bytes, 'x', size) != NULL ? 1 : 2);
  client->out(client->self, bytes, size);
}

void splitproof_finish(void* exchange, const char* end) {
  (void)exchange;
  (void)end;
}

void splitproof_close(void* exchange) { (void)exchange; }
