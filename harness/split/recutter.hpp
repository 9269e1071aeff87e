#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/result.hpp"
#include "harness/split/rechunker.hpp"
#include "harness/split/text_seams.hpp"

namespace splitproof::split {

/// Cuts of runs: offsets in UTF-16 units, by run. Other runs keep their events.
using RunCuts = std::map<std::size_t, std::vector<std::size_t>>;

/// A label of the dialect.
struct OwnRecut {
  std::string_view label;
};

/// Random cuts of all runs.
struct RandomRecut {
  std::size_t index;
  std::uint64_t seed;
};

/// A recut that is not made yet.
using RecutForm = std::variant<RunCuts, OwnRecut, RandomRecut>;

/// A place in the text of all runs.
struct CutPoint {
  std::size_t run;
  std::size_t at;
};

/// Adds cuts at the first kMaxCuts of these places to `cuts`.
RunCuts run_cuts_at(std::span<const CutPoint> places, RunCuts cuts = {});

/// The sizes of the first pieces of runs, found at the first use. Not thread-safe.
class FirstPieces {
 public:
  /// True if these cuts of the run make a first piece of the same size, or if its size is not known.
  bool may_begin(const Parts& parts, std::size_t run, const std::vector<std::size_t>& cuts);

 private:
  std::map<std::size_t, std::optional<std::size_t>> by_run_;  // nullopt: unknown
};

/// A body taken apart once for many recuts. Not thread-safe.
class Recutter {
 public:
  Recutter(const Rechunker& dealer, std::string_view body);

  /// Returns nullopt if nothing changes.
  std::optional<Recut> of(const RecutForm& form) const;

  /// Takes another body of the same dialect apart.
  std::unique_ptr<const Parts> take_apart(std::string_view body) const { return dealer_.take_apart(body); }
  const Parts& parts() const { return *parts_; }

  /// The labels of the dialect.
  const std::vector<std::string>& labels() const { return labels_; }

  /// Returns all runs with text, uncut.
  RunCuts whole() const;

  /// Returns all places before characters, over all runs. The first place of a run cannot be cut. Place N is
  /// before character N.
  const std::vector<CutPoint>& characters() const;

  const std::vector<CutPoint>& seams(TextSeam kind) const;

  /// Returns these random cuts, which `random_cuts` drew among the characters.
  RunCuts drawn(const std::vector<std::size_t>& characters) const;

  /// True if a run with these cuts keeps the bytes of all its events.
  bool keeps(std::size_t run, const std::vector<std::size_t>& cuts) const;

  /// True if cuts of a run may make its first piece that of the body. Cheap, and false for most cuts.
  bool may_keep(std::size_t run, const std::vector<std::size_t>& cuts) const {
    return first_pieces_.may_begin(*parts_, run, cuts);
  }

 private:
  std::optional<Recut> make(const RunCuts& cuts) const;
  std::optional<Recut> make(const OwnRecut& own) const;
  std::optional<Recut> make(const RandomRecut& random) const;
  const std::u16string& text(std::size_t run) const { return parts_->runs()[run].text; }
  std::optional<Recut> unless_same(Recut made) const;
  std::vector<std::string> pieces_at(std::size_t run, std::size_t at,
                                     const std::vector<std::size_t>& cuts) const;

  const Rechunker& dealer_;
  std::vector<std::string> labels_;
  std::string_view bytes_;
  std::unique_ptr<const Parts> parts_;
  // Found at the first use.
  mutable FirstPieces first_pieces_;
  mutable std::optional<std::vector<CutPoint>> characters_;
  mutable std::array<std::optional<std::vector<CutPoint>>, kTextSeams> seams_;
};

/// Returns the recut with this label, nullopt if the body has none, or an Error if the label is unknown. The form has
/// views of the label.
Result<std::optional<RecutForm>> recut_form(const Recutter& recutter, std::string_view label);

}  // namespace splitproof::split
