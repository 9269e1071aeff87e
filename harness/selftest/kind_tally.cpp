#include "harness/selftest/kind_tally.hpp"

#include "harness/selftest/detection.hpp"
#include "harness/selftest/kinds/kind.hpp"

namespace splitproof::selftest {
namespace {

void count(KindCount& kind, Effect effect, const Detection& sight, const std::string& stream) {
  ++kind.made;
  const bool legal = effect == Effect::none;
  const bool needs_no_meaning = effect == Effect::shape || (legal && sight.alters);
  const std::string& rule = needs_no_meaning ? sight.alone : sight.with_meaning;
  const bool seen = !rule.empty();
  if (seen && !sight.alone.empty()) {
    ++(sight.decides ? kind.must : kind.should);
  } else if (seen) {
    ++kind.meaning;
  } else if (!legal) {
    ++kind.silent;
  }
  if (seen == legal && kind.example.empty()) kind.example = legal ? stream + " (" + rule + ")" : stream;
}

}  // namespace

KindCount& KindCount::operator+=(const KindCount& other) {
  made += other.made;
  must += other.must;
  should += other.should;
  meaning += other.meaning;
  silent += other.silent;
  if (example.empty()) example = other.example;
  return *this;
}

KindTally no_kinds_made(std::string_view protocol) {
  KindTally tally;
  for (const Kind& kind : kinds_of(protocol)) tally[kind.name];
  return tally;
}

KindTally examine_kinds(const contract::Contracts& contracts, const contract::Profile& profile,
                        const Stream& stream) {
  KindTally tally;
  const StreamExaminer witness(contracts, profile, stream.protocol, stream.body);
  const Draft draft = draft_of(stream.protocol, stream.body);
  for (const Kind& kind : kinds_of(stream.protocol)) {
    KindCount& here = tally[kind.name];
    for (const std::string& body : kind.make(draft))
      count(here, kind.effect, witness.look(body), stream.name);
  }
  return tally;
}

void add(KindTally& tally, const KindTally& other) {
  for (const auto& [kind, count] : other) tally[kind] += count;
}

}  // namespace splitproof::selftest
