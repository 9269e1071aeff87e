#include "harness/selftest/tally.hpp"

#include <fmt/format.h>

namespace splitproof::selftest {

Count& Count::operator+=(const Count& other) {
  changes += other.changes;
  alone += other.alone;
  with_meaning += other.with_meaning;
  altering += other.altering;
  altering_seen += other.altering_seen;
  return *this;
}

void Tally::add(const Stream& stream, const Change& change, const Sight& sight) {
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

void Tally::add(const Tally& other) {
  streams += other.streams;
  for (const auto& [key, count] : other.counts) counts[key] += count;
  for (const auto& [place, group] : other.unseen) {
    Unseen& here = unseen[place];
    if (here.example.empty() || (here.altering == 0 && group.altering > 0)) here.example = group.example;
    here.changes += group.changes;
    here.altering += group.altering;
  }
}

Count Tally::total() const {
  Count all;
  for (const auto& entry : counts) all += entry.second;
  return all;
}

Count Tally::of(Part part) const {
  Count all;
  for (const auto& [key, count] : counts) {
    if (key.first == part) all += count;
  }
  return all;
}

Count Tally::structure_and_framing() const {
  Count all = of(Part::framing);
  all += of(Part::structure);
  return all;
}

Tally examine(const contract::Contracts& contracts, const contract::Profile& profile, const Stream& stream) {
  const Witness witness(contracts, profile, stream.protocol, stream.body);
  Tally tally;
  tally.streams = 1;
  for (const Change& change : small_changes(stream.protocol, stream.body))
    tally.add(stream, change, witness.look(change.body));
  return tally;
}

}  // namespace splitproof::selftest
