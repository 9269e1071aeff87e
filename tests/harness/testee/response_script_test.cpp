#include "harness/testee/response_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "harness/recording/corpus.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/split.hpp"
#include "tests/harness/testee/http_response.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::testee::response_script_test {
namespace {

using Writes = std::vector<std::string>;

const std::vector<std::string> kFramingNames{"chunked", "content-length", "close"};
const std::vector<std::string> kPackingNames{"piece",       "one-chunk",  "two-pieces", "in-size",
                                             "in-size-end", "before-end", "in-end",     "bytes"};

Writes writes_of(const WritePlan& plan) {
  Writes writes;
  std::size_t begin = 0;
  for (const std::size_t end : plan.ends) {
    writes.push_back(plan.bytes.substr(begin, end - begin));
    begin = end;
  }
  return writes;
}

// Returns the writes after the head.
Writes body_writes(const ResponseScript& script) {
  Writes writes = writes_of(plan_writes(script));
  writes.erase(writes.begin());
  return writes;
}

ResponseScript two_pieces() {
  ResponseScript script;
  script.headers = {{"Content-Type", "text/event-stream"}};
  script.pieces = {"Hello, world, it is", "ok"};
  return script;
}

TEST(WritePlan, HeadHasTheFraming) {
  ResponseScript script = two_pieces();
  const std::string begin = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
  EXPECT_EQ(writes_of(plan_writes(script))[0], begin + "transfer-encoding: chunked\r\n\r\n");
  script.keep_alive = false;
  EXPECT_EQ(writes_of(plan_writes(script))[0],
            begin + "transfer-encoding: chunked\r\nconnection: close\r\n\r\n");
  script.framing = BodyFraming::close_delimited;
  script.keep_alive = true;
  EXPECT_EQ(writes_of(plan_writes(script)),
            (Writes{begin + "connection: close\r\n\r\n", "Hello, world, it is", "ok"}));
  script.framing = BodyFraming::content_length;
  EXPECT_EQ(writes_of(plan_writes(script)),
            (Writes{begin + "content-length: 21\r\n\r\n", "Hello, world, it is", "ok"}));
  script.head_apart = false;
  EXPECT_EQ(writes_of(plan_writes(script)),
            (Writes{begin + "content-length: 21\r\n\r\nHello, world, it is", "ok"}));
  EXPECT_EQ(plan_writes(script).head, begin.size() + 22);
}

// The same examples as in the header's drawing.
TEST(WritePlan, EachPacking) {
  const std::vector<std::pair<std::string, Writes>> drawn{
      {"piece", {"13\r\nHello, world, it is\r\n", "2\r\nok\r\n", "0\r\n\r\n"}},
      {"one-chunk", {"15\r\nHello, world, it is", "ok", "\r\n0\r\n\r\n"}},
      {"two-pieces", {"13\r\nHello, world, it is\r\n2\r\nok\r\n", "0\r\n\r\n"}},
      {"in-size", {"1", "3\r\nHello, world, it is\r\n2", "\r\nok\r\n0", "\r\n\r\n"}},
      {"in-size-end", {"13\r", "\nHello, world, it is\r\n2\r", "\nok\r\n0\r", "\n\r\n"}},
      {"before-end", {"13\r\nHello, world, it is", "\r\n2\r\nok", "\r\n0\r\n", "\r\n"}},
      {"in-end", {"13\r\nHello, world, it is\r", "\n2\r\nok\r", "\n0\r\n\r", "\n"}},
  };
  for (const auto& [name, writes] : drawn) {
    ResponseScript script = two_pieces();
    script.packing = parse_packing(name).value();
    EXPECT_EQ(body_writes(script), writes) << name;
  }
  ResponseScript script = two_pieces();
  script.packing = WritePacking::bytes;
  const Writes writes = body_writes(script);
  EXPECT_EQ(writes.size(), 37u);
  for (const std::string& write : writes) EXPECT_EQ(write.size(), 1u);
}

TEST(WritePlan, OddPieceIsAWriteOfItsOwn) {
  ResponseScript script = two_pieces();
  script.pieces.push_back("!");
  script.packing = WritePacking::two_pieces;
  EXPECT_EQ(body_writes(script),
            (Writes{"13\r\nHello, world, it is\r\n2\r\nok\r\n", "1\r\n!\r\n", "0\r\n\r\n"}));
}

TEST(WritePlan, BrokenEndsLeaveOutTheEndOfTheFraming) {
  for (const recording::End end : {recording::End::closed, recording::End::reset, recording::End::stall}) {
    ResponseScript script = two_pieces();
    script.trailing = "not sent";
    script.end = end;
    EXPECT_EQ(body_writes(script), (Writes{"13\r\nHello, world, it is\r\n", "2\r\nok\r\n"}));
    script.packing = WritePacking::one_chunk;
    EXPECT_EQ(body_writes(script), (Writes{"15\r\nHello, world, it is", "ok"}));
    script.framing = BodyFraming::content_length;
    EXPECT_NE(plan_writes(script).bytes.find("content-length: 22\r\n"), std::string::npos);
    EXPECT_EQ(plan_writes(script).bytes.find("connection: close"), std::string::npos);
    EXPECT_FALSE(leaves_open(script));
  }
}

// The sum of the pauses stays, and each is at the chunk that it delays.
TEST(WritePlan, PausesDelayTheirPieces) {
  ResponseScript script = two_pieces();
  script.pieces.insert(script.pieces.begin() + 1, "");
  script.pauses = {0.5, 0.25, 0.125, 2};
  for (const std::string& packing : kPackingNames) {
    SCOPED_TRACE(packing);
    script.packing = parse_packing(packing).value();
    const WritePlan plan = plan_writes(script);
    ASSERT_EQ(plan.pauses.size(), 3u);
    EXPECT_EQ(plan.pauses[0], (Pause{plan.head + (packing == "one-chunk" ? 4 : 0), 0.5}));
    EXPECT_EQ(plan.pauses[1].seconds, 0.375);
    EXPECT_EQ(plan.pauses[2].seconds, 2);
    const std::string_view rest = std::string_view(plan.bytes).substr(plan.pauses[1].at);
    EXPECT_TRUE(rest.starts_with(packing == "one-chunk" ? "ok\r\n" : "2\r\nok\r\n")) << rest;
    EXPECT_EQ(plan.bytes.substr(plan.pauses[2].at), packing == "one-chunk" ? "\r\n0\r\n\r\n" : "0\r\n\r\n");
    for (const Pause& pause : plan.pauses)
      EXPECT_TRUE(std::count(plan.ends.begin(), plan.ends.end(), pause.at)) << pause.at;
  }
  script.framing = BodyFraming::close_delimited;
  EXPECT_EQ(plan_writes(script).pauses.back(), (Pause{plan_writes(script).bytes.size(), 2}));
  script.pauses = {0, 0, 0, 0};
  EXPECT_TRUE(plan_writes(script).pauses.empty());
}

TEST(WritePlan, TrailingBytesAreAWriteOfTheirOwn) {
  ResponseScript script = two_pieces();
  script.trailing = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(body_writes(script).back(), script.trailing);
  EXPECT_FALSE(leaves_open(script));
  script.framing = BodyFraming::content_length;
  EXPECT_EQ(body_writes(script), (Writes{"Hello, world, it is", "ok", script.trailing}));
}

TEST(WritePlan, CutsAndCutOffGoByTheWholeResponse) {
  ResponseScript script = two_pieces();
  script.cuts = {0, 3, 3, 9, 100000};
  const Writes writes = writes_of(plan_writes(script));
  EXPECT_EQ(writes[0], "HTT");
  EXPECT_EQ(writes[1], "P/1.1 ");
  EXPECT_EQ(writes.size(), 6u);
  const WritePlan whole = plan_writes(script);
  for (std::size_t offset = 0; offset <= whole.bytes.size() + 1; ++offset) {
    script.cut_off = offset;
    const WritePlan plan = plan_writes(script);
    EXPECT_EQ(plan.bytes, whole.bytes.substr(0, offset));
    EXPECT_FALSE(leaves_open(script));
    EXPECT_EQ(plan.ends.empty() ? 0 : plan.ends.back(), plan.bytes.size());
  }
}

// A hold keeps back its byte and everything after it, but nothing before it, not even a chunk's end.
TEST(WritePlan, HoldsKeepBackFromTheirByteOn) {
  ResponseScript script = two_pieces();
  const std::size_t head = plan_writes(script).head;
  const auto place = [&](std::size_t offset) {
    script.holds = {offset};
    const WritePlan plan = plan_writes(script);
    EXPECT_TRUE(plan.holds[0] == plan.bytes.size() ||
                std::count(plan.ends.begin(), plan.ends.end(), plan.holds[0]) == 1);
    return plan.holds[0] - head;
  };
  EXPECT_EQ(place(0), 0u);
  EXPECT_EQ(place(1), 5u);    // 13 CR LF H
  EXPECT_EQ(place(18), 22u);  // before the last byte of the first chunk
  EXPECT_EQ(place(19), 25u);  // the second chunk's size line
  EXPECT_EQ(place(20), 29u);
  EXPECT_EQ(place(21), 32u);  // the final chunk
  EXPECT_EQ(place(999), 32u);
  script.packing = WritePacking::one_chunk;
  EXPECT_EQ(place(0), 4u);
  EXPECT_EQ(place(19), 23u);
  EXPECT_EQ(place(21), 25u);  // CR LF and the final chunk
  script.framing = BodyFraming::close_delimited;
  script.holds = {21};
  EXPECT_EQ(plan_writes(script).holds[0], plan_writes(script).bytes.size());
}

TEST(WritePlan, EmptyPiecesAreNotWritten) {
  ResponseScript script = two_pieces();
  const WritePlan plan = plan_writes(script);
  script.pieces = {"", "Hello, world, it is", "", "ok", ""};
  EXPECT_EQ(plan_writes(script), plan);
  script.pieces = {"", ""};
  EXPECT_EQ(body_writes(script), Writes{"0\r\n\r\n"});
  script.packing = WritePacking::one_chunk;
  EXPECT_EQ(body_writes(script), Writes{"0\r\n\r\n"});
}

TEST(ErrorResponse, IsJsonWithALength) {
  EXPECT_EQ(
      plan_writes(json_response(429, "{}")).bytes,
      "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
  EXPECT_TRUE(plan_writes(json_response(529, "{}")).bytes.starts_with("HTTP/1.1 529 \r\n"));
}

std::vector<recording::Recording> project_recordings() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return recording::load_corpus({std::string(root == nullptr ? "." : root) + "/corpus"}).recordings;
}

// For any framing, packing and split, the response has the recorded status, headers and body, and the recorded end. The
// packing only changes the ends of writes.
TEST(WritePlan, MeansTheRecordingForEveryPacking) {
  const auto recordings = project_recordings();
  ASSERT_GE(recordings.size(), 100u);
  std::size_t tried = 0;
  for (std::size_t i = 0; i < recordings.size(); i += kSanitized ? 23 : 1) {
    const recording::Recording& recording = recordings[i];
    SCOPED_TRACE(recording.id);
    for (const std::string& framing : kFramingNames) {
      for (const std::string& packing : kPackingNames) {
        SCOPED_TRACE(framing + " " + packing);
        const split::Cuts cuts = split::random_cuts(recording.body.size(), tried, 1);
        const auto chunks = split::chunks(recording.body, cuts);
        ResponseScript script = response_of(recording, {chunks, recording.end});
        script.framing = parse_framing(framing).value();
        script.packing = parse_packing(packing).value();
        const bool complete = recording.end == recording::End::complete;
        const WritePlan plan = plan_writes(script);
        const HttpResponse response = read_response(plan.bytes, true);
        EXPECT_EQ(response.status, recording.status);
        for (const auto& [name, value] : recording.headers) EXPECT_EQ(response.headers.at(name), value);
        EXPECT_EQ(response.body, recording.body);
        EXPECT_EQ(response.complete, complete || framing == "close");
        EXPECT_EQ(response.size, plan.bytes.size());
        EXPECT_EQ(response.chunks.size(), framing != "chunked" || recording.body.empty() ? 0
                                          : packing == "one-chunk"                       ? 1
                                                                                         : chunks.size());
        std::string joined;
        for (const std::string& write : writes_of(plan)) {
          EXPECT_FALSE(write.empty());
          joined += write;
        }
        EXPECT_EQ(joined, plan.bytes);
        if (packing != "one-chunk") {
          script.packing = WritePacking::piece;
          EXPECT_EQ(plan_writes(script).bytes, plan.bytes);
        }
        ++tried;
      }
    }
  }
  std::cout << tried << " responses\n";
}

TEST(ResponseOf, FramingHeadersOfTheRecordingAreLeftOut) {
  recording::Recording recording;
  recording.status = 503;
  recording.headers = {{"Connection", "close"},     {"Content-Length", "7"}, {"Retry-After", "1"},
                       {"Transfer-Encoding", "br"}, {"content-type", "x"},   {"keep-alive", "5"}};
  const ResponseScript script = response_of(recording, {{"a", "b"}, recording::End::stall});
  EXPECT_EQ(script.status, 503);
  EXPECT_EQ(script.headers, (Headers{{"Retry-After", "1"}, {"content-type", "x"}}));
  EXPECT_EQ(script.pieces, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(script.end, recording::End::stall);
}

TEST(Names, AreReadAsTheyAreWritten) {
  for (const std::string& name : kFramingNames) EXPECT_EQ(testee::name(parse_framing(name).value()), name);
  for (const std::string& name : kPackingNames) EXPECT_EQ(testee::name(parse_packing(name).value()), name);
  EXPECT_EQ(parse_packing("pieces").error().hint,
            "use one of piece, one-chunk, two-pieces, in-size, in-size-end, before-end, in-end, bytes");
  EXPECT_FALSE(parse_framing("").has_value());
}

}  // namespace
}  // namespace splitproof::testee::response_script_test
