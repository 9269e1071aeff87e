#ifndef SPLITPROOF_TESTEE_H
#define SPLITPROOF_TESTEE_H

/* A translator of LLM streams as a shared library, which splitproof tests in its own process. C99, or any language that
 * can export C functions. docs/without-http.md has a complete example and explains how to run it.
 *
 * For each exchange, splitproof calls `open`, `feed` once for each read from the upstream, `finish`, `cut` if the library
 * has it, and `close`. It calls `close` after every `open` that did not return null, even if the exchange failed. If it
 * only needs the upstream request, it calls `close` directly after `open`. The library may call `splitproof_host` only
 * while it is in one of these functions.
 *
 * Exchanges share nothing. Up to `max_concurrency` of the target file may be open at a time. One thread at a time uses an
 * exchange, but not always the same thread. No exception may leave a function. */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever the meaning of this interface changes. Version 1, whose splitproof_host had neither `size` nor `ask`,
 * is still supported. */
#define SPLITPROOF_TESTEE_ABI 2

/* Exports the functions that a library defines, if symbols are hidden by default. */
#if defined(_WIN32)
#define SPLITPROOF_EXPORT __declspec(dllexport)
#else
#define SPLITPROOF_EXPORT __attribute__((visibility("default")))
#endif

/* Functions of splitproof for the library. Pass `self` in each call. It stays valid until `close` has returned. */
typedef struct splitproof_host {
  /* Size of this struct in bytes. New functions are added at its end. Do not access members beyond the size. */
  size_t size;

  void* self;

  /* Sends these bytes to the client now. They are copied. */
  void (*out)(void* self, const char* bytes, size_t size);

  /* Reports that the exchange has failed; later output is ignored. One sentence, NUL-terminated UTF-8. */
  void (*error)(void* self, const char* why);

  /* Skips this case, which is then not judged. One sentence, as above. */
  void (*skip)(void* self, const char* why);

  /* Optional, only in `open`: reports the upstream request for the client's request, so that it is judged too. JSON,
   *
   *   {"path":"/where/it/goes","headers":{...},"body":{...}}
   *
   * with only `body` required, or {"status":400} to refuse the request. Some exchanges only need this; they are closed
   * without `feed`. NUL-terminated UTF-8. */
  void (*ask)(void* self, const char* json);
} splitproof_host;

/* One of several translators in a library. All text is NUL-terminated UTF-8 that lives as long as the library. Unknown
 * values are null or empty. */
typedef struct splitproof_variant {
  const char* name;       /* name in the target file's `variant` */
  const char* says;       /* its behaviour, one sentence */
  const char* obligation; /* only of a translator that is wrong on purpose: id of the violated rule */
  const char* seen;       /* only of such a translator: a public report, OWNER/REPOSITORY#NUMBER */
} splitproof_variant;

/* The protocols between which a variant translates, with the names in `opening`. */
typedef struct splitproof_protocols {
  const char* upstream;
  const char* client;
} splitproof_protocols;

/* Returns SPLITPROOF_TESTEE_ABI, as it was when the library was compiled. */
SPLITPROOF_EXPORT unsigned splitproof_abi(void);

/* Returns the library's variants, in an array that ends with a null name. Optional. */
SPLITPROOF_EXPORT const splitproof_variant* splitproof_variants(void);

/* Returns the protocols of the variant with this name, in memory that lives as long as the library, or null if it is not
 * made for particular ones. Optional. */
SPLITPROOF_EXPORT const splitproof_protocols* splitproof_protocols_of(const char* variant);

/* Returns the profile under which the behaviour of this variant shows, in memory that lives as long as the library, or
 * null for the default profile. Optional. */
SPLITPROOF_EXPORT const char* splitproof_profile_of(const char* variant);

/* Begins an exchange. Returns its handle for the other functions, or null after `error` or `skip`.
 *
 * `variant` is one of the above, or null for the library's default. `opening` is JSON:
 *
 *   {"client":"PROTOCOL","upstream":"PROTOCOL","request":{...},"knobs":{"nameless-call":"suppress",...}}
 *
 * `client` is the protocol to write and `upstream` the protocol to read. `request` is the client's request. `knobs` are
 * the chosen profile's answers to contested questions (splitproof list profiles). Ignore knobs for choices that your
 * translator does not have. */
SPLITPROOF_EXPORT void* splitproof_open(const char* variant, const char* opening,
                                        const splitproof_host* host);

/* Takes one read from the upstream, which may end anywhere. The bytes are in an allocation of exactly this size. Send
 * all output that they allow before this returns. */
SPLITPROOF_EXPORT void splitproof_feed(void* exchange, const char* bytes, size_t size);

/* Ends the upstream's answer: "complete", "closed" (without the final HTTP chunk), "reset", or "stall" (it fell
 * silent). */
SPLITPROOF_EXPORT void splitproof_finish(void* exchange, const char* end);

/* Called after `finish`. Returns 0 if the message to the client is complete. Returns another value if it breaks off, as
 * if a proxy closes the connection without the end of its HTTP message. Optional if all messages are complete. */
SPLITPROOF_EXPORT int splitproof_cut(void* exchange);

/* Returns a copy of the exchange that shares nothing with it, or null. The copy sends its output to the host of the
 * original, and `close` frees it. One thread at a time uses an exchange and its copies. Optional: `splitproof prove` needs
 * it, and also feeds zero bytes. */
SPLITPROOF_EXPORT void* splitproof_fork(const void* exchange);

/* Writes at most `size` bytes that identify the state, and returns how many there are. Two copies of an exchange may have
 * equal bytes only if all their later output is equal, whatever they are fed. A hash of at least 128 bits is enough. If
 * equal states have different bytes, splitproof cannot prove anything about the library. Optional: `splitproof prove` needs
 * it to prove all splits. */
SPLITPROOF_EXPORT size_t splitproof_digest(const void* exchange, void* out, size_t size);

/* Frees the exchange. */
SPLITPROOF_EXPORT void splitproof_close(void* exchange);

#ifdef __cplusplus
}
#endif

#endif
