#include "harness/split/recutter.hpp"

#include <algorithm>
#include <utility>

#include "harness/split/random_cuts.hpp"
#include "harness/split/recut.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::split {

RunCuts run_cuts_at(std::span<const CutPoint> places, RunCuts cuts) {
  for (const CutPoint& place : places.first(std::min(places.size(), kMaxCuts))) {
    if (place.at > 0) cuts[place.run].push_back(place.at);
  }
  return cuts;
}

bool FirstPieces::may_begin(const Parts& parts, std::size_t run, const std::vector<std::size_t>& cuts) {
  constexpr std::size_t kMostTries = 64;
  const TextRun& of = parts.runs()[run];
  const auto [known, is_new] = by_run_.try_emplace(run);
  for (std::size_t size = 1; is_new && size <= std::min(kMostTries, of.text.size()); ++size) {
    const std::string piece = narrow(std::u16string_view(of.text).substr(0, size));
    Recut written;
    parts.say(run, of.events.front(), {&piece, 1}, written);
    if (written.body != parts.events()[of.events.front()]) continue;
    known->second = size;
    break;
  }
  return !known->second || *known->second == (cuts.empty() ? of.text.size() : cuts.front());
}

Recutter::Recutter(const Rechunker& dealer, std::string_view body)
    : dealer_(dealer), labels_(dealer.labels()), bytes_(body), parts_(dealer.take_apart(body)) {}

std::optional<Recut> Recutter::of(const RecutForm& form) const {
  return std::visit([this](const auto& one) { return make(one); }, form);
}

std::optional<Recut> Recutter::make(const RunCuts& cuts) const {
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

std::optional<Recut> Recutter::make(const OwnRecut& own) const {
  return unless_same(parts_->deal_by(own.label));
}

std::optional<Recut> Recutter::make(const RandomRecut& random) const {
  return make(drawn(random_cuts(characters().size(), random.index, random.seed)));
}

RunCuts Recutter::whole() const {
  RunCuts cuts;
  for (std::size_t run = 0; run < parts_->runs().size(); ++run) {
    if (!text(run).empty()) cuts[run] = {};
  }
  return cuts;
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

RunCuts Recutter::drawn(const std::vector<std::size_t>& characters) const {
  std::vector<CutPoint> places;
  places.reserve(characters.size());
  for (const std::size_t character : characters) places.push_back(this->characters()[character]);
  return run_cuts_at(places, whole());
}

bool Recutter::keeps(std::size_t run, const std::vector<std::size_t>& cuts) const {
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

}  // namespace splitproof::split
