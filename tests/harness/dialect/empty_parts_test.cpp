// Parts that are empty apart from one member. Dropping, changing or moving them changes the meaning, for clients of the
// upstream's own protocol and for other clients that can carry them.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/trace.hpp"
#include "tests/harness/dialect/relayed_side.hpp"

namespace splitproof::dialect::empty_parts_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

using Events = std::vector<std::string>;  // as JSON; @ is the part's index

struct Protocol {
  const char* name;
  Events head, text, tail;
};

struct EmptyPart {
  const char* protocol;
  const char* what;
  Events events;
  std::string from, to;     // a change of its member
  bool has_place = true;    // false: a message has it next to its text
  bool is_carried = false;  // to clients of Anthropic, as the block below
  std::string block = {};   // its start
  std::string piece = {};   // its delta; empty: none
};

const std::vector<Protocol>& protocols() {
  static const std::vector<Protocol> kAll = {
      {"anthropic.messages",
       {R"({"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"n","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}})"},
       {R"({"type":"content_block_start","index":@,"content_block":{"type":"text","text":""}})",
        R"({"type":"content_block_delta","index":@,"delta":{"type":"text_delta","text":"Ebb."}})",
        R"({"type":"content_block_stop","index":@})"},
       {R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":4}})",
        R"({"type":"message_stop"})"}},
      {"openai.chat",
       {R"({"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]})"},
       {R"({"choices":[{"index":0,"delta":{"content":"Ebb."},"finish_reason":null}]})"},
       {R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})", "[DONE]"}},
      {"openai.responses",
       {R"({"type":"response.created","response":{"id":"r","model":"n","status":"in_progress","output":[]}})"},
       {R"({"type":"response.output_item.added","output_index":@,"item":{"type":"message","id":"t","role":"assistant","content":[]}})",
        R"({"type":"response.output_text.delta","item_id":"t","output_index":@,"content_index":0,"delta":"Ebb."})",
        R"({"type":"response.output_item.done","output_index":@,"item":{"type":"message","id":"t","role":"assistant","content":[{"type":"output_text","text":"Ebb.","annotations":[]}]}})"},
       {R"({"type":"response.completed","response":{"id":"r","model":"n","status":"completed","output":[]}})"}}};
  return kAll;
}

Events block(const std::string& start, const std::string& delta = {}) {
  Events events = {R"({"type":"content_block_start","index":@,"content_block":)" + start + "}"};
  if (!delta.empty()) events.push_back(R"({"type":"content_block_delta","index":@,"delta":)" + delta + "}");
  events.emplace_back(R"({"type":"content_block_stop","index":@})");
  return events;
}

Events delta(const std::string& members) {
  return {R"({"choices":[{"index":0,"delta":)" + members + R"(,"finish_reason":null}]})"};
}

Events item(const std::string& members) {
  return {R"({"type":"response.output_item.added","output_index":@,"item":)" + members + "}",
          R"({"type":"response.output_item.done","output_index":@,"item":)" + members + "}"};
}

