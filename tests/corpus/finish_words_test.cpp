// An unknown finish word is not a success: for random words, in every pair of protocols, with and without content.

#include "harness/observe/finish_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "harness/dialect/capabilities_of_client.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expected.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/harness/aws_frame_bodies.hpp"

namespace splitproof::recording::finish_words_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces
using nlohmann::json;

constexpr std::size_t kWords = 20;
enum class Content { nothing, text, call };

std::string sse(const std::vector<json>& events, bool is_named, const std::string& mark = {}) {
  std::string body;
  for (const json& event : events) {
    if (is_named) body += "event: " + event["type"].get<std::string>() + "\n";
    body += "data: " + event.dump() + "\n\n";
  }
  return mark.empty() ? body : body + "data: " + mark + "\n\n";
}

std::string chat(const std::string& word, Content content) {
  const auto chunk = [](const json& delta, const json& finish) {
    return json{{"id", "c1"},
                {"object", "chat.completion.chunk"},
                {"created", 1},
                {"model", "m"},
                {"choices", json::array({{{"index", 0}, {"delta", delta}, {"finish_reason", finish}}})}};
  };
  std::vector<json> events = {chunk({{"role", "assistant"}}, nullptr)};
  if (content == Content::text) events.push_back(chunk({{"content", "Ebb."}}, nullptr));
  if (content == Content::call)
    events.push_back(
        chunk({{"tool_calls", json::array({{{"index", 0},
                                            {"id", "call_1"},
                                            {"type", "function"},
                                            {"function", {{"name", "tide"}, {"arguments", "{}"}}}}})}},
              nullptr));
  events.push_back(chunk(json::object(), word));
  return sse(events, false, "[DONE]");
}

std::string anthropic(const std::string& word, Content content) {
  std::vector<json> events = {{{"type", "message_start"},
                               {"message",
                                {{"id", "msg_1"},
                                 {"type", "message"},
                                 {"role", "assistant"},
                                 {"model", "m"},
                                 {"content", json::array()},
                                 {"stop_reason", nullptr},
                                 {"stop_sequence", nullptr},
                                 {"usage", {{"input_tokens", 4}, {"output_tokens", 1}}}}}}};
  const auto block = [&](const json& start, const json& delta) {
    events.push_back({{"type", "content_block_start"}, {"index", 0}, {"content_block", start}});
    events.push_back({{"type", "content_block_delta"}, {"index", 0}, {"delta", delta}});
    events.push_back({{"type", "content_block_stop"}, {"index", 0}});
  };
  if (content == Content::text)
    block({{"type", "text"}, {"text", ""}}, {{"type", "text_delta"}, {"text", "Ebb."}});
  if (content == Content::call)
    block({{"type", "tool_use"}, {"id", "toolu_1"}, {"name", "tide"}, {"input", json::object()}},
          {{"type", "input_json_delta"}, {"partial_json", "{}"}});
  events.push_back({{"type", "message_delta"},
                    {"delta", {{"stop_reason", word}, {"stop_sequence", nullptr}}},
                    {"usage", {{"output_tokens", 5}}}});
  events.push_back({{"type", "message_stop"}});
  return sse(events, true);
}

std::string responses(const std::string& end, const json& said, Content content) {
  json response = {{"id", "resp_1"}, {"object", "response"},    {"created_at", 1},
                   {"model", "m"},   {"status", "in_progress"}, {"output", json::array()}};
  std::vector<json> events = {{{"type", "response.created"}, {"response", response}}};
  json item;
  if (content == Content::text)
    item = {{"id", "msg_1"},
            {"type", "message"},
            {"role", "assistant"},
            {"status", "completed"},
            {"content",
             json::array({{{"type", "output_text"}, {"text", "Ebb."}, {"annotations", json::array()}}})}};
  if (content == Content::call)
    item = {{"id", "fc_1"},   {"type", "function_call"}, {"call_id", "call_1"},
            {"name", "tide"}, {"arguments", "{}"},       {"status", "completed"}};
  if (!item.is_null()) {
    events.push_back({{"type", "response.output_item.added"}, {"output_index", 0}, {"item", item}});
    events.push_back({{"type", "response.output_item.done"}, {"output_index", 0}, {"item", item}});
    response["output"].push_back(item);
  }
  response.update(said);
  events.push_back({{"type", end}, {"response", response}});
  for (std::size_t i = 0; i < events.size(); ++i) events[i]["sequence_number"] = i;
  return sse(events, true);
}

