/* Passes Responses on, event by event. The variant says which seeded bugs (bugs.c) it has: "none", "all", or "bug-30".
 * HUNT_LOG is a file that gets the number of each bug that acted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bugs.h"
#include "harness/testee/splitproof_testee.h"

struct relay {
  splitproof_host host;
  int only; /* a bug's number; 0: all, -1: none */
  struct state states[BUGS];
  enum effect effect; /* on the next event */
  char* rest;         /* the unfinished event */
  size_t size;
  char* last; /* the event before */
  size_t last_size;
  int has_ended;
};

unsigned splitproof_abi(void) { return SPLITPROOF_TESTEE_ABI; }

const splitproof_variant* splitproof_variants(void) {
  static char names[BUGS][12];
  static splitproof_variant variants[BUGS + 3] = {{"none", "It has no bug", NULL, NULL},
                                                  {"all", "It has all bugs", NULL, NULL}};
  for (int i = 0; i < BUGS; ++i) {
    snprintf(names[i], sizeof names[i], "bug-%d", FIRST_BUG + i);
    variants[i + 2].name = names[i];
    variants[i + 2].says = "It has one bug";
  }
  return variants;
}

void* splitproof_open(const char* variant, const char* opening, const splitproof_host* host) {
  struct relay* relay = calloc(1, sizeof *relay);
  (void)opening;
  if (relay == NULL) {
    host->error(host->self, "no memory");
    return NULL;
  }
  relay->host = *host;
  relay->only = -1;
  if (variant != NULL && strcmp(variant, "all") == 0) relay->only = 0;
  if (variant != NULL && strncmp(variant, "bug-", 4) == 0) relay->only = atoi(variant + 4);
  return relay;
}

static void act(struct relay* relay, int number, enum effect effect) {
  const char* path = getenv("HUNT_LOG");
  relay->effect = effect;
  FILE* log = path != NULL ? fopen(path, "a") : NULL;
  if (log == NULL) return;
  fprintf(log, "%d\n", number);
  fclose(log);
}

static void step(struct relay* relay, const struct event* event, const struct cut* cut) {
  for (int i = 0; i < BUGS; ++i) {
    if (relay->only != 0 && relay->only != FIRST_BUG + i) continue;
    const enum effect effect = bugs[i](&relay->states[i], event, cut);
    if (effect != NOTHING) act(relay, FIRST_BUG + i, effect);
  }
}

static void send(struct relay* relay, const char* bytes, size_t size) {
  relay->host.out(relay->host.self, bytes, size);
}

static void pass(struct relay* relay, const char* bytes, size_t size) {
  static const char kGarbage[] = "data: {\"type\":\n\n";
  const struct event event = read_event(bytes, size, relay->last, relay->last_size);
  step(relay, &event, NULL);
  if (relay->effect == CRASH) {
    relay->host.error(relay->host.self, "there is no item with this index");
    relay->has_ended = 1;
    return;
  }
  if (relay->effect != LOSE) send(relay, bytes, size);
  if (relay->effect == TWICE) send(relay, bytes, size);
  if (relay->effect == GARBLE) send(relay, kGarbage, sizeof kGarbage - 1);
  relay->effect = NOTHING;
  free(relay->last);
  relay->last = malloc(size);
  relay->last_size = relay->last != NULL ? size : 0;
  if (relay->last != NULL) memcpy(relay->last, bytes, size);
}

void splitproof_feed(void* exchange, const char* bytes, size_t size) {
  struct relay* relay = exchange;
  struct cut cut = {BETWEEN, "", 0, size, 0};
  if (relay->has_ended) return;
  char* grown = realloc(relay->rest, relay->size + size + 1);
  if (grown == NULL) {
    relay->host.error(relay->host.self, "no memory");
    relay->has_ended = 1;
    return;
  }
  relay->rest = grown;
  memcpy(grown + relay->size, bytes, size);
  relay->size += size;
  size_t from = 0;
  for (size_t one; !relay->has_ended && (one = whole_event(grown + from, relay->size - from)) > 0;
       from += one) {
    pass(relay, grown + from, one);
    ++cut.events;
  }
  relay->size -= from;
  memmove(grown, grown + from, relay->size);
  find_place(relay->rest, relay->size, &cut);
  step(relay, NULL, &cut);
}

void splitproof_finish(void* exchange, const char* end) {
  struct relay* relay = exchange;
  if (!relay->has_ended && relay->size > 0) send(relay, relay->rest, relay->size);
  relay->has_ended = strcmp(end, "complete") != 0;
}

int splitproof_cut(void* exchange) { return ((struct relay*)exchange)->has_ended; }

void splitproof_close(void* exchange) {
  struct relay* relay = exchange;
  free(relay->rest);
  free(relay->last);
  free(relay);
}
