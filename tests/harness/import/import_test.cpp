// Finds the streams in files of other tools: every byte and boundary that the file kept, or an error.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/import/importer.hpp"
#include "harness/import/to_recording.hpp"
#include "harness/recording/base64.hpp"
#include "tests/harness/import/import_files.hpp"
#include "tests/harness/import/raw_recording.hpp"

namespace splitproof::imports::import_test {
namespace {

using recording::Arrival;
using recording::End;

Result<ImportedFile> read_text(const std::string& text, const std::string& kind = "") {
  ImportSource source;
  source.path = "file";
  source.bytes = text;
  return kind.empty() ? read_any(source) : importer_of(kind)->read(source);
}

std::string error_of(const std::string& text, const std::string& kind = "") {
  const auto found = read_text(text, kind);
  return found ? "" : describe(found.error());
}

// Cuts a file at every offset, and damages every byte. Each result is a beginning of the stream, or an error of one
// line. `whole` is the stream.
void expect_no_foreign_bytes(const std::string& text, const std::string& whole) {
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto found = read_text(text.substr(0, size));
    if (!found) {
      EXPECT_EQ(describe(found.error()).find('\n'), std::string::npos);
      continue;
    }
    for (const ImportedResponse& response : found->streams) {
      if (found->wrapper.empty()) continue;  // a beginning that is no file of this format
      EXPECT_TRUE(whole.starts_with(response.body)) << size << ": " << response.body;
      EXPECT_TRUE(response.body == whole || response.end != End::complete) << size;
    }
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x91);
    const auto found = read_text(damaged);
    if (found) continue;
    EXPECT_EQ(describe(found.error()).find('\n'), std::string::npos);
  }
}

TEST(Har, EachStreamIsTakenWithItsPlaceAndUrl) {
  const auto found =
      read_text(har_of({har_entry(kStream), har_entry("{}"), har_entry(kAsciiStream, "https://h/b")}));
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->streams.size(), 2u);
  EXPECT_EQ(found->wrapper, "a HAR file");
  EXPECT_EQ(found->streams[0].body, kStream);
  EXPECT_EQ(found->streams[0].place, "entry 1");
  EXPECT_EQ(found->streams[0].url, "https://h.org/v1/x");
  EXPECT_EQ(found->streams[0].request, "{\"model\":\"m\"}");
  EXPECT_EQ(found->streams[0].arrivals, (std::vector<Arrival>{{1.5, kStream.size()}}));
  EXPECT_EQ(found->streams[0].segments, Segments::body);
  EXPECT_EQ(found->streams[1].place, "entry 3");
  EXPECT_EQ(found->left, std::vector<std::string>{"1 response that is not a stream"});
}

TEST(Har, BodiesOfPollyAndOfBase64AreDecoded) {
  nlohmann::json entry = nlohmann::json::parse(har_entry(""));
  nlohmann::json& content = entry["response"]["content"];
  content = {{"encoding", "base64"}, {"text", recording::to_base64(kStream)}};
  EXPECT_EQ(read_text(har_of({entry.dump()}))->streams[0].body, kStream);
  content["text"] =
      nlohmann::json{recording::to_base64(kStream.substr(0, 9)), recording::to_base64(kStream.substr(9))}
          .dump();
  EXPECT_EQ(read_text(har_of({entry.dump()}))->streams[0].body, kStream);
}

TEST(Har, MessagesOfAnEventSourceBecomeFrames) {
  nlohmann::json entry = nlohmann::json::parse(har_entry(""));
  entry["_eventSourceMessages"] = {
      {{"time", 1789898401.5}, {"eventName", "ping"}, {"eventId", "7"}, {"data", "{\"a\":1}"}},
      {{"time", 1789898402.0}, {"eventName", "message"}, {"eventId", "7"}, {"data", "x\ny"}}};
  const auto found = read_text(har_of({entry.dump()}));
  ASSERT_TRUE(found) << describe(found.error());
  const std::string first = "event: ping\nid: 7\ndata: {\"a\":1}\n\n";
  EXPECT_EQ(found->streams[0].body, first + "data: x\ndata: y\n\n");
  ASSERT_EQ(found->streams[0].arrivals.size(), 2u);
  EXPECT_EQ(found->streams[0].arrivals[0].end, first.size());
  EXPECT_DOUBLE_EQ(found->streams[0].arrivals[1].at - found->streams[0].arrivals[0].at, 0.5);
  EXPECT_EQ(found->streams[0].segments, Segments::frames);
}

