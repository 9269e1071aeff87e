// One unknown member in one object of one event, for every object of every event of the corpus. The reader keeps it.
// Then the recording is not tried, or a row of lossy.yaml decides, and a relay that drops it is found.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/framing.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/recording/corpus.hpp"
#include "tests/harness/aws_frame_bodies.hpp"
#include "tests/harness/dialect/relayed_side.hpp"

namespace splitproof::dialect::unknown_members_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

constexpr std::string_view kMember = "hologram";

struct Place {
  const char* protocol;  ///< A regular expression, as the others.
  const char* type;      ///< Type of the event.
  const char* path;      ///< Path of the object.
  const char* reason;
};

// Places where such a member need not be kept.
constexpr auto kElsewhere = std::to_array<Place>({
    {".*", ".*", ".*error.*", "the words of an error are free"},
    {".*", "error|response\\.failed", ".*", "the words of an error are free"},
    {"google\\.gemini", ".*", "/usageMetadata.*", "counts; the rules of USE compare them"},
    {"google\\.gemini", ".*", "/promptFeedback.*|/candidates/\\d+/safetyRatings/.*",
     "metadata of the server"},
    {"bedrock\\.invoke", ".*", ".*", "the envelope of an event"},
    {"bedrock.*", "metadata", "/(usage|metrics).*", "counts; the rules of USE compare them"},
    {"openai\\.responses", ".*", "/response/(error|incomplete_details).*", "the words of an end are free"},
    {"openai\\.responses", ".*", "/response/metadata", "names that the client chose itself"},
    {"openai\\.chat", ".*",
     "(/choices/\\d+)?(/delta)?/(prompt_filter_results|content_filter|x_groq|copilot_|base_resp|raw_output|token_ids|hidden_"
     "states|prompt_logprobs|kv_transfer_params|nvext|metadata|__verbose|perf_metrics|timings).*",
     "metadata; unread.cpp has a reason for each"},
    {"openai\\.responses", "response\\.metadata|codex\\.rate_limits", ".*",
     "metadata, which no client shows"},
    {"openai\\.responses", ".*", "/(item|part)/.+", "the item says it again as a whole, and the last counts"},
    {"anthropic\\.messages", "content_block_start", "/content_block/input", "deltas say it, and they count"},
    {"kiro.*", "metadataEvent", "/tokenUsage.*", "counts"},
    {"anthropic\\.messages", "ping", "", "keeps the connection open, and may be left out"},
    {"openai\\.responses", "keepalive|ping", "", "keeps the connection open, and may be left out"},
});

using Frames = std::vector<SseEvent>;

Frames frames_of(const recording::Recording& recording, Framing framing) {
  Frames frames;
  for_each_frame(recording.body, framing, [&](const SseEvent& frame) {
    frames.push_back(frame);
    return true;
  });
  return frames;
}

Answer read_frames(const UpstreamDialect& upstream, const Frames& frames,
                   const recording::Recording& recording) {
  const auto reader = upstream.reader({});
  for (const SseEvent& frame : frames) reader->take(frame);
  reader->take_plain_body(recording.body);
  return reader->finished();
}

// Calls `take` for each object, with its path and the offset after its brace.
void for_each_object(const WireJson& value, const std::string& path, std::string_view text,
                     const std::function<void(const std::string&, std::size_t, bool)>& take) {
  if (value.is(WireJson::Kind::object))
    take(path, static_cast<std::size_t>(value.raw.data() - text.data()) + 1, value.children.empty());
  std::size_t place = 0;
  for (const WireJson& child : value.children) {
    const std::string key = value.is(WireJson::Kind::object) ? child.key : std::to_string(place++);
    for_each_object(child, path + "/" + key, text, take);
  }
}

bool keeps_it(const Answer& answer) {
  const auto has = [](const std::string& text) { return text.find(kMember) != std::string::npos; };
  return std::any_of(answer.extra.begin(), answer.extra.end(),
                     [&](const auto& note) { return has(note.first) || has(note.second); }) ||
         std::any_of(answer.parts.begin(), answer.parts.end(), [&](const Part& part) {
           return has(part.text) || has(part.arguments) || has(part.type);
         });
}

std::string body_of(const Frames& frames, Framing framing) {
  std::string body;
  for (const SseEvent& frame : frames) {
    if (framing == Framing::aws_frames) {
      body += event_frame(frame.event.value_or(""), frame.data);
      continue;
    }
    if (frame.event) body += "event: " + *frame.event + "\n";
    std::string_view data = frame.data;
    for (std::size_t end = 0; end != std::string_view::npos; data.remove_prefix(end + 1)) {
      end = data.find('\n');
      body += "data: " + std::string(data.substr(0, end)) + "\n";
      if (end == std::string_view::npos) break;
    }
    if (frame.terminated) body += "\n";
  }
  return body;
}

