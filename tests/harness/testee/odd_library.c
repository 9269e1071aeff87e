/* A library whose variant selects its behaviour. "relay" relays every byte, and the upstream's end. "cutter" relays every
 * byte, in a message that it never ends. ODD_ABI is its declared version. With ODD_NO_FEED it lacks a function, with
 * ODD_NO_VARIANTS the variants, and with ODD_NO_CUT the report of broken messages. "ask" reports an upstream request,
 * "decline" a refusal, and "babble" an invalid answer. */
#include <stdlib.h>
#include <string.h>

#include "harness/testee/splitproof_testee.h"

#if ODD_ABI == 1
/* The form of version 1. */
typedef struct {
  void* self;
  void (*out)(void* self, const char* bytes, size_t size);
  void (*error)(void* self, const char* why);
  void (*skip)(void* self, const char* why);
} odd_host;
#else
typedef splitproof_host odd_host;
#endif

struct exchange {
  const odd_host* host;
  const char* variant;
  int cut;
};

static void out(struct exchange* x, const char* text) { x->host->out(x->host->self, text, strlen(text)); }

static int is(const char* variant, const char* name) { return strcmp(variant, name) == 0; }

static int relays(const char* variant) { return is(variant, "relay") || is(variant, "cutter"); }

unsigned splitproof_abi(void) { return ODD_ABI; }

#ifndef ODD_NO_VARIANTS
const splitproof_variant* splitproof_variants(void) {
  static const splitproof_variant kVariants[] = {
      {"echo", "Says what it is told.", NULL, NULL},
      {"refuse", "Opens nothing.", "RUN-01", "a/b#1"},
      {"silent", "Opens nothing, and says nothing.", NULL, NULL},
      {"skip", "Skips.", NULL, NULL},
      {"fail", "Fails after its first read, and goes on.", NULL, NULL},
      {"relay", "Passes everything on.", NULL, NULL},
      {"cutter", "Cuts what it passes on.", NULL, NULL},
      {"ask", "Says what it asks.", NULL, NULL},
      {"decline", "Says that it refuses.", NULL, NULL},
      {"babble", "Says that it asks for it knows not what.", NULL, NULL},
      {NULL, NULL, NULL, NULL}};
  return kVariants;
}

const splitproof_protocols* splitproof_protocols_of(const char* variant) {
  static const splitproof_protocols kRelayed = {"openai.responses", "openai.responses"};
  return relays(variant) ? &kRelayed : NULL;
}
#endif

void* splitproof_open(const char* variant, const char* opening, const splitproof_host* given) {
  const odd_host* host = (const odd_host*)given;
  struct exchange* x = NULL;
  if (variant == NULL) variant = "default";
  if (is(variant, "refuse")) host->error(host->self, "not today");
  if (is(variant, "refuse") || is(variant, "silent")) return NULL;
  if ((x = malloc(sizeof *x)) == NULL) return NULL;
  x->host = host;
  x->variant = variant;
  x->cut = 0;
  if (is(variant, "skip")) host->skip(host->self, "no text");
#if ODD_ABI != 1
  if (is(variant, "ask")) host->ask(host->self, "{\"headers\":{\"x\":\"y\"},\"body\":{\"model\":\"m\"}}");
  if (is(variant, "decline")) host->ask(host->self, "{\"status\":422}");
  if (is(variant, "babble")) host->ask(host->self, "{\"model\":\"m\"}");
#endif
  if (is(variant, "default") || is(variant, "skip")) out(x, opening);
  return x;
}

#ifndef ODD_NO_FEED
void splitproof_feed(void* exchange, const char* bytes, size_t size) {
  struct exchange* x = exchange;
  if (relays(x->variant)) {
    x->host->out(x->host->self, bytes, size);
    return;
  }
  out(x, "[");
  x->host->out(x->host->self, bytes, size);
  out(x, "]");
  if (is(x->variant, "fail")) x->host->error(x->host->self, "broken");
  out(x, "!");
}
#endif

void splitproof_finish(void* exchange, const char* end) {
  struct exchange* x = exchange;
  if (!relays(x->variant)) out(x, end);
  x->cut = is(x->variant, "cutter") || (relays(x->variant) && !is(end, "complete"));
}

#ifndef ODD_NO_CUT
int splitproof_cut(void* exchange) { return ((struct exchange*)exchange)->cut; }
#endif

void splitproof_close(void* exchange) { free(exchange); }