std::string reason(const std::string& word, Content content) {
  return responses("response.incomplete",
                   {{"status", "incomplete"}, {"incomplete_details", {{"reason", word}}}}, content);
}

std::string status(const std::string& word, Content content) {
  return responses("response.completed", {{"status", word}}, content);
}

std::string ollama(const std::string& word, Content content) {
  json message = {{"role", "assistant"}, {"content", content == Content::text ? "Ebb." : ""}};
  if (content == Content::call)
    message["tool_calls"] =
        json::array({{{"id", "call_1"}, {"function", {{"name", "tide"}, {"arguments", json::object()}}}}});
  const json line = {{"model", "m"}, {"message", message}, {"done", false}};
  const json end = {{"model", "m"},           {"message", {{"role", "assistant"}, {"content", ""}}},
                    {"done", true},           {"done_reason", word},
                    {"prompt_eval_count", 3}, {"eval_count", 4}};
  return line.dump() + "\n" + end.dump() + "\n";
}

std::string gemini(const std::string& word, Content content) {
  json parts = json::array();
  if (content == Content::text) parts.push_back({{"text", "Ebb."}});
  if (content == Content::call)
    parts.push_back({{"functionCall", {{"id", "call_1"}, {"name", "tide"}, {"args", json::object()}}}});
  const json candidate = {{"content", {{"role", "model"}, {"parts", parts}}}, {"finishReason", word}};
  const json frame = {{"candidates", json::array({candidate})}, {"modelVersion", "m"}};
  return sse(std::vector<json>{frame}, false);
}

std::string kiro(const std::string& word, Content content) {
  std::string body;
  if (content == Content::text) body += event_frame("assistantResponseEvent", R"({"content":"Ebb."})");
  if (content == Content::call)
    body += event_frame("toolUseEvent", R"({"toolUseId":"t1","name":"tide","input":"{}"})") +
            event_frame("toolUseEvent", R"({"toolUseId":"t1","name":"tide","stop":true})");
  return body + event_frame("metadataEvent", json{{"stopReason", word}}.dump());
}

std::string converse(const std::string& word, Content content) {
  std::string body = event_frame("messageStart", R"({"role":"assistant"})");
  if (content == Content::text)
    body += event_frame("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":"Ebb."}})");
  if (content == Content::call)
    body += event_frame("contentBlockStart",
                        R"({"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t1","name":"tide"}}})") +
            event_frame("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"toolUse":{"input":"{}"}}})");
  return body + event_frame("messageStop", json{{"stopReason", word}}.dump());
}

struct Place {
  const char* protocol;
  const char* dialect;  ///< Dialect of the vocabulary.
  const char* what;
  std::string (*stream)(const std::string& word, Content content);
};

constexpr Place kPlaces[] = {{"openai.chat", "openai.chat", "finish_reason", chat},
                             {"anthropic.messages", "anthropic.messages", "stop_reason", anthropic},
                             {"openai.responses", "openai.responses", "incomplete_details", reason},
                             {"openai.responses", "openai.responses", "status", status},
                             {"ollama.chat", "ollama.chat", "done_reason", ollama},
                             {"google.gemini", "google.gemini", "finishReason", gemini},
                             {"kiro.eventstream", "aws", "stopReason", kiro},
                             {"bedrock.converse", "aws", "stopReason", converse}};
constexpr const char* kClients[] = {"anthropic.messages", "google.gemini", "openai.chat", "openai.responses"};

