// The reference is proved in all directions. Mutants whose output depends on the split are refuted.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "harness/prove/prove.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/in_process.hpp"
#include "mutant_targets.hpp"
#include "project.hpp"

namespace splitproof::prove::reference_proof_test {
namespace {

using Recordings = std::vector<const recording::Recording*>;

// Recordings of an upstream, the shortest first.
Recordings recordings_of(const std::string& upstream) {
  Recordings all;
  for (const recording::Recording& recording : project().of_all_upstreams)
    if (recording.protocol == upstream && !recording.body.empty()) all.push_back(&recording);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto* a, const auto* b) { return a->body.size() < b->body.size(); });
  return all;
}

std::unique_ptr<testee::InProcess> reference(const std::string& upstream, const std::string& client) {
  auto streams = testee::reference_streams(project().profile, upstream, client);
  EXPECT_TRUE(streams) << describe(streams.error());
  return std::make_unique<testee::InProcess>("reference", *streams, upstream, client);
}

void expect_proved(const ProofSettings& settings, const std::function<Recordings(Recordings)>& choose) {
  for (const std::string& upstream : testee::reference_upstreams()) {
    std::vector<std::unique_ptr<testee::InProcess>> directions;
    std::vector<const testee::Testee*> testees;
    for (const std::string& client : testee::reference_clients(upstream)) {
      directions.push_back(reference(upstream, client));
      testees.push_back(directions.back().get());
    }
    const Recordings recordings = choose(recordings_of(upstream));
    ASSERT_FALSE(recordings.empty()) << upstream;
    const std::vector<Proven> proven = prove(testees, recordings, settings);
    EXPECT_EQ(proven.size(), testees.size() * recordings.size());
    for (const Proven& one : proven)
      EXPECT_TRUE(one.proof.kind == Proof::Kind::proved || one.proof.kind == Proof::Kind::left_out)
          << recordings[one.recording]->id << " for " << testees[one.testee]->client() << ": "
          << one.proof.reason;
  }
}

TEST(ReferenceProof, ShortRecordingsAreProvedInAllDirections) {
  expect_proved({}, [](Recordings all) {
    all.resize(std::min<std::size_t>(all.size(), 4));
    return all;
  });
}

// These are not checked with all their chunks, only by the parts of the reference.
TEST(ReferenceProof, LongerRecordingsAreProvedInAllDirections) {
  expect_proved({}, [](Recordings all) {
    std::erase_if(all, [](const auto* one) { return one->body.size() <= kShort; });
    all.resize(std::min<std::size_t>(all.size(), 2));
    return all;
  });
}

// A relay may find a CR LF in two pieces or in one. So its parts prove nothing, and all chunks decide.
TEST(ReferenceProof, RelayedLineEndsOfTwoBytesAreProved) {
  const auto relay = reference("openai.chat", "openai.chat");
  const Proof proof =
      prove({relay.get()}, {&project().recording("openai.chat/framing-crlf")}, {}).front().proof;
  EXPECT_EQ(proof.kind, Proof::Kind::proved) << proof.reason;
}

TEST(ReferenceProof, AllChunksAgreeWithTheParts) {
  ProofSettings settings;
  settings.composed = false;
  expect_proved(settings, [](Recordings all) {
    all.resize(std::min<std::size_t>(all.size(), 2));
    return all;
  });
}

std::string output_of(const testee::Testee& testee, const recording::Recording& recording,
                      const split::Cuts& cuts) {
  testee::Exchange exchange;
  exchange.chunks = split::chunks(recording.body, cuts);
  exchange.end = recording.end;
  exchange.recording = &recording;
  return testee.observe(exchange).body;
}

// Returns the first recording whose output in one piece differs from that byte by byte, or null.
const recording::Recording* shown_by(const testee::Testee& testee) {
  for (const recording::Recording* recording : recordings_of(testee.upstream())) {
    split::Cuts bytes;
    for (std::size_t cut = 1; cut < recording->body.size(); ++cut) bytes.push_back(cut);
    if (output_of(testee, *recording, {}) != output_of(testee, *recording, bytes)) return recording;
  }
  return nullptr;
}

TEST(MutantProof, MutantsThatDependOnTheSplitAreRefuted) {
  std::vector<std::string> refuted;
  for (const testee::Variant& mutant : mutants::mutants_library()->variants()) {
    if (mutant.obligation != "META-03" && mutant.name != "per-chunk-utf8") continue;
    SCOPED_TRACE(mutant.name);
    const testee::LibraryTestee testee = mutants::mutant_target(mutant, mutants::profile_of(mutant));
    const recording::Recording* recording = shown_by(testee);
    ASSERT_NE(recording, nullptr);
    const Proof proof = prove({&testee}, {recording}, {}).front().proof;
    ASSERT_EQ(proof.kind, Proof::Kind::refuted) << recording->id << ": " << proof.reason;
    ASSERT_TRUE(proof.witness);
    EXPECT_EQ(proof.witness->cuts().size(), proof.witness->common.size() + 1);
    EXPECT_NE(output_of(testee, *recording, proof.witness->common),
              output_of(testee, *recording, proof.witness->cuts()));
    refuted.push_back(mutant.name);
    std::cout << mutant.name << ": " << recording->id << ", " << proof.witness->cuts().size() << " cuts\n";
  }
  EXPECT_GE(refuted.size(), 7U);
}

TEST(MutantProof, UnchangedTranslatorOfTheLibraryIsProved) {
  testee::Variant unchanged;
  unchanged.upstream = testee::reference_upstreams().front();
  unchanged.client = testee::reference_clients().front();
  const testee::LibraryTestee testee = mutants::mutant_target(unchanged, project().profile);
  Recordings recordings = recordings_of(testee.upstream());
  recordings.resize(4);
  for (const Proven& one : prove({&testee}, recordings, {}))
    EXPECT_EQ(one.proof.kind, Proof::Kind::proved) << one.proof.reason;
}

}  // namespace
}  // namespace splitproof::prove::reference_proof_test
