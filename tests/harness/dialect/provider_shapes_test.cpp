// What recordings of odd but real shapes mean, with the kinds of parts and notes that contracts/lossy.yaml decides on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/expected.hpp"
#include "harness/recording/corpus.hpp"
#include "tests/harness/dialect/chat_stream.hpp"

namespace splitproof::dialect::provider_shapes_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

using Kinds = std::set<std::string>;

struct Row {
  const char* recording;
  std::string means;
  Kinds kinds;
  bool ambiguous = false;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      // Content parts.
      {"openai.chat/thinking-content-summary",
       "thinking[Wind over tide.|V2luZA==] text[Steep seas.] =stop done",
       {"text", "thinking", "signature"}},
      {"openai.chat/thinking-content-list",
       "thinking[Two buoys ahead.] text[Keep left.] =stop done",
       {"text", "thinking", "content.reference"}},
      {"openai.chat/text-content-output-text",
       "text[Slack water.] =stop done",
       {"text", "part.annotations", "content.citations"}},
      {"openai.chat/text-content-refusal", "refusal[Not in this fog.] =stop done", {"refusal"}},
      {"openai.chat/image-in-content",
       "text[See the chart.] =stop done",
       {"text", "content.image_url"},
       true},
      {"openai.chat/text-content-unknown",
       "text[Low water.] =stop done",
       {"text", "content.tide_part"},
       true},
      // Calls of Responses that wait for the client.
      {"openai.responses/server-computer-alone", "", {"computer_call"}},
      {"openai.responses/server-apply-patch", "", {"apply_patch_call", "text"}},
      {"openai.responses/server-shell", "", {"shell_call", "text"}},
      {"openai.responses/server-local-shell", "", {"local_shell_call", "text"}},
      {"openai.responses/server-mcp-approval", "", {"mcp_approval_request", "text"}},
      {"openai.responses/server-tool-search-of-client", "", {"client_tool_search_call"}},
      {"openai.responses/server-shell-with-output", "", {"answered_call", "shell_call_output", "text"}, true},
      // Images and audio of Responses.
      {"openai.responses/server-image-alone", "", {"generated_image"}},
      {"openai.responses/server-image-fails", "", {"failed_image", "text"}},
      {"openai.responses/server-image-fails-alone", "", {"failed_image"}},
      {"openai.responses/audio-alone", "=completed done", {"audio.data", "audio.transcript"}},
      {"openai.responses/audio-with-text", "text[Ahoy.] =completed done", {"audio.data", "text"}},
      // Deltas of Anthropic Messages for blocks that never started.
      {"anthropic.messages/block-never-started", "text[Ebb tide.] =end_turn done", {"text"}, true},
      {"anthropic.messages/block-never-started-thinking",
       "thinking[Slack soon.] text[Wait.] =end_turn done",
       {"thinking", "text"},
       true},
      {"anthropic.messages/block-never-started-call",
       "text[I look.] done !arguments come for a call that never started",
       {"text"}},
      // Unknown types with known members.
      {"anthropic.messages/unknown-delta-of-text", "text[Yes.] =end_turn done", {"delta.tide_delta", "text"}},
      {"anthropic.messages/unknown-event-with-delta",
       "text[High.] =end_turn done",
       {"event.tide_delta", "text"}},
      {"openai.responses/unknown-event-with-delta",
       "text[Low.] =completed done",
       {"event.response.tide.delta", "text"}},
      {"openai.responses/reasoning-encrypted-changes",
       "thinking[|gAAAAABwhole==] text[Aye.] =completed done",
       {"signature", "text", "thinking"}},
      {"openai.chat/text-spliced",
       "text[The harbour master ] text[Ask the pilot.] =stop done",
       {"text"},
       true},
      // Arguments after a placeholder.
      {"openai.chat/tool-arguments-placeholder",
       R"(call[call_gauge9|read_tide|{"harbour":"Leith"}] =tool_calls done)",
       {"call"}},
      {"openai.chat/tool-arguments-placeholder-twice",
       R"(call[call_gauge1|read_tide|{"harbour":"Leith"}] call[call_vane1|read_wind|{"knots":true}] =tool_calls done)",
       {"call"}},
      {"openai.chat/tool-arguments-placeholder-alone",
       "call[call_list1|list_harbours|{}] =tool_calls done",
       {"call"}},
      // Thinking that comes twice.
      {"openai.chat/thinking-details-late",
       "thinking[Count the lights.|TGlnaHRz] text[Four.] =stop done",
       {"reasoning.index", "signature", "text", "thinking"}},
      {"openai.chat/thinking-details-behind",
       "thinking[Check the draught first.] text[Two metres.] =stop done",
       {"reasoning.index", "text", "thinking"}},
      // Ends and errors.
      {"openai.chat/done-after-role", "done", {}},
      {"openai.chat/done-after-usage", "done", {}},
      {"openai.chat/error-base-resp", "text[Three ] !The lock is full, try again later.", {"text"}},
      {"openai.chat/error-base-resp-in-place-of-a-stream", "!The harbour account is empty.", {}},
      // Metadata, which needs no row.
      {"openai.chat/chunk-base-resp", "text[Fair wind.] =stop done", {"text"}},
      {"openai.chat/chunk-copilot-members", "text[Calm sea.] =stop done", {"text"}},
      {"openai.chat/chunk-server-members", "text[Ebb tide.] =stop done", {"text"}},
      {"openai.responses/metadata-events", "text[Steady.] =completed done", {"text"}},
  };
  return kRows;
}