std::vector<EmptyPart> parts() {
  const std::string thinking = R"({"type":"thinking","thinking":"","signature":""})";
  const std::string signature = R"({"type":"signature_delta","signature":"AAA="})";
  const std::string call = R"({"type":"tool_use","id":"c1","name":"tide","input":{}})";
  return {
      {"anthropic.messages", "a signature", block(thinking, signature), "AAA=", "BBB="},
      {"anthropic.messages", "redacted thinking", block(R"({"type":"redacted_thinking","data":"AAA="})"),
       "AAA=", "BBB="},
      {"anthropic.messages", "a call", block(call), "c1", "c2"},
      {"anthropic.messages", "the name of a call", block(call), "tide", "wind"},
      {"anthropic.messages", "a server's call",
       block(R"({"type":"server_tool_use","id":"s1","name":"web_search","input":{}})"), "s1", "s2"},
      {"anthropic.messages", "a server's result",
       block(R"({"type":"web_search_tool_result","tool_use_id":"s1","content":[]})"), "s1", "s2"},
      {"anthropic.messages", "a citation",
       block(
           R"({"type":"text","text":""})",
           R"({"type":"citations_delta","citation":{"type":"char_location","cited_text":"Neap","document_index":0}})"),
       "Neap", "Spring"},
      {"anthropic.messages", "an upload", block(R"({"type":"container_upload","file_id":"f1"})"), "f1", "f2"},
      {"anthropic.messages", "a block that nobody knows", block(R"({"type":"hologram","data":"AAA="})"),
       "AAA=", "BBB="},
      {"openai.chat", "a signature of details",
       delta(R"({"reasoning_details":[{"type":"reasoning.text","signature":"AAA="}]})"), "AAA=", "BBB=", true,
       true, thinking, signature},
      {"openai.chat", "a signature of blocks",
       delta(R"({"thinking_blocks":[{"type":"thinking","thinking":"","signature":"AAA="}]})"),
       "AAA=", "BBB=", true, true, thinking, signature},
      {"openai.chat", "sealed reasoning",
       delta(R"({"reasoning_details":[{"type":"reasoning.encrypted","data":"AAA="}]})"),
       "AAA=", "BBB=", false},
      {"openai.chat", "an image",
       delta(R"({"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAA="}}]})"),
       "AAA=", "BBB=", false},
      {"openai.chat", "audio", delta(R"({"audio":{"id":"a1","data":"AAA="}})"), "AAA=", "BBB=", false},
      {"openai.chat", "an annotation",
       delta(R"({"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example"}}]})"),
       "a.example", "b.example", false},
      {"openai.chat", "extra content", delta(R"({"extra_content":{"google":{"thought_signature":"AAA="}}})"),
       "AAA=", "BBB=", false},
      {"openai.chat", "a member that nobody knows", delta(R"({"hologram":"AAA="})"), "AAA=", "BBB=", false},
      {"openai.chat", "a call",
       delta(
           R"({"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"tide","arguments":""}}]})"),
       "c1", "c2", true, true, call},
      {"openai.responses", "sealed reasoning",
       item(R"({"type":"reasoning","id":"q","summary":[],"encrypted_content":"AAA="})"), "AAA=", "BBB="},
      {"openai.responses", "a call",
       item(R"({"type":"function_call","id":"f","call_id":"c1","name":"tide","arguments":""})"), "c1", "c2",
       true, true, call},
      {"openai.responses", "a server's call",
       item(
           R"({"type":"web_search_call","id":"w","status":"completed","action":{"type":"search","query":"AAA"}})"),
       "AAA", "BBB"},
      {"openai.responses", "an image",
       item(R"({"type":"image_generation_call","id":"w","status":"completed","result":"AAA="})"),
       "AAA=", "BBB="},
      {"openai.responses", "an item that nobody knows", item(R"({"type":"hologram","id":"h","data":"AAA="})"),
       "AAA=", "BBB="},
  };
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string stream_of(const Protocol& protocol, const std::vector<Events>& said) {
  std::string body;
  const auto add = [&](const Events& events, std::size_t index) {
    for (const std::string& event : events) {
      const auto json = nlohmann::json::parse(replaced(event, ":@", ":0"), nullptr, false);
      if (json.is_object() && json.contains("type"))
        body += "event: " + json["type"].get<std::string>() + "\n";
      body += "data: " + replaced(event, ":@", ":" + std::to_string(index)) + "\n\n";
    }
  };
  add(protocol.head, 0);
  for (std::size_t i = 0; i < said.size(); ++i) add(said[i], i);
  add(protocol.tail, 0);
  return body;
}

Events changed(Events events, const EmptyPart& part) {
  for (std::string& event : events) event = replaced(event, part.from, part.to);
  return events;
}

// Returns streams with another meaning than `part` and then the text, by their change.
std::vector<std::pair<std::string, std::vector<Events>>> others(const EmptyPart& part, const Events& events,
                                                                const Events& text) {
  std::vector<std::pair<std::string, std::vector<Events>>> all = {{"dropped", {text}},
                                                                  {"changed", {changed(events, part), text}}};
  if (part.has_place) all.push_back({"moved", {text, events}});
  return all;
}

const Protocol& protocol_named(std::string_view name) {
  return *std::find_if(protocols().begin(), protocols().end(),
                       [&](const Protocol& protocol) { return protocol.name == name; });
}

