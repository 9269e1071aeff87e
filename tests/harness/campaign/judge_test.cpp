#include "harness/campaign/judge.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "project.hpp"

namespace splitproof::campaign::judge_test {
namespace {

constexpr const char* kDemanded = "as its author wants it";

// Returns the expected text of a recording with `expect`, for a testee that requests this model; empty: the recording's
// own.
std::string text_expected(const char* identity, const std::string& model) {
  recording::Recording recording = project().recording("openai.chat/text-identity-first-person");
  recording.expect = std::make_shared<nlohmann::json>(nlohmann::json{{"text", kDemanded}});
  contract::Profile profile = project().profile;
  profile.knobs["identity"] = identity;
  const testee::Traits traits{"any", "anthropic.messages", "openai.chat", false, false, {}, model};
  const Judge judge(project().contracts, profile, traits, recording);
  return judge.recorded().expected.parts.at(0).text;
}

TEST(Judge, ExpectedIdentityOnlyAppliesToTheRecordingsOwnModel) {
  EXPECT_EQ(text_expected("rewrite", ""), kDemanded);
  EXPECT_EQ(text_expected("rewrite", "claude-opus-4-6"), kDemanded);
  EXPECT_EQ(text_expected("rewrite", "fable-2"),
            "I am fable-2 and I will help. I'm fable-2, ready. Hi! my name is fable-2.");
  EXPECT_EQ(text_expected("pass", "fable-2"), kDemanded) << "no identity is rewritten";
}

}  // namespace
}  // namespace splitproof::campaign::judge_test