// The corpus has no stream of this dialect.
recording::Recording converse_stream() {
  recording::Recording recording;
  recording.id = "bedrock.converse/made";
  recording.protocol = "bedrock.converse";
  recording.body =
      event_frame("messageStart", R"({"role":"assistant"})") +
      event_frame("contentBlockDelta",
                  R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Look."}}})") +
      event_frame("contentBlockDelta",
                  R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"c2lnbg=="}}})") +
      event_frame("contentBlockStop", R"({"contentBlockIndex":0})") +
      event_frame("contentBlockDelta", R"({"contentBlockIndex":1,"delta":{"text":"Ebb."}})") +
      event_frame("contentBlockStart",
                  R"({"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t1","name":"tide"}}})") +
      event_frame("contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}})") +
      event_frame("contentBlockStop", R"({"contentBlockIndex":2})") +
      event_frame("messageStop", R"({"stopReason":"tool_use"})") +
      event_frame("metadata", R"({"usage":{"inputTokens":3,"outputTokens":4},"metrics":{"latencyMs":5}})");
  return recording;
}

const std::vector<recording::Recording>& streams() {
  static const auto kStreams = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    recording::Corpus corpus =
        recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()});
    corpus.recordings.push_back(converse_stream());
    return corpus.recordings;
  }();
  return kStreams;
}

struct Lost {
  std::size_t count = 0;
  std::string example;
};

class Findings {
 public:
  void add(const std::string& where, const std::string& example) {
    Lost& lost = lost_[where];
    if (lost.count++ == 0) lost.example = example;
  }

  std::string text() const {
    std::string all;
    for (const auto& [where, lost] : lost_)
      all += where + "  " + std::to_string(lost.count) + " times, as in " + lost.example + "\n";
    return all;
  }

 private:
  std::map<std::string, Lost> lost_;
};

bool is_elsewhere(const std::string& protocol, const std::string& type, const std::string& path) {
  return std::any_of(kElsewhere.begin(), kElsewhere.end(), [&](const Place& place) {
    return std::regex_match(protocol, std::regex(place.protocol)) &&
           std::regex_match(type, std::regex(place.type)) && std::regex_match(path, std::regex(place.path));
  });
}

TEST(UnknownMembers, AreKeptInEachObjectOfEachEvent) {
  Findings silent;
  Findings dropped;
  std::map<std::string, std::size_t> tried;
  const std::regex numbers("/\\d+");
  for (const recording::Recording& recording : streams()) {
    const UpstreamDialect* upstream = upstream_of(recording.protocol);
    if (upstream == nullptr) continue;
    const Client* client = client_of(recording.protocol);
    Frames frames = frames_of(recording, upstream->format().framing);
    const Answer whole = read_frames(*upstream, frames, recording);
    // To a client of Gemini or Converse, such a reason is an error.
    const bool breaks_down =
        (recording.protocol == "google.gemini" || recording.protocol == "bedrock.converse") && whole.finish &&
        whole.finish->kind == FinishKind::breakdown;
    const bool relays = client != nullptr && !whole.error && !breaks_down;
    const NormalisedAnswer side =
        relays ? relayed_side(*client, body_of(frames, upstream->format().framing)) : NormalisedAnswer();
    const auto progress = upstream->reader({});
    for (SseEvent& frame : frames) {
      const SseEvent original = frame;
      const bool over = progress->so_far().done || progress->so_far().error;
      progress->take(original);
      if (over || progress->so_far().error || !original.terminated) continue;
      const auto json = parse_wire_json(original.data);
      if (!json) continue;
      std::string type(json->at("type").string());
      if (type.empty()) type = original.event.value_or("");
      for_each_object(*json, "", original.data, [&](const std::string& path, std::size_t at, bool is_empty) {
        if (is_elsewhere(recording.protocol, type, path)) return;
        frame.data = original.data;
        frame.data.insert(at, "\"" + std::string(kMember) + "\":\"tide\"" + (is_empty ? "" : ","));
        const std::string where =
            recording.protocol + " " + type + " " + std::regex_replace(path, numbers, "/*");
        ++tried[recording.protocol];
        const Answer answer = read_frames(*upstream, frames, recording);
        if (!keeps_it(answer)) silent.add(where, recording.id);
        if (relays) {
          const Documents documents =
              documents_of_two(relayed_side(*client, body_of(frames, upstream->format().framing)), side);
          if (*documents.expected == *documents.got) dropped.add(where, recording.id);
        }
        frame = original;
      });
    }
  }
  EXPECT_EQ(silent.text(), "") << "nothing keeps it";
  EXPECT_EQ(dropped.text(), "") << "a relay may drop it";
  for (const auto& [protocol, count] : tried) {
    EXPECT_GT(count, protocol == "bedrock.converse" ? 10u : 100u) << protocol;
    std::cout << protocol << ": " << count << " objects\n";
  }
}

}  // namespace
}  // namespace splitproof::dialect::unknown_members_test
