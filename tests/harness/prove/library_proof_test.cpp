// Libraries that break a promise of the interface are never proved. No library is refuted without two splits that show it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "harness/prove/prove.hpp"
#include "harness/testee/library_testee.hpp"

namespace splitproof::prove::library_proof_test {
namespace {

using testee::LibraryTestee;

LibraryTestee lying(const std::string& variant, const std::string& library = "lying") {
  const char* folder = std::getenv("SPLITPROOF_LYING_LIBRARIES");
  auto opened = testee::Library::open(std::string(folder != nullptr ? folder : ".") + "/" + library + ".so");
  EXPECT_TRUE(opened) << describe(opened.error());
  testee::LibraryTarget target;
  target.name = "lying";
  target.client = "anthropic.messages";
  target.upstream = "openai.chat";
  target.variant = variant;
  target.deterministic = true;
  return {*opened, target};
}

recording::Recording recorded(const std::string& body) {
  recording::Recording recording;
  recording.id = "lines";
  recording.protocol = "openai.chat";
  recording.body = body;
  return recording;
}

Proof proof_of(const LibraryTestee& testee, const std::string& body = "ab\ncd\n\nbab\nx",
               ProofSettings settings = {}) {
  const recording::Recording recording = recorded(body);
  const std::vector<Proven> proven = prove({&testee}, {&recording}, settings);
  EXPECT_EQ(proven.size(), 1U);
  return proven.front().proof;
}

// Checks that the two splits give the outcomes of the witness.
void expect_shown(const Proof& proof, const std::string& without, const std::string& with) {
  ASSERT_EQ(proof.kind, Proof::Kind::refuted) << proof.reason;
  ASSERT_TRUE(proof.witness);
  EXPECT_EQ(proof.witness->without.body, without);
  EXPECT_EQ(proof.witness->with.body, with);
}

void expect_doubt(const std::string& variant, const std::string& reason) {
  SCOPED_TRACE(variant);
  const Proof proof = proof_of(lying(variant));
  EXPECT_EQ(proof.kind, Proof::Kind::not_proved);
  EXPECT_NE(proof.reason.find(reason), std::string::npos) << proof.reason;
}

TEST(LibraryProof, HonestLibraryIsProvedWithAllChunks) {
  const Proof proof = proof_of(lying("honest"));
  EXPECT_EQ(proof.kind, Proof::Kind::proved) << proof.reason;
  EXPECT_EQ(proof.feeds, 12U * 13U / 2U);
}

TEST(LibraryProof, OneCutShowsChunksInTheOutput) {
  const Proof proof = proof_of(lying("chunks"), "ab");
  expect_shown(proof, "{|ab}", "{||ab}");
  EXPECT_EQ(proof.witness->common, split::Cuts());
  EXPECT_EQ(proof.witness->cut, 1U);
}

TEST(LibraryProof, EqualDigestsDoNotHideADifference) {
  const Proof proof = proof_of(lying("hidden"));
  expect_shown(proof, "{ab\ncd\n\nbab\nx}", "{ab\ncd\n\nbab\nx!}");
  EXPECT_EQ(proof.witness->common, split::Cuts());
  EXPECT_EQ(proof.witness->cut, 1U);
}

TEST(LibraryProof, DigestOfWhatNeverShowsIsNoRefutation) { expect_doubt("counts", "gives another state"); }

TEST(LibraryProof, CopiesThatShareAStateAreFound) { expect_doubt("shares", "its copies share a state"); }

TEST(LibraryProof, LateOutputIsFound) {
  expect_doubt("late", "its output is late: after byte 3,");
  expect_doubt("tick", "its output is late: after byte 1,");
}

TEST(LibraryProof, OtherBrokenPromisesAreFound) {
  expect_doubt("stray", "it sends output while no chunk is fed");
  expect_doubt("no-copy", "it made no copy");
  expect_doubt("changes", "it gives different output for equal chunks");
  EXPECT_EQ(proof_of(lying("fails"), "ab#").reason, "it fails: a number sign");
}

TEST(LibraryProof, WithoutDigestFewCutsAreTried) {
  for (const std::string library : {"lying-no-digest", "lying-no-fork"}) {
    SCOPED_TRACE(library);
    EXPECT_EQ(cuts_to_try(lying("third", library), {}), 2U);
    EXPECT_EQ(proof_of(lying("honest", library)).kind, Proof::Kind::proved);
    ProofSettings one_cut;
    one_cut.cuts = 1;
    EXPECT_EQ(proof_of(lying("third", library), "abcd", one_cut).kind, Proof::Kind::proved);
    const Proof proof = proof_of(lying("third", library), "abcd");
    expect_shown(proof, "{abcd}", "{abcd3}");
    EXPECT_EQ(proof.witness->cuts().size(), 2U);
  }
}

TEST(LibraryProof, LongBodyIsOnlySampled) {
  std::string body;
  while (body.size() <= kMostProved) body += "line\n";
  ProofSettings settings;
  settings.window = 64;
  const Proof proof = proof_of(lying("honest"), body, settings);
  EXPECT_EQ(proof.kind, Proof::Kind::sampled) << proof.reason;
  EXPECT_EQ(proof.feeds, kWindows * 64U * 65U / 2U);
  EXPECT_EQ(proof_of(lying("chunks"), body, settings).kind, Proof::Kind::refuted);
}

}  // namespace
}  // namespace splitproof::prove::library_proof_test
