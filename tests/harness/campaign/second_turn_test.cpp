// The turn after an answer: the testee's own answer comes back to it as history.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/further_turn.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/dialect/asked_trace.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/testee/in_process.hpp"
#include "project.hpp"

namespace splitproof::campaign::second_turn_test {

using results::Behaviour;
using results::RecordingResult;
using results::Symptom;
namespace {

using contract::Verdict;
using nlohmann::json;

constexpr const char* kChat = "openai.chat";
constexpr const char* kMessages = "anthropic.messages";
constexpr const char* kResponses = "openai.responses";
constexpr const char* kProtocols[] = {kChat, kMessages, kResponses};

testee::InProcess reference(const std::string& upstream, const std::string& client) {
  return {"reference", testee::reference_streams(project().profile, upstream, client).value(), upstream,
          client};
}

const dialect::RequestDialect& reader_of(const std::string& protocol) {
  return *dialect::request_reader_of(protocol + std::string(dialect::kUpstreamSide));
}

using Call = std::pair<std::string, std::string>;

// Returns ids and names of the calls in a request.
std::vector<Call> calls_in(const std::string& protocol, const json& body) {
  std::vector<Call> calls;
  const observe::AskedRequest asked = reader_of(protocol).asked(body);
  for (const observe::AskedTurn& turn : asked.turns)
    for (const observe::AskedBlock& block : turn.blocks)
      if (block.kind == observe::AskedKind::call)
        calls.emplace_back(block.id.value_or(""), block.name.value_or(""));
  return calls;
}

std::set<std::string> violated_musts(const std::vector<contract::Judged>& all) {
  std::set<std::string> ids;
  for (const contract::Judged& one : all)
    if (one.verdict == Verdict::violated && one.obligation->level == contract::Level::must)
      ids.insert(one.obligation->id + ": " + one.message);
  return ids;
}

bool gave_id(const observe::Answer& answer, const std::string& id) {
  return std::any_of(answer.parts.begin(), answer.parts.end(), [&id](const observe::Part& part) {
    return part.kind == observe::PartKind::call && part.id == id;
  });
}

struct Count {
  std::size_t turns = 0;
  std::size_t with_calls = 0;
  std::size_t own_ids = 0;  // the upstream's ids
};

// Expects that each second turn of a recording is accepted, contains the client's calls, and violates nothing.
void expect_to_go_back(const testee::InProcess& testee, const recording::Recording& recording, Count& count) {
  const Judge first(project().contracts, project().profile, testee.traits(), recording);
  const testee::Observation told = testee.observe(exchange_of(first.upstream(), recording));
  for (const Turn turn : {Turn::second, Turn::reversed, Turn::third}) {
    Case one{.recording = recording.id, .client = testee.client()};
    one.turn = turn;
    SCOPED_TRACE(to_string(one));
    const auto second = further_turn(turn, first, told);
    if (!second) continue;
    ++count.turns;
    const testee::Observation seen = testee.asks(second->recording);
    ASSERT_EQ(seen.calls.size(), 1u) << "refused: " << seen.body << " of " << seen.request;
    const AskedJudge judge(project().contracts, project().profile, first.testee(), second->recording,
                           second->answered);
    EXPECT_EQ(violated_musts(judge.judge(seen)), std::set<std::string>()) << seen.request;
    const std::vector<Call> told_calls =
        calls_in(testee.client(), second->recording.requests->at(testee.client()));
    const std::vector<Call> sent = calls_in(testee.upstream(), json::parse(seen.calls.front().body));
    ASSERT_EQ(sent.size(), told_calls.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      EXPECT_EQ(sent[i].second, told_calls[i].second);
      const bool own = gave_id(*second->answered, sent[i].first);
      count.own_ids += own ? 1 : 0;
      // Its id changes only if one of the two protocols cannot accept it.
      if (!own && observe::is_plain_id(told_calls[i].first)) {
        EXPECT_EQ(sent[i].first, told_calls[i].first);
      }
    }
    count.with_calls += sent.empty() ? 0 : 1;
  }
}

TEST(SecondTurn, EveryAnswerOfTheCorpusGoesBackInEveryPair) {
  for (const std::string upstream : kProtocols) {
    for (const std::string client : kProtocols) {
      const testee::InProcess testee = reference(upstream, client);
      Count count;
      for (const recording::Recording& recording : project().of_all_upstreams)
        if (recording.protocol == upstream && !is_about_request(recording))
          expect_to_go_back(testee, recording, count);
      std::cout << upstream << " to " << client << ": " << count.turns << " second turns, "
                << count.with_calls << " with calls, " << count.own_ids << " ids of the upstream's\n";
      EXPECT_GT(count.turns, 70u);
      EXPECT_GT(count.with_calls, 30u);
      EXPECT_GT(count.own_ids, 30u);
    }
  }
}

// The reference with a bug in its request of a second turn; `client` is the client's body.
using Bug = std::function<void(json& body, const json& client)>;

class Asker final : public testee::Testee {
 public:
  Asker(testee::InProcess inner, Bug bug)
      : Testee({"asker", inner.client(), inner.upstream()}), inner_(std::move(inner)), bug_(std::move(bug)) {}

