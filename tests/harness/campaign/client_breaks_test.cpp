#include "harness/campaign/client_breaks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "bad_streams.hpp"
#include "decorator.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/testee/in_process.hpp"
#include "project.hpp"

namespace splitproof::campaign::client_breaks_test {
namespace {

using testee::Json;
using testee::Send;
using testee::Wrap;

const contract::Clients& clients() {
  static const contract::Clients all =
      contract::Clients::load({std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/contracts"},
                              project().contracts)
          .value();
  return all;
}

// Sends an event of the proxy's own type before events of this type. The AI SDK throws on it, Claude Code ignores it.
Wrap own_event_before(const std::string& type) {
  return testee::edits([type](const Json& event, const Send& send) {
    if (testee::type_of(event) == type) send(Json{{"type", "tide_turned"}});
    send(event);
  });
}

struct Setup {
  Wrap wrap;
  std::string recording = "openai.chat/text-plain";
  std::string profile = "default";
  const contract::Clients* clients = nullptr;
};

results::RecordingResult result_of(const Setup& setup) {
  const testee::InProcess testee("own-event", [&] { return setup.wrap(project().reference()); });
  CampaignSettings settings = project().settings(testee);
  settings.only = setup.recording + "?client=anthropic.messages&gen=whole";
  settings.profile.name = setup.profile;
  settings.clients = setup.clients;
  return run_quietly(settings).at(0);
}

const results::Row& row_of(const results::RecordingResult& result, const std::string& rule) {
  return *std::find_if(result.rows.begin(), result.rows.end(),
                       [&](const results::Row& row) { return row.rule == rule; });
}

TEST(ClientBreaks, AdviceDecidesIfAClientThrowsOnThisStream) {
  for (const bool known : {false, true}) {
    const auto result =
        result_of({.wrap = own_event_before("message_delta"), .clients = known ? &clients() : nullptr});
    const results::Row& row = row_of(result, "ANT-30");
    ASSERT_EQ(row.verdict, contract::Verdict::violated);
    EXPECT_EQ(row.level, contract::Level::should);
    EXPECT_EQ(row.breaks_client, known);
    EXPECT_EQ(results::decides(row, false), known);
    EXPECT_FALSE(row_of(result, "ANT-20").breaks_client);
  }
}

TEST(ClientBreaks, ProfileOfAClientCountsThisClientAlone) {
  for (const auto& [profile, breaks] : {std::pair("ai-sdk", true), {"claude-code", false}, {"house", true}}) {
    const auto result =
        result_of({.wrap = own_event_before("message_delta"), .profile = profile, .clients = &clients()});
    EXPECT_EQ(row_of(result, "ANT-30").breaks_client, breaks) << profile;
  }
}

TEST(ClientBreaks, StreamWithAnotherErrorOfFormIsAnotherStream) {
  const Wrap own_event = own_event_before("message_delta");
  const Wrap ping_first =
      std::find_if(testee::bad_streams().begin(), testee::bad_streams().end(), [](const auto& one) {
        return one.name == "ping-first";
      })->wrap;
  const auto result = result_of(
      {.wrap = [&](auto inner) { return ping_first(own_event(std::move(inner))); }, .clients = &clients()});
  EXPECT_EQ(row_of(result, "ANT-30").verdict, contract::Verdict::violated);
  EXPECT_FALSE(row_of(result, "ANT-30").breaks_client);
}

TEST(ClientBreaks, AnswerWithAnErrorBreaksNoClient) {
  const auto result = result_of({.wrap = own_event_before("error"),
                                 .recording = "openai.chat/error-after-text",
                                 .clients = &clients()});
  EXPECT_EQ(row_of(result, "ANT-30").verdict, contract::Verdict::violated);
  EXPECT_FALSE(row_of(result, "ANT-30").breaks_client);
}

}  // namespace
}  // namespace splitproof::campaign::client_breaks_test