bool differ(const Documents& documents) { return *documents.expected != *documents.got; }

TEST(EmptyParts, AreFoundDroppedChangedAndMovedByARelay) {
  for (const EmptyPart& part : parts()) {
    const Protocol& protocol = protocol_named(part.protocol);
    const Client& client = *client_of(part.protocol);
    const NormalisedAnswer said = relayed_side(client, stream_of(protocol, {part.events, protocol.text}));
    EXPECT_FALSE(differ(documents_of_two(said, said))) << part.protocol << ": " << part.what;
    for (const auto& [how, other] : others(part, part.events, protocol.text)) {
      const NormalisedAnswer got = relayed_side(client, stream_of(protocol, other));
      EXPECT_TRUE(differ(documents_of_two(said, got))) << part.protocol << ": " << part.what << " " << how;
    }
  }
}

TEST(EmptyParts, AreFoundDroppedChangedAndMovedWhereTheyAreCarried) {
  const Protocol& anthropic = protocol_named("anthropic.messages");
  const Client& client = *client_of(anthropic.name);
  std::size_t carried = 0;
  for (const EmptyPart& part : parts()) {
    if (!part.is_carried) continue;
    ++carried;
    const Protocol& protocol = protocol_named(part.protocol);
    const UpstreamDialect& upstream = *upstream_of(part.protocol);
    ClientCapabilities carries = client.carries(nullptr);
    for (const char* kind : {"text", "thinking", "call", "signature"})
      carries.losses[kind] = LossPolicy::carried;
    const Answer meaning = read(upstream, stream_of(protocol, {part.events, protocol.text}));
    const Expected expected = expected_of(meaning, recording::End::complete, {}, carries);
    const Events as_block = block(part.block, part.piece);
    const auto side = [&](const std::vector<Events>& said) {
      std::string body = stream_of(anthropic, said);
      if (part.piece.empty()) body = replaced(body, "end_turn", "tool_use");
      return client.side(read_trace(body, DataKind::json));
    };
    EXPECT_FALSE(differ(documents(expected, side({as_block, anthropic.text}))))
        << part.protocol << ": " << part.what;
    for (const auto& [how, other] : others(part, as_block, anthropic.text))
      EXPECT_TRUE(differ(documents(expected, side(other))))
          << part.protocol << ": " << part.what << " " << how;
  }
  EXPECT_EQ(carried, 4u);
}

// A relay must not sign thinking that its provider did not sign.
TEST(EmptyParts, ASignatureThatNobodyGaveIsFound) {
  const Protocol& anthropic = protocol_named("anthropic.messages");
  const Client& client = *client_of(anthropic.name);
  Events thought = block(R"({"type":"thinking","thinking":"","signature":""})",
                         R"({"type":"thinking_delta","thinking":"Look."})");
  const NormalisedAnswer said = relayed_side(client, stream_of(anthropic, {thought, anthropic.text}));
  thought.insert(
      thought.end() - 1,
      R"({"type":"content_block_delta","index":@,"delta":{"type":"signature_delta","signature":"AAA="}})");
  EXPECT_TRUE(
      differ(documents_of_two(said, relayed_side(client, stream_of(anthropic, {thought, anthropic.text})))));
}

// The signature comes after the text has begun, so it belongs to no part.
TEST(EmptyParts, ALateSignatureIsFoundDroppedAndChanged) {
  const Protocol& chat = protocol_named("openai.chat");
  const Client& client = *client_of(chat.name);
  const auto said = [&](const std::string& signature) {
    std::vector<Events> events = {delta(R"({"reasoning_content":"Look."})"), chat.text};
    if (!signature.empty())
      events.push_back(delta(R"({"reasoning_details":[{"signature":")" + signature + R"("}]})"));
    return relayed_side(client, stream_of(chat, events));
  };
  EXPECT_FALSE(differ(documents_of_two(said("AAA="), said("AAA="))));
  for (const char* other : {"", "BBB="})
    EXPECT_TRUE(differ(documents_of_two(said("AAA="), said(other)))) << other;
}

}  // namespace
}  // namespace splitproof::dialect::empty_parts_test
