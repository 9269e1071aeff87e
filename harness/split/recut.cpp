#include "harness/split/recut.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "harness/fnv1a.hpp"
#include "harness/split/call_deals.hpp"
#include "harness/split/chat_body.hpp"
#include "harness/split/packings.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/text_runs.hpp"
#include "harness/split/text_seams.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::split {
namespace {

/// Where runs are cut: offsets in UTF-16 units, by run. A run that is not named keeps its events.
using RunCuts = std::map<std::size_t, std::vector<std::size_t>>;

/// A place in the text of all runs.
struct Place {
  std::size_t run;
  std::size_t at;
};

/// A body taken apart once, for as many recuts as there are.
class Recutter {
 public:
  explicit Recutter(std::string_view body)
      : bytes_(body),
        body_(read_chat_body(body)),
        calls_(find_calls(body_)),
        runs_(find_runs(body_, calls_)) {}

  /// None where that changes nothing.
  std::optional<Recut> of(const Replacements& replacements) const {
    if (replacements.empty()) return std::nullopt;
    Recut made = rewrite(body_, replacements);
    if (made.body == bytes_) return std::nullopt;
    return made;
  }

  std::optional<Recut> of(const RunCuts& cuts) const {
    Replacements replacements;
    for (const auto& [run, places] : cuts) {
      const std::u16string& text = runs_[run].text;
      std::vector<std::u16string> pieces;
      std::size_t begin = 0;
      for (const std::size_t end : places) {
        pieces.push_back(text.substr(begin, end - begin));
        begin = end;
      }
      pieces.push_back(text.substr(begin));
      deal(body_, calls_, runs_[run], pieces, replacements);
    }
    return of(replacements);
  }

  std::optional<Recut> of(const CallDeal& deal) const { return of(deal_calls(body_, calls_, runs_, deal)); }
  std::optional<Recut> of(Packing packing) const { return of(pack(body_, calls_, runs_, packing)); }

  /// All runs that hold text, uncut.
  RunCuts whole() const {
    RunCuts cuts;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      if (!runs_[run].text.empty()) cuts[run] = {};
    }
    return cuts;
  }

  /// All places between characters of one run, and the beginnings of runs, where there is nothing to cut: the N-th
  /// place is before the N-th character.
  std::vector<Place> characters() const {
    std::vector<Place> places;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      for (std::size_t at = 0; at < runs_[run].text.size(); ++at) {
        if (begins_character(runs_[run].text, at)) places.push_back({run, at});
      }
    }
    return places;
  }

  std::vector<Place> seams(TextSeam kind) const {
    std::vector<Place> places;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      if (is_of_json(kind) && !runs_[run].call) continue;
      const std::size_t skipped = is_of_json(kind) ? runs_[run].before.size() : 0;
      const std::u16string text = is_of_json(kind) ? runs_[run].before + runs_[run].text : runs_[run].text;
      for (const std::size_t at : find_text_seams(kind, text)) {
        if (at > skipped) places.push_back({run, at - skipped});
      }
    }
    return places;
  }

 private:
  std::string_view bytes_;
  ChatBody body_;
  ChatCalls calls_;
  std::vector<TextRun> runs_;
};

RunCuts at(const std::vector<Place>& places) {
  RunCuts cuts;
  for (const Place& place : places) {
    if (place.at > 0) cuts[place.run].push_back(place.at);
  }
  return cuts;
}

std::optional<Recut> whole(const Recutter& recutter) { return recutter.of(recutter.whole()); }

std::optional<Recut> by_character(const Recutter& recutter) { return recutter.of(at(recutter.characters())); }

std::optional<Recut> single_cut(const Recutter& recutter, std::size_t character) {
  const std::vector<Place> places = recutter.characters();
  if (character >= places.size() || places[character].at == 0) return std::nullopt;
  return recutter.of(at({places[character]}));
}

std::optional<Recut> random(const Recutter& recutter, std::size_t index, std::uint64_t seed) {
  const std::vector<Place> places = recutter.characters();
  RunCuts cuts = recutter.whole();
  for (const std::size_t character : random_cuts(places.size(), index, seed)) {
    const Place& place = places[character];
    if (place.at > 0) cuts[place.run].push_back(place.at);
  }
  return recutter.of(cuts);
}

