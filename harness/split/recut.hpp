#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::split {

/// The most cuts of one recut: what lies behind the last of them stays one piece of its run. Each piece is an event of its
/// own, and a judged event takes a hundred times the memory of the character in it.
inline constexpr std::size_t kMaxCuts = 8'192;

/// The recut of a body that a label names, a pure function of both and of the body's dialect:
///
///     whole            the pieces of each run joined
///     char             an event a character, for the first kMaxCuts of them
///     cut:N            a cut before character N, counted from 0 over all runs: its run in two events
///     seam:KIND        cuts at all seams of decoded text of a kind (text_seams.hpp draws them)
///     seam:KIND:I      a cut at the I-th of these alone, from 0: its run in two events
///     random:I:seedS   the I-th random cuts under seed S
///     ...              those of `dealer.labels()`
///
/// Runs that a recut does not cut keep their events, except under `random`, which joins all others. As many events as
/// there are pieces: each takes the place of an old event of the run, while there are any, and the last old one is divided
/// among the rest. Events that do not change keep their bytes. Others are written anew: compact, keys in their order,
/// members that are unknown kept.
///
/// `seam:halves` makes pieces that end in a lone surrogate, as the escape `\ud83d`. That is JSON by RFC 8259,
/// though not by RFC 7493, and servers that slice UTF-16 send it.
///
/// An Error where the label names no recut, is not written as above (each recut has one label), or where the body
/// has none of that label: nothing would change.
Result<Recut> recut(const Rechunker& dealer, std::string_view body, std::string_view label);

/// The recuts to try on one body, which is taken apart once. Dealer and body must outlive it.
class Recuts {
 public:
  Recuts(const Rechunker& dealer, std::string_view body);
  ~Recuts();
  Recuts(const Recuts&) = delete;
  Recuts& operator=(const Recuts&) = delete;

  /// Labels in this order: `whole`, `char`; for each kind of seam all at once, then up to `kLoneSeamsPerKind` alone (the
  /// first, the last and seeded ones); those of the dialect; as many random ones as `random` says; with `sweep` every
  /// single cut. No body is made, so there may be none of a label, or the same of two. A pure function of the body and
  /// the arguments.
  std::vector<std::string> plan(std::size_t random, bool sweep, std::uint64_t seed) const;

  /// The recut of such a label; none where nothing would change.
  std::optional<Recut> make(std::string_view label) const;

 private:
  struct Body;
  std::unique_ptr<const Body> body_;
};

}  // namespace splitproof::split
