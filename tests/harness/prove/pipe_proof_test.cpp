// Programs over a pipe that break a promise of the protocol are never proved. No program is refuted without two splits that
// show it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "harness/prove/prove.hpp"
#include "harness/testee/pipe_testee.hpp"

namespace splitproof::prove::pipe_proof_test {
namespace {

using testee::PipeTestee;
using testee::TargetFile;

class PipeProof : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
    auto supervisor = testee::Supervisor::start();
    ASSERT_TRUE(supervisor) << describe(supervisor.error());
    supervisor_ = *std::move(supervisor);
  }

  std::unique_ptr<PipeTestee> lying(const std::string& variant) {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    const std::string folder = std::string(root != nullptr ? root : ".") + "/tests/harness/prove/";
    TargetFile target;
    target.name = "lying";
    target.path = folder + "lying.yaml";
    target.kind = TargetFile::Kind::pipe;
    target.client = "anthropic.messages";
    target.upstream = "openai.chat";
    target.command = {"python3", folder + "lying_program.py", variant};
    target.timeout = std::chrono::milliseconds(60'000);
    auto testee = std::make_unique<PipeTestee>(std::move(target), *supervisor_, stop_);
    const auto started = testee->start();
    EXPECT_TRUE(started) << describe(started.error());
    return testee;
  }

  Proof proof_of(const std::string& variant, const std::string& body = "ab\ncd\n\nbab\nx",
                 const ProofSettings& settings = {}) {
    recording::Recording recording;
    recording.id = "lines";
    recording.protocol = "openai.chat";
    recording.body = body;
    const std::unique_ptr<PipeTestee> testee = lying(variant);
    const std::vector<Proven> proven = prove({testee.get()}, {&recording}, settings);
    EXPECT_EQ(proven.size(), 1U);
    return proven.front().proof;
  }

  void expect_doubt(const std::string& variant, const std::string& reason) {
    SCOPED_TRACE(variant);
    const Proof proof = proof_of(variant);
    EXPECT_EQ(proof.kind, Proof::Kind::not_proved);
    EXPECT_NE(proof.reason.find(reason), std::string::npos) << proof.reason;
  }

  // Checks that the two splits give the outcomes of the witness.
  static void expect_shown(const Proof& proof, const std::string& without, const std::string& with) {
    ASSERT_EQ(proof.kind, Proof::Kind::refuted) << proof.reason;
    ASSERT_TRUE(proof.witness);
    EXPECT_EQ(proof.witness->without.body, without);
    EXPECT_EQ(proof.witness->with.body, with);
  }

  std::unique_ptr<testee::Supervisor> supervisor_;
  testee::StopToken stop_;
};

TEST_F(PipeProof, HonestProgramIsProvedWithAllChunks) {
  const Proof proof = proof_of("honest");
  EXPECT_EQ(proof.kind, Proof::Kind::proved) << proof.reason;
  EXPECT_EQ(proof.feeds, 12U * 13U / 2U);
}

TEST_F(PipeProof, OneCutShowsChunksInTheOutput) {
  const Proof proof = proof_of("chunks", "ab");
  expect_shown(proof, "{|ab}", "{||ab}");
  EXPECT_EQ(proof.witness->cut, 1U);
}

TEST_F(PipeProof, EqualDigestsDoNotHideADifference) {
  expect_shown(proof_of("hidden"), "{ab\ncd\n\nbab\nx}", "{ab\ncd\n\nbab\nx!}");
}

TEST_F(PipeProof, CrashThatNeedsAChunkIsShown) {
  const Proof proof = proof_of("dies", "abcdef");
  ASSERT_EQ(proof.kind, Proof::Kind::refuted) << proof.reason;
  const auto dies = [](const Outcome& outcome) { return outcome.ending == testee::Ending::crashed; };
  EXPECT_NE(dies(proof.witness->without), dies(proof.witness->with));
}

TEST_F(PipeProof, BrokenPromisesAreFound) {
  expect_doubt("counts", "gives another state");
  expect_doubt("shares", "its copies share a state");
  expect_doubt("late", "its output is late: after byte 3,");
  expect_doubt("tick", "its output is late: after byte 1,");
  expect_doubt("changes", "it gives different output for equal chunks");
  EXPECT_EQ(proof_of("fails", "ab#").reason, "it fails: the program reports a failure: `a number sign`");
}

TEST_F(PipeProof, WithoutDigestFewCutsAreTried) {
  for (const std::string variant : {"no-digest", "no-fork"}) {
    SCOPED_TRACE(variant);
    EXPECT_EQ(cuts_to_try(*lying(variant), {}), 2U);
    EXPECT_EQ(lying(variant)->copies(), variant == "no-digest");
  }
  EXPECT_EQ(cuts_to_try(*lying("honest"), {}), 0U);
  ProofSettings one_cut;
  one_cut.cuts = 1;
  EXPECT_EQ(proof_of("third", "abcd", one_cut).kind, Proof::Kind::proved);
  ProofSettings two_cuts;
  two_cuts.cuts = 2;
  const Proof proof = proof_of("third", "abcd", two_cuts);
  expect_shown(proof, "{abcd}", "{abcd3}");
  EXPECT_EQ(proof.witness->cuts().size(), 2U);
}

}  // namespace
}  // namespace splitproof::prove::pipe_proof_test
