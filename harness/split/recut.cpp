#include "harness/split/recut.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "harness/split/plan.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/take.hpp"
#include "harness/split/text_seams.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::split {

/// Cuts of runs: offsets in UTF-16 units, by run. Other runs keep their events.
using RunCuts = std::map<std::size_t, std::vector<std::size_t>>;

/// A place in the text of all runs.
struct CutPoint {
  std::size_t run;
  std::size_t at;
};

/// A body taken apart once for many recuts.
class Recutter {
 public:
  Recutter(const Rechunker& dealer, std::string_view body)
      : labels_(dealer.labels()), bytes_(body), parts_(dealer.take_apart(body)) {}

  /// Returns nullopt if nothing changes.
  std::optional<Recut> of(const RunCuts& cuts) const {
    std::map<std::size_t, CutPoint> runs_of;  // by rewritten event: its run, and its index in the run
    for (const auto& [run, places] : cuts) {
      const std::vector<std::size_t>& events = parts_->runs()[run].events;
      for (std::size_t at = 0; at < events.size(); ++at) runs_of[events[at]] = {run, at};
    }
    Recut made;
    for (std::size_t event = 0; event < parts_->events().size(); ++event) {
      const auto found = runs_of.find(event);
      if (found == runs_of.end()) {
        made.append(parts_->events()[event]);
      } else {
        const auto [run, at] = found->second;
        parts_->say(run, event, pieces_at(run, at, cuts.at(run)), made);
      }
    }
    return unless_same(std::move(made));
  }

  /// Makes the recut for a label of the dialect.
  std::optional<Recut> of(std::string_view label) const { return unless_same(parts_->deal_by(label)); }

  const std::vector<std::string>& labels() const { return labels_; }

  /// Returns all runs with text, uncut.
  RunCuts whole() const {
    RunCuts cuts;
    for (std::size_t run = 0; run < parts_->runs().size(); ++run) {
      if (!text(run).empty()) cuts[run] = {};
    }
    return cuts;
  }

  /// Returns all places before characters, over all runs. The first place of a run cannot be cut. Place N is
  /// before character N.
  std::vector<CutPoint> characters() const {
    std::vector<CutPoint> places;
    for (std::size_t run = 0; run < parts_->runs().size(); ++run) {
      for (std::size_t at = 0; at < text(run).size(); ++at) {
        if (begins_character(text(run), at)) places.push_back({run, at});
      }
    }
    return places;
  }

  std::vector<CutPoint> seams(TextSeam kind) const {
    std::vector<CutPoint> places;
    for (std::size_t run = 0; run < parts_->runs().size(); ++run) {
      const TextRun& of = parts_->runs()[run];
      if (is_of_json(kind) && !of.json) continue;
      const std::size_t skipped = is_of_json(kind) ? of.before.size() : 0;
      for (const std::size_t at : find_text_seams(kind, is_of_json(kind) ? of.before + of.text : of.text)) {
        if (at > skipped) places.push_back({run, at - skipped});
      }
    }
    return places;
  }

 private:
  const std::u16string& text(std::size_t run) const { return parts_->runs()[run].text; }

  std::optional<Recut> unless_same(Recut made) const {
    made = parts_->settled(std::move(made));
    if (made.body == bytes_) return std::nullopt;
    return made;
  }

  /// Returns the pieces for event `at` of the run: one piece, or all remaining pieces for the last event.
  std::vector<std::string> pieces_at(std::size_t run, std::size_t at,
                                     const std::vector<std::size_t>& cuts) const {
    const std::size_t count = cuts.size() + 1;
    const bool last = at + 1 == parts_->runs()[run].events.size();
    std::vector<std::string> pieces;
    for (std::size_t piece = at; piece < (last ? count : std::min(at + 1, count)); ++piece) {
      const std::size_t begin = piece == 0 ? 0 : cuts[piece - 1];
      const std::size_t end = piece == cuts.size() ? text(run).size() : cuts[piece];
      pieces.push_back(narrow(std::u16string_view(text(run)).substr(begin, end - begin)));
    }
    return pieces;
  }

  std::vector<std::string> labels_;
  std::string_view bytes_;
  std::unique_ptr<const Parts> parts_;
};

