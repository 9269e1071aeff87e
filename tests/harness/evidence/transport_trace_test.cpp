#include "harness/evidence/transport_trace.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace splitproof::evidence::transport_trace_test {
namespace {

using nlohmann::json;

const std::string kStart = "event: message_start\ndata: {\"type\":\"message_start\"}\n\n";
const std::string kText = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\"}\n\n";
const std::string kStop = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

// Returns a good answer for tests to change.
testee::Observation answered() {
  testee::Observation seen;
  seen.body = kStart + kText + kStop;
  seen.http.emplace();
  seen.http->status = 200;
  seen.http->headers = {{"Content-Type", "Text/Event-Stream; charset=utf-8"},
                        {"Transfer-Encoding", "chunked"}};
  seen.http->chunked = true;
  seen.http->final_chunks = 1;
  seen.calls.resize(1);
  seen.calls[0].method = "POST";
  seen.calls[0].status = 200;
  seen.calls[0].outcome = "finished";
  return seen;
}

observe::Trace trace_of(const testee::Observation& seen, const testee::Exchange& exchange = {}) {
  return transport_trace("anthropic.messages", exchange, seen);
}

std::vector<std::string> types(const observe::Trace& trace) {
  std::vector<std::string> types;
  for (const observe::Event& event : trace.events) types.push_back((*event.json)["type"]);
  return types;
}

// Returns the only event of that type, or null.
json of_type(const observe::Trace& trace, const std::string& type) {
  json found;
  for (const observe::Event& event : trace.events) {
    if ((*event.json)["type"] != type) continue;
    EXPECT_TRUE(found.is_null()) << "two of " << type;
    found = *event.json;
  }
  return found;
}

using Types = std::vector<std::string>;

TEST(TransportTrace, TellsAnExchangeInItsOrder) {
  testee::Observation seen = answered();
  seen.releases = {{40, true, kStart.size()}, {80, false, kStart.size() + kText.size()}};
  seen.calls.resize(2);
  seen.calls[1].outcome = "finished";
  seen.calls[1].downstream = kStart.size() + kText.size();
  const observe::Trace trace = trace_of(seen);
  EXPECT_EQ(types(trace), (Types{"exchange", "upstream-call", "head", "held", "output", "held",
                                 "upstream-call", "body", "end"}));
  EXPECT_EQ(trace.message_end, observe::MessageEnd::complete);
  std::size_t reached = 0;  // except for the body, which is complete, and the output so far
  for (const observe::Event& event : trace.events) {
    EXPECT_LE(event.end, seen.body.size());
    EXPECT_GE(event.end, reached);
    reached = event.end;
    EXPECT_EQ(event.data, event.json->dump());
  }
}

TEST(TransportTrace, AnswersKnowTheirQuestion) {
  testee::Exchange exchange;
  exchange.end = recording::End::reset;
  exchange.status = 429;
  const observe::Trace trace = trace_of(answered(), exchange);
  for (const char* type : {"head", "body", "end"}) {
    const json event = of_type(trace, type);
    EXPECT_EQ(event["client"], "anthropic.messages");
    EXPECT_EQ(event["upstream-ends"], "reset");
    EXPECT_EQ(event["upstream-status"], 429);
    EXPECT_EQ(event["upstream-class"], "4xx");
    EXPECT_EQ(event["class"], "2xx");
  }
  testee::Observation uncalled = answered();
  uncalled.calls.clear();
  EXPECT_FALSE(of_type(trace_of(uncalled, exchange), "head").contains("upstream-status"));
}

TEST(TransportTrace, UpstreamStatusIsTheExchangesOrTheRecordedOne) {
  recording::Recording recording;
  recording.status = 503;
  testee::Exchange exchange;
  exchange.recording = &recording;
  EXPECT_EQ(of_type(trace_of(answered(), exchange), "exchange")["upstream-status"], 503);
  exchange.status = 529;
  EXPECT_EQ(of_type(trace_of(answered(), exchange), "exchange")["upstream-status"], 529);
}

TEST(TransportTrace, Heads) {
  testee::Observation seen = answered();
  seen.http->headers.push_back({"content-length", "1"});
  seen.http->headers.push_back({"Content-Length", "2\xff"});
  const json head = of_type(trace_of(seen), "head");
  EXPECT_EQ(head["content-type"], "text/event-stream");
  EXPECT_EQ(head["headers"]["content-type"], "Text/Event-Stream; charset=utf-8");
  EXPECT_EQ(head["headers"]["content-length"], "1, 2?");
  EXPECT_EQ(head["repeated"], json::array({"content-length"}));
  seen.http.reset();
  EXPECT_EQ(types(trace_of(seen)), (Types{"exchange", "upstream-call", "output", "end"}));
}

TEST(TransportTrace, FormsOfBodies) {
  const auto body = [](const std::string& bytes, const std::string& type) {
    testee::Observation seen = answered();
    seen.body = bytes;
    seen.http->headers = {{"content-type", type}};
    return of_type(trace_of(seen), "body");
  };
  EXPECT_EQ(body("", "text/event-stream")["form"], "empty");
  EXPECT_EQ(body("{\"a\":1}", "text/event-stream")["form"], "json");
  EXPECT_EQ(body("{\"a\":1}", "text/event-stream")["json"]["a"], 1);
  EXPECT_EQ(body(kText, "application/json")["form"], "stream");
  EXPECT_EQ(body(": alive\n\n", "text/event-stream")["form"], "stream");
  EXPECT_EQ(body(": alive\n\n", "text/plain")["form"], "text");
  EXPECT_EQ(body(std::string(500, '\xff'), "text/plain")["text"], std::string(200, '?'));
  EXPECT_EQ(body(kText, "")["success"], false);
  EXPECT_EQ(body(kText + kStop, "")["success"], true);
}

TEST(TransportTrace, FramingAndLength) {
  const auto end = [](const testee::Headers& headers, testee::Ending ending, std::size_t trailing) {
    testee::Observation seen = answered();
    seen.body = "12345";
    seen.ending = ending;
    seen.http->headers = headers;
    seen.http->chunked = false;
    seen.http->trailing = trailing;
    return of_type(trace_of(seen), "end");
  };
  using testee::Ending;
  EXPECT_EQ(end({}, Ending::complete, 0)["framing"], "close");
  EXPECT_FALSE(end({}, Ending::complete, 0).contains("length-matches"));
  EXPECT_FALSE(end({}, Ending::complete, 0).contains("final-chunks"));
  EXPECT_EQ(end({{"content-length", "5"}}, Ending::complete, 0)["length-matches"], true);
  EXPECT_EQ(end({{"content-length", "5"}}, Ending::complete, 0)["framing"], "length");
  EXPECT_EQ(end({{"content-length", "5"}}, Ending::complete, 2)["length-matches"], false);
  EXPECT_EQ(end({{"content-length", "9"}}, Ending::cut, 0)["length-matches"], false);
  EXPECT_EQ(end({{"content-length", "9"}}, Ending::hung, 0)["length-matches"], false);
  EXPECT_FALSE(end({{"content-length", "9"}}, Ending::left, 0).contains("length-matches"));
  EXPECT_FALSE(end({{"content-length", "9"}}, Ending::crashed, 0).contains("length-matches"));
  EXPECT_FALSE(end({{"content-length", "five"}}, Ending::complete, 0).contains("length-matches"));
  EXPECT_EQ(end({}, Ending::hung, 3)["trailing"], 3);
  EXPECT_EQ(of_type(trace_of(answered()), "end")["final-chunks"], 1);
}

TEST(TransportTrace, ABrokenMessageIsCut) {
  testee::Observation seen = answered();
  seen.ending = testee::Ending::cut;
  seen.detail = "reset";
  EXPECT_EQ(trace_of(seen).message_end, observe::MessageEnd::cut);
  EXPECT_EQ(of_type(trace_of(seen), "end")["how"], "cut");
  EXPECT_EQ(of_type(trace_of(seen), "end")["detail"], "reset");
}

TEST(TransportTrace, WhatBecameOfCallsWhenTheClientLeft) {
  testee::Observation seen = answered();
  seen.ending = testee::Ending::left;
  seen.calls.resize(3);
  seen.calls[1].left = 0.25;
  seen.calls[1].outcome = "client left";
  seen.calls[2].outcome = "not released";
  const observe::Trace trace = trace_of(seen);
  EXPECT_EQ(of_type(trace, "upstream-left"),
            json({{"type", "upstream-left"}, {"attempt", 2}, {"within", 0.25}}));
  EXPECT_EQ(of_type(trace, "upstream-kept")["attempt"], 3);
  seen.ending = testee::Ending::complete;
  EXPECT_TRUE(of_type(trace_of(seen), "upstream-kept").is_null());
}

TEST(TransportTrace, Leaks) {
  testee::Observation seen = answered();
  seen.calls[0].headers = {{"host", "127.0.0.1:40123"}, {"authorization", "Bearer example-key"}};
  EXPECT_TRUE(of_type(trace_of(seen), "leak").is_null());
  seen.http->headers.push_back({"X-From", "localhost:40123"});
  EXPECT_EQ(of_type(trace_of(seen), "leak"),
            json({{"type", "leak"}, {"what", "upstream-address"}, {"where", "head"}, {"header", "x-from"}}));
  seen.http->headers.pop_back();
  seen.body = kStart + "data: \"no example-key\"\n\n" + kText;
  const observe::Trace trace = trace_of(seen);
  EXPECT_EQ(of_type(trace, "leak"), json({{"type", "leak"}, {"what", "credential"}, {"where", "body"}}));
  EXPECT_EQ(seen.body.substr(trace.events[3].begin, trace.events[3].end - trace.events[3].begin),
            "example-key");
}

TEST(ResponseDocument, IsTheHead) {
  EXPECT_EQ(
      *response_document(answered()),
      json({{"status", 200},
            {"headers",
             {{"content-type", "Text/Event-Stream; charset=utf-8"}, {"transfer-encoding", "chunked"}}}}));
  EXPECT_EQ(response_document({}), nullptr);
}

}  // namespace
}  // namespace splitproof::evidence::transport_trace_test
