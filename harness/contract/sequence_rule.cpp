#include "harness/contract/sequence_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/contract/wording.hpp"

namespace splitproof::contract {
namespace {

/// Returns a violation by a misplaced event; `after` is the event that forbids it.
ClauseResult misplaced(const Reading& reading, std::size_t subject, std::optional<std::size_t> slice,
                       std::optional<std::size_t> after) {
  std::string detail = title_of(reading.event_of(subject)) + " must not occur here";
  if (after) detail += ", after " + place_of(reading, *after);
  ClauseResult outcome = ClauseResult::violated(subject, slice, std::move(detail));
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
    refuse(pattern.line,
           fmt::format("'{}' begins with '^' and reads only one class, so it only requires that '{}' occurs",
                       text, alphabet.at(reads.front()).name),
           "name the classes that may come before it under 'among:'");
  }
  for (const std::size_t id : reads) rule.reads_.add(id);
  if (kind == Kind::never && rule.automaton_.accepts(rule.automaton_.begin())) {
    refuse(pattern.line, fmt::format("'{}' matches without any event, so it would always be violated", text),
           "let it name at least one event");
  }
  return rule;
}

void SequenceRule::take(Progress& progress, const Reading& reading, const Slices& slices) const {
  if (progress.violation || !reading.occurs_here(reads_)) return;
  for (std::size_t i = reading.begin(); i < reading.end(); ++i) {
    if (!reading.is_any(i, reads_)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    if (progress.slices.size() < slices.count())
      progress.slices.resize(slices.count(), {automaton_.begin(), {}, std::nullopt});
    progress.exercised = true;
    Progress::Slice& here = progress.slices[*slice];
    if (kind_ == Kind::never) {
      here.states = automaton_.step(here.states, reading, i, here.begins);
      if (!automaton_.accepts(here.states)) continue;
      const std::size_t begin = automaton_.begin_of_match(here.states, here.begins);
      progress.violation = {i, *slice, begin == 0 ? std::nullopt : std::optional(begin - 1)};
      return;
    }
    here.states = automaton_.step(here.states, reading, i);
    if (here.states == 0) {
      progress.violation = {i, *slice, here.last};
      return;
    }
    here.last = i;
  }
}

ClauseResult SequenceRule::finish(Progress& progress, const Reading& reading, const Slices& slices) const {
  if (progress.violation) {
    const auto& [subject, slice, first] = *progress.violation;
    ClauseResult outcome = misplaced(reading, subject, slice, first == subject ? std::nullopt : first);
    outcome.first = first;
    return outcome;
  }
  if (kind_ == Kind::finally) {
    progress.slices.resize(slices.count(), {automaton_.begin(), {}, std::nullopt});
    for (std::size_t slice = 0; slice < progress.slices.size(); ++slice) {
      const Progress::Slice& here = progress.slices[slice];
      if (!here.last && !slices.whole()) continue;
      if (automaton_.accepts(here.states)) continue;
      ClauseResult outcome =
          ClauseResult::violated(std::nullopt, slice, "the stream ended before a required event");
      outcome.first = here.last;
      return outcome;
    }
  }
  if (!progress.exercised)
    return ClauseResult::not_exercised(fmt::format("no event that '{}' reads", pattern_.text));
  return {};
}

}  // namespace splitproof::contract