std::vector<std::string> words(const char* dialect) {
  static std::mt19937 random(7);
  std::vector<std::string> words;
  while (words.size() < kWords) {
    std::string word;
    const std::size_t length = 5 + random() % 10;
    for (std::size_t i = 0; i < length; ++i) word += "abcdefghijklmnopqrstuvwxyzABCXYZ_-:. "[random() % 37];
    if (word.front() == ' ' || word.back() == ' ') continue;
    if (read_finish(dialect, word).kind == FinishKind::unknown) words.push_back(word);
  }
  return words;
}

// Calls `take` for each word, content and pair of protocols.
template <class Take>
void for_each_end(const Take& take) {
  for (const Place& place : kPlaces) {
    for (const std::string& word : words(place.dialect)) {
      for (const Content content : {Content::nothing, Content::text, Content::call}) {
        for (const char* client : kClients) {
          if (std::string_view(client) == place.protocol) continue;
          SCOPED_TRACE(std::string(place.protocol) + " " + place.what + " \"" + word + "\" to " + client +
                       ", " +
                       (content == Content::nothing ? "nothing"
                        : content == Content::text  ? "text"
                                                    : "call"));
          take(place, word, content, client);
        }
      }
    }
  }
}

NormalisedAnswer told_by_reference(const Place& place, const std::string& body, const char* client,
                                   const char* setting) {
  contract::Profile profile = campaign::ReferenceCampaign(place.protocol).profile;
  profile.knobs["unknown-finish"] = setting;
  const testee::InProcess reference{"reference",
                                    testee::reference_streams(profile, place.protocol, client).value(),
                                    place.protocol, client};
  const testee::Observation observed = reference.observe({{body}, End::complete});
  return dialect::client_of(client)->side(read_trace(observed.body, DataKind::json));
}

TEST(FinishWords, UnknownWordIsNoSuccessOfTheReference) {
  std::size_t tried = 0;
  for_each_end([&](const Place& place, const std::string& word, Content content, const char* client) {
    const std::string body = place.stream(word, content);
    for (const char* setting : {"error", "length", "stop"}) {
      const NormalisedAnswer told = told_by_reference(place, body, client, setting);
      const bool fails = content == Content::nothing || std::string_view(setting) == "error";
      EXPECT_EQ(told.error, fails) << setting;
      if (!fails && std::string_view(setting) == "length") {
        EXPECT_EQ(told.finish, "length") << setting;
      }
      ++tried;
    }
  });
  std::cout << tried << " answers\n";
}

// Returns the answer of a proxy that takes the word for another.
NormalisedAnswer told_as(FinishKind kind, const char* client) {
  const std::string_view protocol = client;
  const bool length = kind == FinishKind::length;
  const std::string body = protocol == "openai.chat" ? chat(length ? "length" : "stop", Content::nothing)
                           : protocol == "anthropic.messages"
                               ? anthropic(length ? "max_tokens" : "end_turn", Content::nothing)
                           : length ? reason("max_output_tokens", Content::nothing)
                                    : status("completed", Content::nothing);
  return dialect::client_of(client)->side(read_trace(body, DataKind::json));
}

TEST(FinishWords, HarnessFindsAnEmptySuccessAfterAnUnknownWord) {
  std::size_t tried = 0;
  for_each_end([&](const Place& place, const std::string& word, Content content, const char* client) {
    const Answer meaning = dialect::read(*dialect::upstream_of(place.protocol), place.stream(word, content));
    ClientCapabilities carries = dialect::client_of(client)->carries(nullptr);
    const Expected expected = expected_of(meaning, End::complete, {}, carries);
    if (content != Content::nothing) {
      EXPECT_TRUE(expected.finish_unknown || expected.failure);
    } else {
      EXPECT_TRUE(expected.failure);
    }
    for (const FinishKind kind : {FinishKind::stop, FinishKind::length}) {
      const Documents documents = observe::documents(expected, told_as(kind, client));
      EXPECT_NE(*documents.expected, *documents.got);
    }
    ++tried;
  });
  std::cout << tried << " answers\n";
}

}  // namespace
}  // namespace splitproof::recording::finish_words_test