namespace {

/// Adds cuts at the first kMaxCuts of these places to `cuts`.
RunCuts at(std::span<const CutPoint> places, RunCuts cuts = {}) {
  for (const CutPoint& place : places.first(std::min(places.size(), kMaxCuts))) {
    if (place.at > 0) cuts[place.run].push_back(place.at);
  }
  return cuts;
}

std::optional<Recut> whole(const Recutter& recutter) { return recutter.of(recutter.whole()); }

std::optional<Recut> by_character(const Recutter& recutter) { return recutter.of(at(recutter.characters())); }

std::optional<Recut> single_cut(const Recutter& recutter, std::size_t character) {
  const std::vector<CutPoint> places = recutter.characters();
  if (character >= places.size() || places[character].at == 0) return std::nullopt;
  return recutter.of(at({&places[character], 1}));
}

std::optional<Recut> random(const Recutter& recutter, std::size_t index, std::uint64_t seed) {
  const std::vector<CutPoint> places = recutter.characters();
  std::vector<CutPoint> drawn;
  for (const std::size_t character : random_cuts(places.size(), index, seed))
    drawn.push_back(places[character]);
  return recutter.of(at(drawn, recutter.whole()));
}

std::optional<Recut> lone_seam(const Recutter& recutter, TextSeam kind, std::size_t index) {
  const std::vector<CutPoint> places = recutter.seams(kind);
  if (index >= places.size()) return std::nullopt;
  return recutter.of(at({&places[index], 1}));
}

/// Removes a decimal number without leading zeros from the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (failure != std::errc{} || (length > 1 && text.front() == '0')) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

/// Returns the forms of labels: "cut:NUMBER, ..., call:FORM or finish:FORM".
std::string forms(const std::vector<std::string>& own_labels) {
  std::vector<std::string> forms = {
      "whole", "char", "cut:NUMBER", "seam:KIND", "seam:KIND:NUMBER", "random:NUMBER:seedSEED"};
  for (const std::string& label : own_labels) {
    std::string form = label.substr(0, label.find(':')) + ":FORM";
    if (form != forms.back()) forms.push_back(std::move(form));
  }
  std::string text = forms.front();
  for (std::size_t i = 1; i < forms.size(); ++i) text += (i + 1 == forms.size() ? " or " : ", ") + forms[i];
  return text;
}

tl::unexpected<Error> unknown(const Recutter& recutter, std::string_view label) {
  return tl::unexpected(
      Error{"'" + std::string(label) + "' names no recut", {}, 0, "write " + forms(recutter.labels())});
}

/// Returns the recut for the label, nullopt if the body has none, or an Error if the label is unknown.
Result<std::optional<Recut>> find(const Recutter& recutter, std::string_view label) {
  std::string_view rest = label;
  if (label == "whole") return whole(recutter);
  if (label == "char") return by_character(recutter);
  if (take(rest, "cut:")) {
    const auto character = take_number(rest);
    if (character && rest.empty()) return single_cut(recutter, *character);
  } else if (take(rest, "seam:")) {
    const std::string_view kind_name = rest.substr(0, rest.find(':'));
    rest.remove_prefix(kind_name.size());
    const auto kind = text_seam(kind_name);
    if (kind && rest.empty()) return recutter.of(at(recutter.seams(*kind)));
    if (kind && take(rest, ":")) {
      const auto index = take_number(rest);
      if (index && rest.empty()) return lone_seam(recutter, *kind, *index);
    }
  } else if (take(rest, "random:")) {
    const auto index = take_number(rest);
    if (!index || !take(rest, ":seed")) return unknown(recutter, label);
    const auto seed = take_number(rest);
    if (seed && rest.empty()) return random(recutter, *index, *seed);
  } else if (const auto& own = recutter.labels(); std::find(own.begin(), own.end(), label) != own.end()) {
    return recutter.of(label);
  }
  return unknown(recutter, label);
}

}  // namespace

Result<Recut> recut(const Rechunker& dealer, std::string_view body, std::string_view label) {
  auto found = find(Recutter(dealer, body), label);
  if (!found) return tl::unexpected(found.error());
  if (*found) return **std::move(found);
  return tl::unexpected(
      Error{"this body has no recut " + std::string(label), {}, 0, "it would be the body as it is"});
}

struct Recuts::Body {
  Recutter recutter;
};

Recuts::Recuts(const Rechunker& dealer, std::string_view body)
    : body_(std::make_unique<Body>(Body{Recutter(dealer, body)})) {}

Recuts::~Recuts() = default;

std::vector<std::string> Recuts::plan(std::size_t random, bool sweep, std::uint64_t seed) const {
  std::vector<std::string> planned = {"whole", "char"};
  SplitMix64 picks(seed);
  for (std::size_t i = 0; i < kTextSeams; ++i) {
    const auto kind = static_cast<TextSeam>(i);
    const std::string label = "seam:" + std::string(name(kind));
    const std::size_t count = body_->recutter.seams(kind).size();
    if (count == 0) continue;
    planned.push_back(label);
    for (const std::size_t pick : lone_picks(count, picks))
      planned.push_back(label + ":" + std::to_string(pick));
  }
  const std::vector<std::string>& own = body_->recutter.labels();
  planned.insert(planned.end(), own.begin(), own.end());
  for (std::size_t i = 0; i < random; ++i)
    planned.push_back("random:" + std::to_string(i) + ":seed" + std::to_string(seed));
  if (sweep) {
    const std::size_t characters = body_->recutter.characters().size();
    for (std::size_t i = 0; i < characters; ++i) planned.push_back("cut:" + std::to_string(i));
  }
  return planned;
}

std::optional<Recut> Recuts::make(std::string_view label) const { return *find(body_->recutter, label); }

}  // namespace splitproof::split
