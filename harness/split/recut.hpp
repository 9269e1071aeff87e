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

/// Maximum number of cuts in a recut; text after the last cut stays one piece. Each piece is an event, and a
/// judged event needs a hundred times the memory of its character.
inline constexpr std::size_t kMaxCuts = 8'192;

/// Returns the recut of a body for a label. A pure function of both and of the dialect:
///
///     whole            joins the pieces of each run
///     char             an event for each character, for the first kMaxCuts
///     cut:N            a cut before character N, counted from 0 over all runs: its run in two events
///     seam:KIND        cuts at all seams of decoded text of a kind (text_seams.hpp draws them)
///     seam:KIND:I      a cut at seam I of these alone, from 0: its run in two events
///     random:I:seedS   random cuts number I under seed S
///     ...              labels from `dealer.labels()`
///
/// Runs without a cut keep their events, except under `random`, which joins all others. Each piece becomes an
/// event. It replaces an old event of the run while there are any; the last old event is divided among the
/// rest. Unchanged events keep their bytes. Others are written as compact JSON, with keys in their order and
/// unknown members kept.
///
/// `seam:halves` makes pieces that end in a lone surrogate, as the escape `\ud83d`. RFC 8259 allows this, RFC
/// 7493 does not. Servers that slice UTF-16 send it.
///
/// Returns an Error if the label is unknown or not in this form, or if it would not change the body. Each
/// recut has one label.
Result<Recut> recut(const Rechunker& dealer, std::string_view body, std::string_view label);

class Recutter;

/// The recuts of one body, which is taken apart once. Dealer and body must outlive it.
class Recuts {
 public:
  Recuts(const Rechunker& dealer, std::string_view body);
  ~Recuts();
  Recuts(const Recuts&) = delete;
  Recuts& operator=(const Recuts&) = delete;

  /// Returns labels in this order:
  ///
  /// - `whole`, `char`;
  /// - for each kind of seam all at once, then up to `kLoneSeamsPerKind` alone (first, last and seeded ones);
  /// - the dialect's labels;
  /// - `random` random ones;
  /// - with `sweep` every single cut.
  ///
  /// Makes no bodies, so a label may not apply, and two may make the same body. A pure function of the body
  /// and the arguments.
  std::vector<std::string> plan(std::size_t random, bool sweep, std::uint64_t seed) const;

  /// Returns the recut for such a label, or nullopt if it would change nothing.
  std::optional<Recut> make(std::string_view label) const;

  const Recutter& recutter() const { return *recutter_; }

 private:
  std::unique_ptr<const Recutter> recutter_;
};

}  // namespace splitproof::split