  testee::Observation observe(const testee::Exchange& exchange) const override {
    return inner_.observe(exchange);
  }
  testee::Observation asks(const recording::Recording& recording) const override {
    testee::Observation seen = inner_.asks(recording);
    if (!is_about_request(recording) || seen.calls.empty()) return seen;
    json body = json::parse(seen.calls.front().body);
    bug_(body, json::parse(seen.request));
    if (body.is_null()) {  // it refuses such a request
      seen.calls.clear();
      seen.http.emplace().status = 400;
    } else {
      seen.calls.front().body = body.dump();
    }
    return seen;
  }

 private:
  testee::InProcess inner_;
  Bug bug_;
};

struct Broken {
  std::string name;
  std::string id;  // of the rule that finds it
  std::string upstream;
  std::string client;
  std::string recording;
  std::string turn;  // in which it is found
  Bug bug;
};

json& first_of(json& body, const std::string& role) {
  for (json& message : body["messages"])
    if (message["role"] == role) return message;
  return body;
}

json& block_of(json& body, const std::string& type) {
  for (json& message : body["messages"])
    if (message["content"].is_array())
      for (json& block : message["content"])
        if (block["type"] == type) return block;
  return body;
}

void erase_item(json& body, const std::string& type) {
  json kept = json::array();
  for (const json& item : body["input"])
    if (item.value("type", "") != type) kept.push_back(item);
  body["input"] = kept;
}

const std::vector<Broken>& broken() {
  static const std::vector<Broken> kAll = {
      {"drops the signature", "RET-14", kMessages, kMessages, "thinking-then-tool", "2",
       [](json& body, const json&) { block_of(body, "thinking").erase("signature"); }},
      {"drops signed thinking", "RET-22", kMessages, kMessages, "thinking-then-tool", "2",
       [](json& body, const json&) {
         json& content = first_of(body, "assistant")["content"];
         content.erase(content.begin());
       }},
      {"makes up a signature", "RET-24", kMessages, kChat, "thinking-then-tool", "2",
       [](json& body, const json&) {
         json& content = first_of(body, "assistant")["content"];
         content.insert(content.begin(),
                        json{{"type", "thinking"}, {"thinking", "I think."}, {"signature", "bWFkZSB1cA=="}});
       }},
      {"renames calls in results only", "RET-05", kChat, kMessages, "tool-plain", "2",
       [](json& body, const json&) { first_of(body, "tool")["tool_call_id"] = "call_other"; }},
      {"renames calls", "RET-23", kChat, kMessages, "tool-plain", "2",
       [](json& body, const json&) {
         first_of(body, "tool")["tool_call_id"] = "call_other";
         first_of(body, "assistant")["tool_calls"][0]["id"] = "call_other";
       }},
      {"puts a result before its call", "RET-05", kChat, kMessages, "tool-plain", "2",
       [](json& body, const json&) {
         json& messages = body["messages"];
         std::swap(messages[messages.size() - 1], messages[messages.size() - 2]);
       }},
      {"drops encrypted reasoning", "RET-22", kResponses, kResponses, "reasoning-encrypted", "2",
       [](json& body, const json&) { erase_item(body, "reasoning"); }},
      {"empties encrypted reasoning", "REQ-34", kResponses, kResponses, "reasoning-encrypted", "2",
       [](json& body, const json&) {
         for (json& item : body["input"])
           if (item.value("type", "") == "reasoning") item["encrypted_content"] = nullptr;
       }},
      {"puts thinking into text", "REQ-43", kChat, kMessages, "thinking-then-tool", "2",
       [](json& body, const json& client) {
         json& message = first_of(body, "assistant");
         const json& content = client["messages"][1]["content"];
         message["content"] = "<think>" + content[0]["thinking"].get<std::string>() + "</think>";
       }},
      {"invents prose", "REQ-43", kChat, kResponses, "tool-plain", "2",
       [](json& body, const json&) { first_of(body, "assistant")["content"] = "[Called a tool]"; }},
      {"nudges the model", "REQ-42", kChat, kResponses, "tool-plain", "2",
       [](json& body, const json&) {
         body["messages"].push_back({{"role", "user"}, {"content", "Continue."}});
       }},
      {"flattens calls into prose", "RET-19", kMessages, kChat, "tool-plain", "2",
       [](json& body, const json&) {
         json& call = block_of(body, "tool_use");
         call = {{"type", "text"}, {"text", "I call " + call["name"].get<std::string>()}};
       }},
      {"gives results by their place", "RET-20", kChat, kMessages, "tool-parallel", "2:reversed",
       [](json& body, const json&) {
         const json calls = first_of(body, "assistant")["tool_calls"];
         std::size_t next = 0;
         for (json& message : body["messages"])
           if (message["role"] == "tool") message["tool_call_id"] = calls[next++]["id"];
       }},
      {"forgets results once something was said", "RET-05", kChat, kMessages, "tool-parallel", "3",
       [](json& body, const json&) {
         json kept = json::array();
         for (const json& message : body["messages"])
           if (message["role"] != "tool") kept.push_back(message);
         if (body["messages"].back()["role"] != "tool") body["messages"] = kept;
       }},
      {"moves text behind a call", "RET-25", kMessages, kMessages, "tool-after-text", "2",
       [](json& body, const json&) {
         json& content = first_of(body, "assistant")["content"];
         std::rotate(content.begin(), content.begin() + 1, content.end());
       }},
      {"takes no history", "RET-18", kResponses, kMessages, "tool-plain", "2",
       [](json& body, const json&) { body = nullptr; }},
  };
  return kAll;
}

// Returns the violated rules of each case of a recording.
std::map<std::string, std::set<std::string>> found(const Broken& broken, bool sound) {
  const Asker testee(reference(broken.upstream, broken.client),
                     sound ? [](json&, const json&) {} : broken.bug);
  CampaignSettings settings = project().settings(testee);
  settings.recordings.clear();
  for (const recording::Recording& one : project().of_all_upstreams)
    if (one.id == broken.upstream + "/" + broken.recording) settings.recordings.push_back(&one);
  settings.trials.recuts.reset();
  std::map<std::string, std::set<std::string>> found;
  for (const RecordingResult& result : run_quietly(settings)) {
    EXPECT_GE(result.turns, 1u);
    for (const Behaviour& behaviour : result.behaviours)
      for (const Symptom& symptom : behaviour.symptoms) found[behaviour.case_id].insert(symptom.rule);
  }
  return found;
}

TEST(SecondTurn, EachBugThatOnlyItShowsIsFoundUnderTheIdThatWasNamed) {
  for (const Broken& one : broken()) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(found(one, true), (std::map<std::string, std::set<std::string>>{}));
    const std::string id = one.upstream + "/" + one.recording + "?client=" + one.client + "&turn=" + one.turn;
    const auto all = found(one, false);
    ASSERT_TRUE(all.contains(id)) << testing::PrintToString(all);
    EXPECT_TRUE(all.at(id).contains(one.id)) << testing::PrintToString(all);
    for (const auto& [other, ids] : all) EXPECT_NE(other.find("&turn="), std::string::npos) << other;
    if (one.turn == "3") {
      EXPECT_EQ(all.size(), 1u) << testing::PrintToString(all);
    }
  }
  EXPECT_GE(broken().size(), 6u);
}

}  // namespace
}  // namespace splitproof::campaign::second_turn_test
