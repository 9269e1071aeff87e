#ifndef SPLITPROOF_COVERAGE_H
#define SPLITPROOF_COVERAGE_H

/* Coverage of a native program for splitproof (docs/hunting-bugs.md, coverage of your code). Include it in exactly one C or C++
 * file of the program, compile that file without coverage and all others with clang
 * -fsanitize-coverage=inline-8bit-counters, and link with -pthread. If splitproof starts the program, a thread reports the
 * edges that ran. Otherwise nothing happens. Needs Linux. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPLITPROOF_COVERAGE_MOST 64 /* the program and its shared libraries */

static struct {
  uint8_t* begin;
  uint8_t* end;
} splitproof_coverage_all[SPLITPROOF_COVERAGE_MOST];
static size_t splitproof_coverage_count;
static int splitproof_coverage_socket = -1;

/* The compiler calls it for each file of the program, always with the counters of the whole program or library. */
__attribute__((visibility("default"))) void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end) {
  size_t i;
  for (i = 0; i < splitproof_coverage_count; ++i)
    if (splitproof_coverage_all[i].begin == begin) return;
  if (begin == end || splitproof_coverage_count == SPLITPROOF_COVERAGE_MOST) return;
  splitproof_coverage_all[splitproof_coverage_count].begin = begin;
  splitproof_coverage_all[splitproof_coverage_count].end = end;
  ++splitproof_coverage_count;
}

__attribute__((visibility("default"))) void __sanitizer_cov_pcs_init(const uintptr_t* begin,
                                                                     const uintptr_t* end) {
  (void)begin;
  (void)end;
}

/* Writes the numbers of all edges, or of those that ran since the last call, as a JSON list. */
static void splitproof_coverage_list(FILE* out, int reached) {
  unsigned long edge = 0;
  const char* comma = "";
  size_t i;
  fputc('[', out);
  for (i = 0; i < splitproof_coverage_count; ++i) {
    uint8_t* counter = splitproof_coverage_all[i].begin;
    for (; counter != splitproof_coverage_all[i].end; ++counter, ++edge) {
      if (reached && *counter == 0) continue;
      if (reached) *counter = 0;
      fprintf(out, "%s%lu", comma, edge);
      comma = ",";
    }
  }
  fputc(']', out);
}

/* Answers each line of splitproof with one line. */
static void* splitproof_coverage_serve(void* unused) {
  struct sockaddr_un address;
  const char* path = getenv("SPLITPROOF_COVERAGE");
  int told = 0;
  char asked;
  const int connected = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  FILE* out = connected >= 0 ? fdopen(connected, "w") : NULL;
  (void)unused;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (out == NULL || connect(connected, (struct sockaddr*)&address, sizeof address) != 0) return NULL;
  splitproof_coverage_socket = connected;
  while (read(connected, &asked, 1) == 1) {
    if (asked != '\n') continue;
    fputs("{\"files\":[{\"name\":\"edge\",\"reached\":", out);
    splitproof_coverage_list(out, 1);
    if (!told) {
      fputs(",\"known\":", out);
      splitproof_coverage_list(out, 0);
    }
    told = 1;
    fputs("}]}\n", out);
    if (fflush(out) != 0) break;
  }
  return NULL;
}

/* A child of fork has neither the thread nor a use for the socket of its parent. */
static void splitproof_coverage_start(void) {
  pthread_t thread;
  if (splitproof_coverage_socket >= 0) close(splitproof_coverage_socket);
  splitproof_coverage_socket = -1;
  if (pthread_create(&thread, NULL, splitproof_coverage_serve, NULL) == 0) pthread_detach(thread);
}

__attribute__((constructor)) static void splitproof_coverage_begin(void) {
  if (getenv("SPLITPROOF_COVERAGE") == NULL) return;
  pthread_atfork(NULL, NULL, splitproof_coverage_start);
  splitproof_coverage_start();
}

#ifdef __cplusplus
}
#endif

#endif