const recording::Recording* recording_of(const std::string& id) {
  static const auto kCorpus = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    return recording::load_corpus(
        {(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()});
  }();
  const auto found = std::find_if(kCorpus.recordings.begin(), kCorpus.recordings.end(),
                                  [&](const auto& recording) { return recording.id == id; });
  return found == kCorpus.recordings.end() ? nullptr : &*found;
}

Answer read_recording(const recording::Recording& recording) {
  return read(*upstream_of(recording.protocol), recording.body);
}

/// Kinds that only say how an item is labelled, or what it counted.
bool is_label(const std::string& kind) { return kind.starts_with("members.") || kind == "usage"; }

TEST(ProviderShapes, MeanWhatTheirProvidersMeant) {
  for (const Row& row : rows()) {
    const recording::Recording* const recording = recording_of(row.recording);
    ASSERT_NE(recording, nullptr) << row.recording;
    const Answer answer = read_recording(*recording);
    if (!row.means.empty()) {
      EXPECT_EQ(in_short(answer), row.means) << row.recording;
    }
    Kinds kinds = kinds_of(answer);
    std::erase_if(kinds, is_label);
    EXPECT_EQ(kinds, row.kinds) << row.recording;
    EXPECT_EQ(answer.shapes.contains("ambiguous"), row.ambiguous) << row.recording;
  }
}

Expected expected_of_recording(const std::string& id, const std::map<std::string, LossPolicy>& losses = {}) {
  const recording::Recording* const recording = recording_of(id);
  if (recording == nullptr) return {};
  ClientCapabilities carries;
  carries.losses.insert(losses.begin(), losses.end());
  return expected_of(read_recording(*recording), recording->end, {}, carries);
}

TEST(ProviderShapes, AnAnswerWithoutContentIsAnError) {
  for (const char* id :
       {"openai.chat/done-alone", "openai.chat/done-after-role", "openai.chat/done-after-usage"})
    EXPECT_EQ(expected_of_recording(id).failure, Failure::nothing) << id;
  const std::map<std::string, LossPolicy> losses = {{"failed_image", LossPolicy::dropped}};
  EXPECT_EQ(expected_of_recording("openai.responses/server-image-fails-alone", losses).failure,
            Failure::nothing);
  EXPECT_EQ(expected_of_recording("openai.responses/server-image-fails", losses).failure, std::nullopt);
}

TEST(ProviderShapes, OfTwoAnswersTheFirstAloneIsAsGood) {
  const Expected expected = expected_of_recording("openai.chat/text-spliced");
  EXPECT_TRUE(expected.ambiguous);
  ASSERT_TRUE(expected.with_think_tags);
  ASSERT_EQ(expected.with_think_tags->size(), 1U);
  EXPECT_EQ(expected.with_think_tags->front().text, "The harbour master ");
}

/// A stream with an id for each of these chunks, each with a role and text.
Answer with_ids(const std::vector<std::string>& ids) {
  std::string body;
  for (const std::string& id : ids)
    body +=
        frame(R"({"id":")" + id + R"(","choices":[{"index":0,"delta":{"role":"assistant","content":"a"}}]})");
  return read_chat(body + finish("stop") + kDone);
}

TEST(ProviderShapes, AnIdForEachChunkIsNoOtherAnswer) {
  EXPECT_FALSE(with_ids({"a", "b", "c"}).shapes.contains("spliced"));
  EXPECT_FALSE(with_ids({"a", "a", "a"}).shapes.contains("spliced"));
  EXPECT_FALSE(with_ids({"a", "a", ""}).shapes.contains("spliced"));
  EXPECT_TRUE(with_ids({"a", "a", "b"}).shapes.contains("spliced"));
}

std::string arguments_of(const std::vector<std::string>& pieces) {
  std::string body;
  for (const std::string& piece : pieces)
    body += call(R"({"index":0,"id":"c","function":{"name":"f","arguments":")" + piece + R"("}})");
  const Answer answer = read_chat(body + finish("tool_calls") + kDone);
  return answer.parts.at(0).arguments + (answer.shapes.contains("ambiguous") ? " ambiguous" : "");
}

TEST(ProviderShapes, AnObjectReplacesAPlaceholder) {
  EXPECT_EQ(arguments_of({"{}", R"({\"a\":1})"}), R"({"a":1})");
  EXPECT_EQ(arguments_of({"{}", "{", R"(\"a\":1})"}), R"({"a":1})");
  EXPECT_EQ(arguments_of({"{}", " ", R"({\"a\":1})"}), R"({"a":1})");
  EXPECT_EQ(arguments_of({"{}", ""}), "{}");
  EXPECT_EQ(arguments_of({"{}", "{}"}), "{} ambiguous");
  EXPECT_EQ(arguments_of({"{", "}"}), "{}");
  EXPECT_EQ(arguments_of({"{}", R"({\"a\")"}), R"({"a" ambiguous)");
  EXPECT_EQ(arguments_of({"{}", "x"}), "{}x");
}

}  // namespace
}  // namespace splitproof::dialect::provider_shapes_test