std::optional<Recut> lone_seam(const Recutter& recutter, TextSeam kind, std::size_t index) {
  const std::vector<Place> places = recutter.seams(kind);
  if (index >= places.size()) return std::nullopt;
  return recutter.of(at({places[index]}));
}

/// Takes `prefix` off the front of `text`, if it is there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Takes a decimal number, written the only way, off the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (failure != std::errc{} || (length > 1 && text.front() == '0')) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

tl::unexpected<Error> unknown(std::string_view label) {
  return tl::unexpected(
      Error{"'" + std::string(label) + "' names no recut",
            {},
            0,
            "write whole, char, cut:NUMBER, seam:KIND, seam:KIND:NUMBER, random:NUMBER:seedSEED, call:FORM, "
            "finish:FORM, usage:FORM, role:FORM or tools:FORM"});
}

/// What the label names; an Error where it names nothing, none where the body has no such recut.
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
    if (!index || !take(rest, ":seed")) return unknown(label);
    const auto seed = take_number(rest);
    if (seed && rest.empty()) return random(recutter, *index, *seed);
  } else if (take(rest, "call:")) {
    for (const CallDeal& deal : all_call_deals()) {
      if (rest == label_of(deal)) return recutter.of(deal);
    }
  } else {
    for (std::size_t i = 0; i < kPackings; ++i) {
      if (label == name(static_cast<Packing>(i))) return recutter.of(static_cast<Packing>(i));
    }
  }
  return unknown(label);
}

/// A growing plan that refuses bodies it already has.
class Planner {
 public:
  explicit Planner(const Recutter& recutter) : recutter_(recutter) {}

  void add(std::string label) {
    const std::optional<Recut> made = *find(recutter_, label);
    if (!made) return;
    std::vector<std::size_t>& alike = by_hash_[fnv1a(made->body)];
    for (const std::size_t i : alike) {
      if ((*find(recutter_, labels_[i]))->body == made->body) return;
    }
    alike.push_back(labels_.size());
    labels_.push_back(std::move(label));
  }

  std::vector<std::string> take() { return std::move(labels_); }

 private:
  const Recutter& recutter_;
  std::vector<std::string> labels_;
  std::map<std::uint64_t, std::vector<std::size_t>> by_hash_;  ///< indices of labels_, by their bodies
};

/// Of `count` things, which to take alone: the first, then seeded ones in increasing order, then the last.
std::set<std::size_t> lone_picks(std::size_t count, SplitMix64& random) {
  std::set<std::size_t> picks = {0, count - 1};
  while (picks.size() < std::min(kLoneSeamsPerKind, count)) picks.insert(random.below(count));
  return picks;
}

}  // namespace

Result<Recut> recut(std::string_view body, std::string_view label) {
  auto found = find(Recutter(body), label);
  if (!found) return tl::unexpected(found.error());
  if (*found) return **std::move(found);
  return tl::unexpected(
      Error{"this body has no recut " + std::string(label), {}, 0, "it would be the body as it is"});
}

std::vector<std::string> plan_recuts(std::string_view body, std::size_t random, bool sweep,
                                     std::uint64_t seed) {
  const Recutter recutter(body);
  Planner planner(recutter);
  planner.add("whole");
  planner.add("char");
  SplitMix64 picks(seed);
  for (std::size_t i = 0; i < kTextSeams; ++i) {
    const auto kind = static_cast<TextSeam>(i);
    const std::string label = "seam:" + std::string(name(kind));
    const std::size_t count = recutter.seams(kind).size();
    if (count == 0) continue;
    planner.add(label);
    for (const std::size_t pick : lone_picks(count, picks)) planner.add(label + ":" + std::to_string(pick));
  }
  for (const CallDeal& deal : all_call_deals()) planner.add("call:" + label_of(deal));
  for (std::size_t i = 0; i < kPackings; ++i) planner.add(std::string(name(static_cast<Packing>(i))));
  for (std::size_t i = 0; i < random; ++i)
    planner.add("random:" + std::to_string(i) + ":seed" + std::to_string(seed));
  if (sweep) {
    for (std::size_t i = 0; i < recutter.characters().size(); ++i) planner.add("cut:" + std::to_string(i));
  }
  return planner.take();
}

}  // namespace splitproof::split
