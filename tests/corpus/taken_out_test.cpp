// Profiles that remove text from answers. The reference sends at once what no filter may hold back. A proxy that holds
// back everything, or everything from a harmless byte on, is found under each of them.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/corpus/holds_from.hpp"
#include "tests/corpus/reference_campaign.hpp"

namespace splitproof::recording::taken_out_test {
namespace {

using nlohmann::json;

struct Knob {
  std::string name;
  std::string answer;
  std::string doubt;  ///< the word that tempts a filter to wait
};

const std::vector<Knob> kKnobs = {{"marker", "pr54", "/etc "},
                                  {"identity", "rewrite", "I "},
                                  {"upstream-blocks", "strip", "< "},
                                  {"stop-sequences", "cut", "Even "}};

// Returns text with all of these, and nothing to remove: each word in its own chunk.
Recording harmless() {
  Recording recording;
  recording.id = "openai.chat/harmless";
  recording.protocol = "openai.chat";
  recording.headers = {{"content-type", "text/event-stream"}};
  const auto chunk = [&](const json& delta, const json& finish) {
    const json choice = {{"index", 0}, {"delta", delta}, {"finish_reason", finish}};
    const json event = {{"id", "chatcmpl-1"},
                        {"object", "chat.completion.chunk"},
                        {"created", 1770000000},
                        {"model", "fable"},
                        {"choices", json::array({choice})}};
    recording.body += "data: " + event.dump() + "\n\n";
  };
  for (const char* word : {"We ", "saw ", "a ", "< ", "b ", "in ", "/etc ", "once. ", "Even ", "so ", "I ",
                           "wait ", "no ", "more ", "than ", "you ", "do."})
    chunk({{"content", word}}, nullptr);
  chunk(json::object(), "stop");
  recording.body += "data: [DONE]\n\n";
  recording.arrivals = {{0, recording.body.size()}};
  const json turns = json::array({{{"role", "user"}, {"content", "How is the tide?"}}});
  recording.requests = std::make_shared<const json>(json{{"anthropic.messages",
                                                          {{"model", "claude-4"},
                                                           {"max_tokens", 256},
                                                           {"stream", true},
                                                           {"messages", turns},
                                                           {"stop_sequences", {"Every END"}}}}});
  return recording;
}

// Returns the violations of the reference with that knob if it holds everything back from this word on; an empty word
// holds nothing back.
std::set<std::string> violated(const Knob& knob, const std::string& word) {
  campaign::ReferenceCampaign holds;
  holds.profile.knobs[knob.name] = knob.answer;
  const auto open = testee::reference_streams(holds.profile).value();
  holds.reference = testee::InProcess("holds", [open, word]() -> std::unique_ptr<testee::TranslatorStream> {
    if (word.empty()) return open();
    return std::make_unique<testee::HoldsFrom>(
        open(), [word](const std::string& came) { return came.find(word) != came.npos; });
  });
  std::set<std::string> ids;
  const std::vector<Recording> recordings = {harmless()};
  for (const results::RecordingResult& result : holds.run(recordings, {{0, false, 1}, 0, false})) {
    for (const results::Row& row : result.rows) {
      if (row.verdict == contract::Verdict::violated) ids.insert(row.rule);
      if (row.rule != "SSE-15") continue;
      EXPECT_TRUE(row.verdict == contract::Verdict::met || row.verdict == contract::Verdict::violated);
    }
  }
  return ids;
}

TEST(TakenOutOfText, WhatNoFilterMayWaitForIsDueAtOnce) {
  for (const Knob& knob : kKnobs) EXPECT_EQ(violated(knob, ""), std::set<std::string>()) << knob.name;
}

TEST(TakenOutOfText, WhoHoldsAllTextIsFound) {
  for (const Knob& knob : kKnobs)
    EXPECT_EQ(violated(knob, "We "), std::set<std::string>{"SSE-15"}) << knob.name;
}

TEST(TakenOutOfText, WhoHoldsAllFromAHarmlessWordOnIsFound) {
  for (const Knob& knob : kKnobs)
    EXPECT_EQ(violated(knob, "\"content\":\"" + knob.doubt), std::set<std::string>{"SSE-15"}) << knob.name;
}

}  // namespace
}  // namespace splitproof::recording::taken_out_test
