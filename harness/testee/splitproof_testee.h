#ifndef SPLITPROOF_TESTEE_H
#define SPLITPROOF_TESTEE_H

/* A translator of LLM streams as a shared library, for splitproof to test in its own process. C99; any language that can
 * export C functions will do. docs/library.md shows a whole one and says how to run it.
 *
 * For each exchange splitproof calls `open`, then `feed` once for each read from the upstream, then `finish`, then
 * `close`, with `cut` between the last two if the library has it. It calls `close` after every `open` that did not return
 * null, also where the exchange failed, and at once where it only wants to know what is asked of the upstream. The library calls back through `splitproof_host` while it is in one of these
 * functions, and at no other time.
 *
 * Exchanges share nothing. Several may be open at a time, each used by one thread at a time and not always the same, as
 * many as the target file's `max_concurrency` says. No exception may leave a function. */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever something here changes its meaning. Version 1, whose splitproof_host had neither `size` nor `ask`, is
 * still served. */
#define SPLITPROOF_TESTEE_ABI 2

/* Put before the functions that a library defines, so that they are found where symbols are hidden by default. */
#if defined(_WIN32)
#define SPLITPROOF_EXPORT __declspec(dllexport)
#else
#define SPLITPROOF_EXPORT __attribute__((visibility("default")))
#endif

/* What splitproof does for the library. Pass `self` back with each call. It stays valid until `close` has returned. */
typedef struct splitproof_host {
  /* Of this struct, in bytes. Functions may be added at its end: what lies beyond its size is not there. */
  size_t size;

  void* self;

  /* These bytes go to the client now. They are copied. */
  void (*out)(void* self, const char* bytes, size_t size);

  /* The exchange has failed; nothing that is sent afterwards counts. One sentence, NUL-terminated UTF-8. */
  void (*error)(void* self, const char* why);

  /* The library does not do this case, which then is not judged. One sentence, as above. */
  void (*skip)(void* self, const char* why);

  /* In `open`, of a library that wants this judged too: so it would ask its upstream for the client's request. JSON,
   *
   *   {"path":"/where/it/goes","headers":{...},"body":{...}}
   *
   * of which all but `body` may be left out, or {"status":400}: it would refuse the request so. Then it is closed again
   * unfed in some exchanges, in which nothing else is wanted. NUL-terminated UTF-8. */
  void (*ask)(void* self, const char* json);
} splitproof_host;

/* One of several translators that a library holds. All text is NUL-terminated UTF-8 that lives as long as the library;
 * what is unknown is null or empty. */
typedef struct splitproof_variant {
  const char* name;       /* as the target file's `variant` names it */
  const char* says;       /* what it does, one sentence */
  const char* obligation; /* of a translator that is wrong on purpose: the id of the rule that catches it */
  const char* seen;       /* of such a one: a public report, OWNER/REPOSITORY#NUMBER */
} splitproof_variant;

/* Between which protocols a variant translates, as `opening` names them. */
typedef struct splitproof_protocols {
  const char* upstream;
  const char* client;
} splitproof_protocols;

/* SPLITPROOF_TESTEE_ABI, as it was when the library was compiled. */
SPLITPROOF_EXPORT unsigned splitproof_abi(void);

/* The library's variants, in an array that ends with a null name. May be left out by a library that has none. */
SPLITPROOF_EXPORT const splitproof_variant* splitproof_variants(void);

/* The protocols for which a variant of that name is made, in memory that lives as long as the library; null where it is
 * made for none in particular. May be left out. */
SPLITPROOF_EXPORT const splitproof_protocols* splitproof_protocols_of(const char* variant);

/* The profile of splitproof under which the variant of that name shows what it does, in memory that lives as long as the
 * library; null where it is the default one. May be left out. */
SPLITPROOF_EXPORT const char* splitproof_profile_of(const char* variant);

/* Begins an exchange. Returns what stands for it in the other functions, or null after `error` or `skip`.
 *
 * `variant` is one of the above, or null for what the library does by default. `opening` is JSON:
 *
 *   {"client":"PROTOCOL","upstream":"PROTOCOL","request":{...},"knobs":{"nameless-call":"suppress",...}}
 *
 * `client` is the protocol to write and `upstream` the one to read, `request` is the client's request, and `knobs` are
 * the answers to contested questions that the chosen profile gives (splitproof list profiles). A translator that has
 * none of these choices passes over them. */
SPLITPROOF_EXPORT void* splitproof_open(const char* variant, const char* opening,
                                        const splitproof_host* host);

/* Takes one read from the upstream, which may end anywhere. The bytes are in an allocation of exactly this size. Send
 * everything that they allow to be said before this returns. */
SPLITPROOF_EXPORT void splitproof_feed(void* exchange, const char* bytes, size_t size);

/* The upstream's answer is over: "complete", "closed" (without the final HTTP chunk), "reset", or "stall" (it fell
 * silent). */
SPLITPROOF_EXPORT void splitproof_finish(void* exchange, const char* end);

/* Asked after `finish`: whether the message to the client breaks off where it stands, as where a proxy closes the
 * connection without the end of its HTTP message. 0: it is complete. May be left out by a library that always ends its
 * messages. */
SPLITPROOF_EXPORT int splitproof_cut(void* exchange);

/* Frees the exchange. */
SPLITPROOF_EXPORT void splitproof_close(void* exchange);

#ifdef __cplusplus
}
#endif

#endif
