#include "harness/contract/sequence_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace splitproof::contract {

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
    if (automaton_.accepts(states[*slice])) {
      return Outcome::violated(i, slice,
                               fmt::format("completes '{}', which must never happen", pattern_.text));
    }
  }
  if (!exercised) return Outcome::not_exercised(fmt::format("no event that '{}' reads", pattern_.text));
  return {};
}

Outcome SequenceRule::judge_finally(const Reading& reading, const Slices& slices) const {
  struct Progress {
    Automaton::States states;
    bool begun = false;
  };
  std::vector<Progress> progress(slices.count(), {automaton_.begin(), false});
  const bool occurs = reading.occurs(reads_);
  for (std::size_t i = 0; occurs && i < reading.size(); ++i) {
    if (!reading.is_any(i, reads_)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    Progress& here = progress[*slice];
    here.begun = true;
    here.states = automaton_.step(here.states, reading, i);
    if (here.states == 0) {
      return Outcome::violated(i, slice, fmt::format("with it, '{}' can no longer be met", pattern_.text));
    }
  }
  bool exercised = false;
  for (std::size_t slice = 0; slice < progress.size(); ++slice) {
    exercised = exercised || progress[slice].begun;
    if (!progress[slice].begun && !slices.whole()) continue;
    if (!automaton_.accepts(progress[slice].states)) {
      return Outcome::violated(std::nullopt, slice,
                               fmt::format("the stream ended before '{}' was met", pattern_.text));
    }
  }
  if (!exercised) return Outcome::not_exercised(fmt::format("no event that '{}' reads", pattern_.text));
  return {};
}

}  // namespace splitproof::contract