TEST(Har, MessagesGiveABodyItsFramesAndTimes) {
  const std::string body =
      ": hi\r\n\r\nevent: ping\r\ndata: {\"a\":1}\r\n\r\ndata:x\rdata\r\rid: 7\n\n: end\n\ndata: cut";
  nlohmann::json entry = nlohmann::json::parse(har_entry(body));
  entry["_eventSourceMessages"] = {{{"time", 1789898401.5}, {"data", "{\"a\":1}"}},
                                   {{"time", 1789898402.0}, {"data", "x\n"}}};
  const auto stream_of = [](const nlohmann::json& one) {
    return read_text(har_of({one.dump()}))->streams.at(0);
  };
  const ImportedResponse found = stream_of(entry);
  EXPECT_EQ(found.body, body);
  EXPECT_EQ(found.arrivals, (std::vector<Arrival>{{1.5, body.find("data:x")}, {2.0, body.size()}}));
  EXPECT_EQ(found.segments, Segments::frames);
  entry["_eventSourceMessages"][1]["data"] = "y";  // of another body
  EXPECT_EQ(stream_of(entry).segments, Segments::body);
  EXPECT_EQ(stream_of(entry).arrivals, (std::vector<Arrival>{{1.5, body.size()}}));
  entry["_eventSourceMessages"].erase(1);
  EXPECT_EQ(stream_of(entry).segments, Segments::body);
}

TEST(Har, TextThatChromiumDecodedWithoutACharsetIsRestored) {
  const std::string decoded = "data: {\"a\":\"h\u00c3\u00a9 \u00e2\u0153\u201c x. y\"}\n\n";
  const auto body_of = [&](const std::string& creator, const std::string& text, const std::string& type) {
    nlohmann::json har = nlohmann::json::parse(har_of({har_entry(text)}));
    har["log"]["creator"]["name"] = creator;
    har["log"]["entries"][0]["response"]["headers"] = {{{"name", "Content-Type"}, {"value", type}}};
    return read_text(har.dump())->streams.at(0).body;
  };
  const std::string sent = "data: {\"a\":\"h\u00e9 \u2713 x. y\"}\n\n";
  EXPECT_EQ(body_of("WebInspector", decoded, "text/event-stream"), sent);
  EXPECT_EQ(body_of("WebInspector", sent, "text/event-stream"), sent);
  EXPECT_EQ(body_of("WebInspector", decoded, "text/event-stream; charset=utf-8"), decoded);
  EXPECT_EQ(body_of("Firefox", decoded, "text/event-stream"), decoded);
}

TEST(Har, BodiesThatAreCutAreRefusedOrLeft) {
  nlohmann::json cut = nlohmann::json::parse(har_entry(kStream));
  cut["response"]["content"]["size"] = 500;
  EXPECT_NE(error_of(har_of({cut.dump()})).find("of the 500 bytes of a body in entry 1: the capture is cut"),
            std::string::npos);
  const auto found = read_text(har_of({cut.dump(), har_entry(kStream)}));
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->streams.size(), 1u);
  EXPECT_EQ(found->wrapper, "a HAR file (entry 2)");
  EXPECT_EQ(found->left.size(), 1u);
}

TEST(Har, FilesWithoutAStreamAreRefused) {
  EXPECT_NE(error_of(har_of({har_entry("{}")})).find("without the body of an event stream"),
            std::string::npos);
  EXPECT_NE(error_of("{\"log\":{\"entries\":[{\"resp").find("a HAR file that breaks off"), std::string::npos);
  EXPECT_NE(error_of("{\"log\":{\"a\":1}}").find("no log.entries"), std::string::npos);
  EXPECT_NE(error_of("{\"log\":{\"entries\":[\"\xff\"]}}").find("not JSON at byte"), std::string::npos);
}

TEST(Har, FailedResponsesAreIncomplete) {
  const auto end_with = [](const char* member, const char* error) {
    auto entry = nlohmann::json::parse(har_entry(kStream));
    entry["response"]["status"] = 0;
    entry["response"][member] = error;
    const auto found = read_text(har_of({entry.dump()}));
    return found ? found->streams.at(0).end : End::complete;
  };
  EXPECT_EQ(end_with("_error", "net::ERR_INCOMPLETE_CHUNKED_ENCODING"), End::closed);
  EXPECT_EQ(end_with("_error", "net::ERR_CONNECTION_RESET"), End::reset);
  EXPECT_EQ(end_with("_failureText", "net::ERR_ABORTED"), End::reset);
}

