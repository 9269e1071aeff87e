#include "harness/split/recutter.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "harness/split/random_cuts.hpp"
#include "harness/split/recut.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::split {

namespace {

// Adds cuts at the first kMaxCuts of these places.
void add_cuts(std::span<const CutPoint> places, RunCuts& cuts) {
  for (const CutPoint& place : places.first(std::min(places.size(), kMaxCuts))) {
    if (place.at == 0) continue;
    if (cuts.last_run() != place.run) cuts.add_run(place.run);
    cuts.add_cut(place.at);
  }
}

bool add_single_cut(const std::vector<CutPoint>& places, std::size_t index, RunCuts& cuts) {
  if (index >= places.size() || places[index].at == 0) return false;
  add_cuts({&places[index], 1}, cuts);
  return true;
}

}  // namespace

bool FirstPieces::may_begin(const Parts& parts, std::size_t run, std::span<const std::size_t> cuts) {
  constexpr std::size_t kMostTries = 64;
  const TextRun& of = parts.runs()[run];
  if (by_run_.empty()) by_run_.resize(parts.runs().size(), kNotSearched);
  std::size_t& known = by_run_[run];
  for (std::size_t size = 1; known == kNotSearched && size <= std::min(kMostTries, of.text.size()); ++size) {
    const std::string piece = narrow(std::u16string_view(of.text).substr(0, size));
    Recut written;
    parts.say(run, of.events.front(), {&piece, 1}, written);
    if (written.body == parts.events()[of.events.front()]) known = size;
  }
  if (known == kNotSearched) known = kUnknown;
  return known == kUnknown || known == (cuts.empty() ? of.text.size() : cuts.front());
}

Recutter::Recutter(const Rechunker& dealer, std::string_view body)
    : dealer_(dealer), labels_(dealer.labels()), bytes_(body), parts_(dealer.take_apart(body)) {}

std::optional<Recut> Recutter::make(const RecutName& name) const {
  if (const auto* own = std::get_if<OwnRecut>(&name))
    return unless_same(parts_->deal_by(labels_[own->index]));
  RunCuts cuts;
  return find_cuts(name, cuts) ? make(cuts) : std::nullopt;
}

std::optional<Recut> Recutter::make(const RunCuts& cuts) const {
  struct Place {
    std::size_t index;  // of the run in `cuts`
    std::size_t at;     // index of the event in the run
  };
  std::unordered_map<std::size_t, Place> places;  // by rewritten event
  for (std::size_t index = 0; index < cuts.size(); ++index) {
    const std::vector<std::size_t>& events = parts_->runs()[cuts[index].run].events;
    for (std::size_t at = 0; at < events.size(); ++at) places[events[at]] = {index, at};
  }
  Recut made;
  for (std::size_t event = 0; event < parts_->events().size(); ++event) {
    const auto found = places.find(event);
    if (found == places.end()) {
      made.append(parts_->events()[event]);
    } else {
      const RunCuts::OfRun of_run = cuts[found->second.index];
      parts_->say(of_run.run, event, pieces_at(of_run.run, found->second.at, of_run.places), made);
    }
  }
  return unless_same(std::move(made));
}

bool Recutter::find_cuts(const RecutName& name, RunCuts& cuts) const {
  struct Find {
    const Recutter& of;
    RunCuts& cuts;
    bool operator()(const WholeRecut&) const {
      of.find_drawn({}, cuts);
      return true;
    }
    bool operator()(const CharacterRecut&) const {
      add_cuts(of.characters(), cuts);
      return true;
    }
    bool operator()(const SeamsRecut& seams) const {
      add_cuts(of.seams(seams.kind), cuts);
      return true;
    }
    bool operator()(const SeamRecut& seam) const {
      return add_single_cut(of.seams(seam.kind), seam.index, cuts);
    }
    bool operator()(const CutRecut& cut) const {
      return add_single_cut(of.characters(), cut.character, cuts);
    }
    bool operator()(const RandomRecut& random) const {
      of.find_drawn(random_cuts(of.characters().size(), random.index, random.seed), cuts);
      return true;
    }
    bool operator()(const OwnRecut&) const { return false; }
  };
  cuts.clear();
  return std::visit(Find{*this, cuts}, name);
}

const std::vector<CutPoint>& Recutter::characters() const {
  if (characters_) return *characters_;
  std::vector<CutPoint>& places = characters_.emplace();
  for (std::size_t run = 0; run < parts_->runs().size(); ++run) {
    for (std::size_t at = 0; at < text(run).size(); ++at) {
      if (begins_character(text(run), at)) places.push_back({run, at});
    }
  }
  return places;
}

const std::vector<CutPoint>& Recutter::seams(TextSeam kind) const {
  std::optional<std::vector<CutPoint>>& known = seams_[static_cast<std::size_t>(kind)];
  if (known) return *known;
  std::vector<CutPoint>& places = known.emplace();
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

void Recutter::find_drawn(const std::vector<std::size_t>& characters, RunCuts& cuts) const {
  const std::size_t last = std::min(characters.size(), kMaxCuts);
  std::size_t next = 0;
  cuts.clear();
  for (std::size_t run = 0; run < parts_->runs().size(); ++run) {
    if (text(run).empty()) continue;
    cuts.add_run(run);
    for (; next < last && this->characters()[characters[next]].run == run; ++next)
      if (const std::size_t at = this->characters()[characters[next]].at; at > 0) cuts.add_cut(at);
  }
}

bool Recutter::keeps(std::size_t run, std::span<const std::size_t> cuts) const {
  const std::vector<std::size_t>& events = parts_->runs()[run].events;
  if (cuts.size() + 1 != events.size() || !may_keep(run, cuts)) return false;
  for (std::size_t at = 0; at < events.size(); ++at) {
    Recut written;
    parts_->say(run, events[at], pieces_at(run, at, cuts), written);
    if (written.body != parts_->events()[events[at]]) return false;
  }
  return true;
}

std::optional<Recut> Recutter::unless_same(Recut made) const {
  made = parts_->settled(std::move(made));
  if (made.body == bytes_) return std::nullopt;
  return made;
}

// Returns the pieces for event `at` of the run: one piece, or all remaining pieces for the last event.
std::vector<std::string> Recutter::pieces_at(std::size_t run, std::size_t at,
                                             std::span<const std::size_t> cuts) const {
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

}  // namespace splitproof::split
