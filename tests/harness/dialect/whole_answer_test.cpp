// An answer in one piece, written as a provider and read as a client: nothing is lost between the two.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/recording/corpus.hpp"

namespace splitproof::dialect::whole_answer_test {
namespace {

using nlohmann::json;
using observe::Answer;
using observe::Part;

// Returns the content that must not change.
json said(const Answer& answer) {
  json parts = json::array();
  for (const Part& part : answer.parts) {
    const bool is_call = part.kind == observe::PartKind::call;
    parts.push_back({static_cast<int>(part.kind), part.text, part.signature, part.id, part.name,
                     is_call ? json::parse(part.arguments.empty() ? "{}" : part.arguments) : json()});
  }
  const observe::Tokens& usage = answer.usage;
  const auto count = [](const std::optional<std::uint64_t>& n) { return n ? json(*n) : json(); };
  return {{"parts", parts},
          {"finish", answer.finish ? static_cast<int>(answer.finish->kind) : -1},
          {"error", answer.error.has_value()},
          {"model", answer.model},
          {"usage", {count(usage.prompt), count(usage.cached), count(usage.completion)}}};
}

TEST(WholeAnswer, SaysWhatTheStreamSays) {
  const auto corpus =
      recording::load_corpus({std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/corpus"});
  std::map<std::string, int> said_whole;
  for (const recording::Recording& recording : corpus.recordings) {
    const UpstreamDialect* upstream = upstream_of(recording.protocol);
    const Client* client = client_of(recording.protocol);
    if (upstream == nullptr || client == nullptr || recording.end != recording::End::complete) continue;
    SCOPED_TRACE(recording.id);
    const Answer meaning = read(*upstream, recording.body);
    const std::string whole = upstream->whole_answer(meaning);
    if (whole.empty()) continue;
    ++said_whole[recording.protocol];
    const Answer again = read(*upstream, client->as_stream(json::parse(whole)));
    EXPECT_EQ(said(again), said(meaning)) << whole;
  }
  EXPECT_GE(said_whole["openai.chat"], 100);
  EXPECT_GE(said_whole["anthropic.messages"], 50);
  EXPECT_GE(said_whole["openai.responses"], 50);
}

TEST(WholeAnswer, ThereIsNoneOfWhatOnePieceCannotSay) {
  Answer answer;
  answer.finish = observe::FinishReason{observe::FinishKind::stop, "stop"};
  Part text;
  text.text = "Aye.";
  answer.parts = {text};
  Part call;
  call.kind = observe::PartKind::call;
  call.id = call.name = "c";
  call.arguments = "{}";
  Part other;
  other.kind = observe::PartKind::other;
  for (const char* protocol : {"openai.chat", "anthropic.messages", "openai.responses"}) {
    SCOPED_TRACE(protocol);
    const UpstreamDialect& upstream = *upstream_of(protocol);
    EXPECT_NE(upstream.whole_answer(answer), "");
    const auto without = [&](const auto& change) {
      Answer other = answer;
      change(other);
      return upstream.whole_answer(other);
    };
    EXPECT_EQ(without([](Answer& a) { a.error = "no"; }), "");
    EXPECT_EQ(without([](Answer& a) { a.finish.reset(); }), "");
    EXPECT_EQ(without([&](Answer& a) { a.parts.push_back(other); }), "");
    EXPECT_NE(without([&](Answer& a) { a.parts.push_back(call); }), "");
    EXPECT_EQ(without([&](Answer& a) { a.parts.insert(a.parts.end(), {call, call}); }), "");
    EXPECT_EQ(without([&](Answer& a) {
                a.parts.push_back(call);
                a.parts.back().arguments = "{";
              }),
              "");
  }
}

}  // namespace
}  // namespace splitproof::dialect::whole_answer_test
