#include "harness/selftest/tally.hpp"

#include <fmt/format.h>

namespace splitproof::selftest {

ChangeCount& ChangeCount::operator+=(const ChangeCount& other) {
  changes += other.changes;
  alone += other.alone;
  with_meaning += other.with_meaning;
  altering += other.altering;
  altering_seen += other.altering_seen;
  return *this;
}

void ChangeTally::add(const Stream& stream, const Change& change, const Detection& sight) {
  const bool seen = !sight.with_meaning.empty();
  counts[{change.part, std::string(change.kind)}] += {1, sight.alone.empty() ? 0u : 1u, seen ? 1u : 0u,
                                                      sight.alters ? 1u : 0u, sight.alters && seen ? 1u : 0u};
  if (seen) return;
  Unseen& group = unseen[{std::string(change.kind), change.event_class, change.field_class}];
  ++group.changes;
  group.altering += sight.alters ? 1 : 0;
  if (!group.example.empty() && !(sight.alters && group.altering == 1)) return;
  group.example = fmt::format("{}, event {}", stream.name, change.event);
  if (!change.field.empty()) group.example += ", " + change.field;
  if (!change.to.empty()) group.example += " becomes " + change.to;
}

void ChangeTally::add(const ChangeTally& other) {
  streams += other.streams;
  for (const auto& [key, count] : other.counts) counts[key] += count;
  for (const auto& [place, group] : other.unseen) {
    Unseen& here = unseen[place];
    if (here.example.empty() || (here.altering == 0 && group.altering > 0)) here.example = group.example;
    here.changes += group.changes;
    here.altering += group.altering;
  }
}

ChangeCount ChangeTally::total() const {
  ChangeCount all;
  for (const auto& entry : counts) all += entry.second;
  return all;
}

ChangeCount ChangeTally::of(ChangePart part) const {
  ChangeCount all;
  for (const auto& [key, count] : counts) {
    if (key.first == part) all += count;
  }
  return all;
}

ChangeCount ChangeTally::structure_and_framing() const {
  ChangeCount all = of(ChangePart::framing);
  all += of(ChangePart::structure);
  return all;
}

ChangeTally examine(const contract::Contracts& contracts, const contract::Profile& profile,
                    const Stream& stream) {
  const StreamExaminer witness(contracts, profile, stream.protocol, stream.body);
  ChangeTally tally;
  tally.streams = 1;
  for (const Change& change : small_changes(stream.protocol, stream.body))
    tally.add(stream, change, witness.look(change.body));
  return tally;
}

}  // namespace splitproof::selftest