TEST(Har, DamagedChunksAndStatusesAreRefused) {
  auto entry = nlohmann::json::parse(har_entry(kStream));
  entry["response"]["content"] = {{"encoding", "base64"},
                                  {"text", nlohmann::json{recording::to_base64(kStream), "!!!!"}.dump()}};
  EXPECT_NE(error_of(har_of({entry.dump()}), "har").find("a chunk of damaged base64"), std::string::npos);
  entry = nlohmann::json::parse(har_entry(kStream));
  entry["response"]["status"] = 999;
  EXPECT_NE(error_of(har_of({entry.dump()}), "har").find("wrong status"), std::string::npos);
}

TEST(Har, DamagedFilesGiveNoForeignBytes) { expect_no_foreign_bytes(har_of({har_entry(kStream)}), kStream); }

constexpr const char* kChunked = "content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n";
constexpr const char* kIntact = "Connection #0 to host h.org left intact";

TEST(CurlTrace, ReadsAndTimesAreKept) {
  const std::vector<std::string> chunks = in_chunks(kStream, 11);
  const auto found = read_text(trace_of(chunks, false, kChunked, kIntact));
  ASSERT_TRUE(found) << describe(found.error());
  const ImportedResponse& response = found->streams.at(0);
  EXPECT_EQ(response.body, kStream);
  ASSERT_EQ(response.arrivals.size(), chunks.size() - 1);
  for (std::size_t i = 0; i < response.arrivals.size(); ++i)
    EXPECT_EQ(response.arrivals[i].end, std::min(11 * (i + 1), kStream.size()));
  EXPECT_NEAR(response.arrivals[0].at, 0.4, 1e-6);
  EXPECT_NEAR(response.ended_at, 2.5, 1e-6);  // after midnight
  EXPECT_EQ(response.end, End::complete);
  EXPECT_EQ(response.segments, Segments::exact);
  EXPECT_EQ(response.url, "h.org/v1/x");
  EXPECT_EQ(response.request, "{\"model\":\"m\"}");
}

TEST(CurlTrace, AnAsciiTraceIsTakenOnlyIfItsDotsAreClear) {
  for (const std::size_t size : {5u, 64u, 200u}) {
    const auto found = read_text(trace_of(in_chunks(kAsciiStream, size), true, kChunked, kIntact));
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_EQ(found->streams.at(0).body, kAsciiStream);
  }
  EXPECT_NE(
      error_of(trace_of(in_chunks(kStream, 30), true, kChunked, kIntact)).find("--trace-ascii hides them"),
      std::string::npos);
}

TEST(CurlTrace, TheEndOfTheResponseIsAsCurlReportsIt) {
  std::vector<std::string> chunks = in_chunks(kStream, 20);
  chunks.pop_back();
  const auto end_of = [&](const std::string& info, const char* headers, bool in_chunks) {
    const auto found = read_text(trace_of(in_chunks ? chunks : std::vector{kStream}, false, headers, info));
    return found ? found->streams.at(0).end : End::stall;
  };
  const char* plain = "content-type: text/event-stream\r\n";
  EXPECT_EQ(end_of("transfer closed with outstanding read data remaining", kChunked, true), End::closed);
  EXPECT_EQ(end_of("Recv failure: Connection reset by peer", kChunked, true), End::reset);
  EXPECT_EQ(end_of("Operation timed out after 9 milliseconds", kChunked, true), End::stall);
  EXPECT_EQ(end_of("Closing connection 0", plain, false), End::complete);
  EXPECT_EQ(end_of("", kChunked, true), End::reset);
}

TEST(CurlTrace, OutputOnALineOfTheTraceIsRefused) {
  std::string text = trace_of(in_chunks(kStream, 20), false, kChunked, kIntact);
  text.insert(text.rfind('\n', text.rfind("<= Recv data")) + 1, "data: x");
  EXPECT_NE(error_of(text).find("output and a block of the trace on one line"), std::string::npos);
}

TEST(CurlTrace, DamagedFilesGiveNoForeignBytes) {
  expect_no_foreign_bytes(trace_of(in_chunks(kStream, 40), false, kChunked, kIntact), kStream);
  expect_no_foreign_bytes(trace_of(in_chunks(kAsciiStream, 40), true, kChunked, kIntact), kAsciiStream);
}

TEST(CurlLog, TimesBeforeTheLinesAreRemoved) {
  const std::string time = "10:00:00.123456 ";
  const auto found = read_text(time + "*   Trying 1.2.3.4:80...\n" + time + "> POST /v1 HTTP/1.1\n" + time +
                               "< HTTP/1.1 429 Slow\n" + time + "< \n" + time + "{ [20 bytes data]\n" +
                               kStream + time + "* Connection #0 to host h left intact\n");
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->streams[0].body, kStream);
  EXPECT_EQ(found->streams[0].status, 429);
}

