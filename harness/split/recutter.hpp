#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/result.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/rechunker.hpp"
#include "harness/split/text_seams.hpp"

namespace splitproof::split {

/// Cuts of runs: offsets in UTF-16 units, by run. Other runs keep their events.
class RunCuts {
 public:
  struct OfRun {
    std::size_t run;
    std::span<const std::size_t> places;  ///< Ascending; none joins the events of the run.
  };

  /// Adds a run, without cuts; after those that it has.
  void add_run(std::size_t run) { runs_.push_back({run, places_.size()}); }

  /// Adds a cut of the last run, after its other cuts.
  void add_cut(std::size_t place) {
    places_.push_back(place);
    runs_.back().end = places_.size();
  }

  void clear() {
    runs_.clear();
    places_.clear();
  }

  /// Number of runs.
  std::size_t size() const { return runs_.size(); }

  /// Returns the run number `index` of these.
  OfRun operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : runs_[index - 1].end;
    return {runs_[index].run, std::span(places_).subspan(begin, runs_[index].end - begin)};
  }

  std::optional<std::size_t> last_run() const {
    return runs_.empty() ? std::nullopt : std::optional(runs_.back().run);
  }

 private:
  struct Run {
    std::size_t run;
    std::size_t end;  // in `places_`
  };
  std::vector<Run> runs_;
  std::vector<std::size_t> places_;
};

// A label of a recut is one of these values (recut.hpp).
struct WholeRecut {};      ///< whole
struct CharacterRecut {};  ///< char
struct SeamsRecut {        ///< seam:KIND
  TextSeam kind;
};
struct SeamRecut {  ///< seam:KIND:I
  TextSeam kind;
  std::size_t index;
};
struct CutRecut {  ///< cut:N
  std::size_t character;
};
struct RandomRecut {  ///< random:I:seedS
  std::size_t index;
  std::uint64_t seed;
};
struct OwnRecut {     ///< A label of the dialect.
  std::size_t index;  ///< In `Recutter::labels()`.
};

using RecutName =
    std::variant<WholeRecut, CharacterRecut, SeamsRecut, SeamRecut, CutRecut, RandomRecut, OwnRecut>;

/// A place in the text of all runs.
struct CutPoint {
  std::size_t run;
  std::size_t at;
};

/// The sizes of the first pieces of runs, found at the first use. Not thread-safe.
class FirstPieces {
 public:
  /// True if these cuts of the run make a first piece of the same size, or if its size is not known.
  bool may_begin(const Parts& parts, std::size_t run, std::span<const std::size_t> cuts);

 private:
  static constexpr std::size_t kNotSearched = 0;
  static constexpr std::size_t kUnknown = SIZE_MAX;
  std::vector<std::size_t> by_run_;
};

/// A body taken apart once for many recuts. Not thread-safe.
class Recutter {
 public:
  Recutter(const Rechunker& dealer, std::string_view body);

  /// Makes a recut, or returns nullopt if nothing changes.
  std::optional<Recut> make(const RecutName& name) const;
  std::optional<Recut> make(const RunCuts& cuts) const;

  /// Sets `cuts` to those of a recut that the dialect has no label for. Returns false if there is no such place.
  bool find_cuts(const RecutName& name, RunCuts& cuts) const;

  /// Takes another body of the same dialect apart.
  std::unique_ptr<const Parts> take_apart(std::string_view body) const { return dealer_.take_apart(body); }
  const Parts& parts() const { return *parts_; }

  /// The labels of the dialect.
  const std::vector<std::string>& labels() const { return labels_; }

  /// Returns all places before characters, over all runs. The first place of a run cannot be cut. Place N is
  /// before character N.
  const std::vector<CutPoint>& characters() const;

  const std::vector<CutPoint>& seams(TextSeam kind) const;

  /// Sets `cuts` to these random ones, which `random_cuts` drew among the characters. Joins the events of all other runs.
  void find_drawn(const std::vector<std::size_t>& characters, RunCuts& cuts) const;

  /// True if a run with these cuts keeps the bytes of all its events.
  bool keeps(std::size_t run, std::span<const std::size_t> cuts) const;

  /// True if cuts of a run may make its first piece that of the body. Cheap, and false for most cuts.
  bool may_keep(std::size_t run, std::span<const std::size_t> cuts) const {
    return first_pieces_.may_begin(*parts_, run, cuts);
  }

 private:
  const std::u16string& text(std::size_t run) const { return parts_->runs()[run].text; }
  std::optional<Recut> unless_same(Recut made) const;
  std::vector<std::string> pieces_at(std::size_t run, std::size_t at,
                                     std::span<const std::size_t> cuts) const;

  const Rechunker& dealer_;
  std::vector<std::string> labels_;
  std::string_view bytes_;
  std::unique_ptr<const Parts> parts_;
  // Found at the first use.
  mutable FirstPieces first_pieces_;
  mutable std::optional<std::vector<CutPoint>> characters_;
  mutable std::array<std::optional<std::vector<CutPoint>>, kTextSeams> seams_;
};

/// Returns the label of a recut. `parse_recut_name(recutter, label_of(recutter, name))` is the name.
std::string label_of(const Recutter& recutter, const RecutName& name);

/// Passes the planned recuts to `take`, in the order of `Recuts::plan`. The settings count random recuts.
void for_each_planned(const Recutter& recutter, const PlanSettings& settings,
                      const std::function<void(const RecutName&)>& take);

/// Parses a label. Returns an Error if it is unknown.
Result<RecutName> parse_recut_name(const Recutter& recutter, std::string_view label);

}  // namespace splitproof::split
