/* A library that passes on whole lines. Its variants break a promise of the interface, or depend on the split:
 *
 *   honest       breaks none
 *   chunks       marks the end of each chunk
 *   third        marks the end of the answer if there were three chunks
 *   hidden       marks the end of the answer if a chunk ended with `a`; its digest is always the same
 *   counts       its digest has the number of chunks, which never shows
 *   shares       its copies share their line
 *   late         sends a line with the next chunk
 *   tick         sends the unfinished line if a chunk has no bytes
 *   stray        sends output while its digest is taken
 *   no-copy      makes no copy
 *   fails        fails at the first `#`
 *   changes      numbers its exchanges
 *
 * With LYING_NO_DIGEST it cannot compare its states. With LYING_NO_FORK it cannot copy them either. */
#include <stdlib.h>
#include <string.h>

#include "harness/testee/splitproof_testee.h"

#define LINE 64

struct line {
  char bytes[LINE];
  size_t size;
  int users;
};

struct exchange {
  const splitproof_host* host;
  const char* variant;
  struct line own;
  struct line* shared; /* of `shares`, otherwise null */
  size_t chunks;
  int ends_with_a;
  int waits; /* the line is finished and not sent yet */
  int number;
};

static int opened = 0;

static int is(const struct exchange* x, const char* name) { return strcmp(x->variant, name) == 0; }

static struct line* line_of(struct exchange* x) { return x->shared != NULL ? x->shared : &x->own; }

static void out(const struct exchange* x, const char* bytes, size_t size) {
  x->host->out(x->host->self, bytes, size);
}

static void send_line(struct exchange* x) {
  struct line* line = line_of(x);
  out(x, line->bytes, line->size);
  line->size = 0;
  x->waits = 0;
}

unsigned splitproof_abi(void) { return SPLITPROOF_TESTEE_ABI; }

void* splitproof_open(const char* variant, const char* opening, const splitproof_host* host) {
  struct exchange* x = calloc(1, sizeof *x);
  (void)opening;
  if (x == NULL) return NULL;
  x->host = host;
  x->variant = variant != NULL ? variant : "honest";
  x->number = is(x, "changes") ? ++opened % 10 : 0;
  if (is(x, "shares")) {
    x->shared = calloc(1, sizeof *x->shared);
    if (x->shared != NULL) x->shared->users = 1;
  }
  out(x, "{", 1);
  return x;
}

void splitproof_feed(void* exchange, const char* bytes, size_t size) {
  struct exchange* x = exchange;
  size_t i = 0;
  if (x->waits || (is(x, "tick") && size == 0)) send_line(x);
  for (i = 0; i < size; ++i) {
    struct line* line = line_of(x);
    if (is(x, "fails") && bytes[i] == '#') x->host->error(x->host->self, "a number sign");
    if (x->waits) send_line(x);
    if (line->size < LINE) line->bytes[line->size++] = bytes[i];
    if (bytes[i] != '\n') continue;
    x->waits = 1;
    if (!is(x, "late")) send_line(x);
  }
  if (is(x, "chunks")) out(x, "|", 1);
  if (size > 0) x->chunks++;
  if (size > 0 && bytes[size - 1] == 'a') x->ends_with_a = 1;
}

void splitproof_finish(void* exchange, const char* end) {
  struct exchange* x = exchange;
  char number = (char)('0' + x->number);
  (void)end;
  send_line(x);
  if (is(x, "third") && x->chunks == 3) out(x, "3", 1);
  if (is(x, "hidden") && x->ends_with_a) out(x, "!", 1);
  if (is(x, "changes")) out(x, &number, 1);
  out(x, "}", 1);
}

#ifndef LYING_NO_FORK
void* splitproof_fork(const void* exchange) {
  struct exchange* x = NULL;
  if (is(exchange, "no-copy") || (x = malloc(sizeof *x)) == NULL) return NULL;
  *x = *(const struct exchange*)exchange;
  if (x->shared != NULL) x->shared->users++;
  return x;
}

#ifndef LYING_NO_DIGEST
size_t splitproof_digest(const void* exchange, void* to, size_t size) {
  struct exchange* x = (struct exchange*)exchange;
  const struct line* line = line_of(x);
  char bytes[LINE + 8] = "digest";
  size_t used = 6;
  if (is(x, "stray")) out(x, "?", 1);
  if (!is(x, "hidden")) {
    memcpy(bytes + used, line->bytes, line->size);
    used += line->size;
    bytes[used++] = (char)('0' + x->waits);
    if (is(x, "counts")) bytes[used++] = (char)x->chunks;
  }
  memcpy(to, bytes, used < size ? used : size);
  return used;
}
#endif
#endif

void splitproof_close(void* exchange) {
  struct exchange* x = exchange;
  if (x->shared != NULL && --x->shared->users == 0) free(x->shared);
  free(x);
}