TEST(CurlLog, AFailureAfterTheStreamIsNotComplete) {
  const std::string log =
      "*   Trying 1.2.3.4:80...\n> POST /v1 HTTP/1.1\n> \n< HTTP/1.1 200 OK\n< \n" + kStream;
  const auto end_of = [](const std::string& text) {
    const auto found = read_text(text);
    EXPECT_TRUE(found) << describe(found.error());
    return found ? found->streams.at(0).end : End::stall;
  };
  EXPECT_EQ(end_of(log + "* Connection #0 to host h left intact\n"), End::complete);
  EXPECT_EQ(end_of(log + "* transfer closed with outstanding read data remaining\n* Closing connection 0\n"),
            End::closed);
}

class RawBody : public ::testing::Test {
 protected:
  RawBody() { std::filesystem::create_directories(folder_); }
  ~RawBody() override { std::filesystem::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("import-" + std::to_string(::getpid()));
};

TEST_F(RawBody, ChunkSizesDivideIt) {
  ImportSource source;
  source.path = "cap.sse";
  source.bytes = "data: \u2713\n\n";
  source.chunk_sizes = parse_chunk_sizes("7,4").value();
  const auto found = importer_of("sse")->read(source);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->streams[0].arrivals, (std::vector<Arrival>{{0.0, 7}, {0.0, 11}}));
  EXPECT_EQ(found->streams[0].segments, Segments::exact);
  source.bytes = "data: x\n\n";
  using Sizes = std::vector<std::size_t>;
  for (const Sizes& sizes :
       {Sizes{}, Sizes{8}, Sizes{10}, Sizes{9, 1}, Sizes{5, 5}, Sizes{5, 5, 4}, Sizes{~std::size_t{0}, 10}}) {
    source.chunk_sizes = sizes;
    EXPECT_NE(describe(importer_of("sse")->read(source).error()).find("9 bytes"), std::string::npos);
  }
  source.bytes = "HTTP/1.1 200 OK\r\n\r\ndata: x\n\n";
  EXPECT_NE(describe(read_with(nullptr, source).error()).find("remove --chunks"), std::string::npos);
}

TEST_F(RawBody, BecomesARecordingThatCanBeSaved) {
  const auto recording = raw_recording(put("cap.sse", kStream), "openai.chat");
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_EQ(recording->id, "cap");
  EXPECT_EQ(recording->body, kStream);
  EXPECT_EQ(recording->provenance->at("segments"), "body");
  const std::string path = (folder_ / "new/cap.rec.jsonl").string();
  ASSERT_TRUE(recording::save(*recording, path));
  EXPECT_TRUE(recording::load(path).value() == *recording);
  EXPECT_TRUE(raw_recording(put("empty.sse", ""), "sse")->arrivals.empty());
  EXPECT_FALSE(raw_recording((folder_ / "none.sse").string(), "sse"));
}

TEST_F(RawBody, RequestsThatAreNoObjectsAreRefused) {
  ImportedResponse response;
  take_as_one_chunk(response, "data: x\n\n");
  RecordingHead head{"a", "sse", "text/event-stream", {}};
  const auto error = [&](const std::string& request) {
    head.request_file = request;
    const auto made = recording_of(response, {}, head, "file");
    return made ? "" : describe(made.error());
  };
  EXPECT_EQ(error(""), "");
  EXPECT_EQ(error(put("a.json", "{\"model\":\"m\"}\n")), "");
  EXPECT_NE(error((folder_ / "none.json").string()).find("cannot be read"), std::string::npos);
  EXPECT_NE(error(put("b.json", "{\"a\":")).find("not JSON at byte 6"), std::string::npos);
  EXPECT_NE(error(put("c.json", "[1]")).find("not a JSON object"), std::string::npos);
  head.protocol = "Chat";
  EXPECT_NE(error("").find("cannot be the name"), std::string::npos);
}

TEST(ChunkSizes, AreWholeNumbersFromOneUp) {
  EXPECT_EQ(parse_chunk_sizes("1").value(), std::vector<std::size_t>{1});
  EXPECT_EQ(parse_chunk_sizes("118,40,7").value(), (std::vector<std::size_t>{118, 40, 7}));
  for (const char* text : {"", ",", "1,", ",1", "0", "-1", "1.5", "1, 2", "x", "99999999999999999999"})
    EXPECT_FALSE(parse_chunk_sizes(text)) << text;
}

}  // namespace
}  // namespace splitproof::imports::import_test
