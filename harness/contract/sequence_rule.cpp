#include "harness/contract/sequence_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/contract/wording.hpp"

namespace splitproof::contract {
namespace {

/// An event that must not come where it does; `after` is the one that forbids it.
Outcome misplaced(const Reading& reading, std::size_t subject, std::optional<std::size_t> slice,
                  std::optional<std::size_t> after) {
  std::string detail = title_of(reading.event_of(subject)) + " must not come here";
  if (after) detail += ", after " + place_of(reading, *after);
  Outcome outcome = Outcome::violated(subject, slice, std::move(detail));
  outcome.first = after;
  return outcome;
}

}  // namespace

SequenceRule::SequenceRule(Kind kind, Pattern pattern, std::size_t line)
    : kind_(kind), pattern_(std::move(pattern)), automaton_(pattern_, kind == Kind::never, line) {}

SequenceRule SequenceRule::parse(Kind kind, const YamlNode& pattern, const YamlNode* among,
                                 const Alphabet& alphabet) {
  const std::string& text = scalar_text(pattern, kind == Kind::never ? "never" : "finally");
  SequenceRule rule(kind, parse_pattern(text, pattern.line, alphabet), pattern.line);
  std::vector<std::size_t> reads = rule.pattern_.names;
  if (among != nullptr) {
    for (const YamlNode& name : among->is_list() ? among->items : std::vector<YamlNode>{*among}) {
      const std::size_t id = alphabet.need(name);
      if (std::find(reads.begin(), reads.end(), id) == reads.end()) reads.push_back(id);
    }
  } else if (rule.pattern_.wild) {
    reads.push_back(Alphabet::kAnyEvent);
  }
  if (rule.pattern_.at_head && reads.size() == 1 && reads.front() != Alphabet::kAnyEvent) {
    refuse(
        pattern.line,
        fmt::format("'{}' begins with '^' and reads one class only, so it says no more than that '{}' occurs",
                    text, alphabet.at(reads.front()).name),
        "name under 'among:' what may come before it");
  }
  for (const std::size_t id : reads) rule.reads_.add(id);
  if (kind == Kind::never && rule.automaton_.accepts(rule.automaton_.begin())) {
    refuse(pattern.line, fmt::format("'{}' matches without any event, so it would always be violated", text),
           "let it name at least one event");
  }
  return rule;
}

Outcome SequenceRule::judge(const Reading& reading, const Slices& slices) const {
  return kind_ == Kind::never ? judge_never(reading, slices) : judge_finally(reading, slices);
}

Outcome SequenceRule::judge_never(const Reading& reading, const Slices& slices) const {
  std::vector<Automaton::States> states(slices.count(), automaton_.begin());
  bool exercised = false;
  const bool occurs = reading.occurs(reads_);
  for (std::size_t i = 0; occurs && i < reading.size(); ++i) {
    if (!reading.is_any(i, reads_)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    exercised = true;
    states[*slice] = automaton_.step(states[*slice], reading, i);
    if (!automaton_.accepts(states[*slice])) continue;
    const auto begin = match_begin(reading, slices, i);
    Outcome outcome = misplaced(reading, i, slice, begin == i ? std::nullopt : begin);
    outcome.first = begin;
    return outcome;
  }
  if (!exercised) return Outcome::not_exercised(fmt::format("no event that '{}' reads", pattern_.text));
  return {};
}

std::optional<std::size_t> SequenceRule::match_begin(const Reading& reading, const Slices& slices,
                                                     std::size_t end) const {
  std::vector<std::size_t> read;  // of the slice, up to the end of the match
  for (std::size_t i = 0; i <= end; ++i) {
    if (reading.is_any(i, reads_) && slices.of(i) == slices.of(end)) read.push_back(i);
  }
  for (std::size_t from = read.size(); from-- > 0;) {
    Automaton::States states = automaton_.anew();
    for (std::size_t at = from; at < read.size() && states != 0; ++at)
      states = automaton_.step_on(states, reading, read[at]);
    if (automaton_.accepts(states)) return read[from];
  }
  return std::nullopt;  // it begins before the first event
}

Outcome SequenceRule::judge_finally(const Reading& reading, const Slices& slices) const {
  struct Progress {
    Automaton::States states;
    std::optional<std::size_t> last;  // that was read
  };
  std::vector<Progress> progress(slices.count(), {automaton_.begin(), std::nullopt});
  const bool occurs = reading.occurs(reads_);
  for (std::size_t i = 0; occurs && i < reading.size(); ++i) {
    if (!reading.is_any(i, reads_)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    Progress& here = progress[*slice];
    here.states = automaton_.step(here.states, reading, i);
    if (here.states == 0) {
      return misplaced(reading, i, slice, here.last);
    }
    here.last = i;
  }
  bool exercised = false;
  for (std::size_t slice = 0; slice < progress.size(); ++slice) {
    exercised = exercised || progress[slice].last;
    if (!progress[slice].last && !slices.whole()) continue;
    if (automaton_.accepts(progress[slice].states)) continue;
    Outcome outcome = Outcome::violated(std::nullopt, slice, "the stream ended without what had to come");
    outcome.first = progress[slice].last;
    return outcome;
  }
  if (!exercised) return Outcome::not_exercised(fmt::format("no event that '{}' reads", pattern_.text));
  return {};
}

}  // namespace splitproof::contract
