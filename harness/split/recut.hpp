#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::split {

/// A body whose events were dealt anew, as if the model had chunked its answer differently: the bytes change, the
/// meaning does not. Splits cannot do this: what looks at decoded text sees the same pieces under each of them.
struct Recut {
  std::string body;
  std::vector<std::size_t> arrivals;  ///< one past each event, ascending; the last is the size of the body

  bool operator==(const Recut&) const = default;
};

/// The recut of a Chat Completions body that a label names, a pure function of both:
///
///     whole            the pieces of each run joined; a run is what consecutive events say of one string: of the
///                      text, the thinking, the refusal or the arguments of one call
///     char             an event a character
///     cut:N            a cut before character N, counted from 0 over all runs: its run in two events
///     seam:KIND        cuts at all seams of decoded text of a kind (text_seams.hpp draws them)
///     seam:KIND:I      a cut at the I-th of these alone, from 0: its run in two events
///     random:I:seedS   the I-th random cuts under seed S
///     call:ina ...     id, name and arguments of each call's start dealt over events (call_deals.hpp)
///     finish:fused ... which things share an event (packings.hpp)
///
/// Runs that a recut does not cut keep their events, except under `random`, which joins all others. Events that
/// do not change keep their bytes. Others are written anew: compact, keys in their order, members that are
/// unknown kept. Events that are not of the ordinary form (one `data` line with a JSON object, one choice, text
/// where text belongs) stay as they are, and no text passes them, a finish or a usage.
///
/// `seam:halves` makes pieces that end in half a surrogate pair, as the escape `\ud83d`. That is JSON by RFC 8259,
/// though not by RFC 7493, and servers that slice UTF-16 send it.
///
/// An Error where the label names no recut, is not written as above (each recut has one label), or where the body
/// has none of that label: nothing would change.
Result<Recut> recut(std::string_view body, std::string_view label);

/// The labels of the recuts to try on a body, in this order: `whole`, `char`; for each kind of seam all at once,
/// then up to `kLoneSeamsPerKind` alone (the first, the last and seeded ones); the deals of calls; the packings;
/// as many random ones as `random` says; with `sweep` every single cut. Recuts with equal bodies are planned
/// once, under the first label, and none that is the body itself. A pure function of its arguments.
std::vector<std::string> plan_recuts(std::string_view body, std::size_t random, bool sweep,
                                     std::uint64_t seed);

}  // namespace splitproof::split
