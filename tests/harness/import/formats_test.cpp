// Reads cassettes, flows, bundles, segments, arrays and dumps: every byte that the file kept, or an error.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/import/importer.hpp"
#include "harness/import/tnetstring.hpp"
#include "harness/import/yaml_value.hpp"
#include "harness/recording/base64.hpp"
#include "tests/harness/import/import_files.hpp"

namespace splitproof::imports::formats_test {
namespace {

using nlohmann::json;
using recording::Arrival;
using recording::End;

Result<ImportedFile> read_text(const std::string& text, const std::string& kind = "",
                               const std::string& mapping = "") {
  ImportSource source;
  source.path = "file";
  source.bytes = text;
  source.mapping = mapping;
  return kind.empty() ? read_any(source) : importer_of(kind)->read(source);
}

std::string error_of(const std::string& text, const std::string& kind = "") {
  const auto found = read_text(text, kind);
  return found ? "" : describe(found.error());
}

/// A temporary folder of the test.
class Formats : public ::testing::Test {
 protected:
  Formats() { std::filesystem::create_directories(folder_); }
  ~Formats() override { std::filesystem::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("formats-" + std::to_string(::getpid()));
};

// Cuts the file at every offset and damages every byte. Each result is a beginning of the stream with its end unknown, the
// whole stream, or an error of one line.
void expect_no_foreign_streams(const std::string& text, const std::string& whole, bool damaged_text = true) {
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto found = read_text(text.substr(0, size));
    if (!found) {
      EXPECT_EQ(describe(found.error()).find('\n'), std::string::npos);
    } else if (!found->wrapper.empty()) {
      EXPECT_EQ(found->streams.at(0).body, whole) << size << found->wrapper;
    }
  }
  for (std::size_t at = 0; damaged_text && at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x91);
    const auto found = read_text(damaged);
    if (found) continue;
    EXPECT_EQ(describe(found.error()).find('\n'), std::string::npos);
  }
}

std::string cassette_of(const std::string& body) {
  return fmt::format(
      "interactions:\n- request:\n    body: '{{\"model\": \"m\"}}'\n    headers: &h\n      Accept:\n      - x\n"
      "    method: POST\n    uri: https://h.org/v1?key=secret\n  response:\n    body:\n      string: {}\n"
      "    headers: *h\n    status:\n      code: 429\n      message: Slow\nversion: 1\n",
      body);
}

TEST(Cassette, BodiesInYamlAreRead) {
  const std::string packed = "!!binary |\n        " + recording::to_base64(kStream);
  for (const std::string& body : {json(kStream).dump(), packed}) {
    const auto found = read_text(cassette_of(body));
    ASSERT_TRUE(found) << describe(found.error());
    ASSERT_EQ(found->streams.size(), 1u);
    EXPECT_EQ(found->streams[0].body, kStream);
    EXPECT_EQ(found->streams[0].status, 429);
    EXPECT_EQ(found->streams[0].url, "https://h.org/v1");
    EXPECT_EQ(found->streams[0].request, "{\"model\": \"m\"}");
    EXPECT_EQ(found->streams[0].segments, Segments::body);
    EXPECT_EQ(found->wrapper, "a cassette of recorded HTTP (interaction 1)");
  }
}

TEST(Cassette, OtherLibrariesHaveTheirOwnMembers) {
  const json go = {
      {"version", 2},
      {"interactions",
       {{{"id", 0}, {"request", {{"url", "http://h/a"}}}, {"response", {{"code", 200}, {"body", kStream}}}},
        {{"id", 1}, {"response", {{"code", 200}, {"body", "{}"}}}}}}};
  EXPECT_EQ(read_text(go.dump())->streams.at(0).body, kStream);
  const json ruby = {
      {"http_interactions",
       {{{"response",
          {{"status", {{"code", 200}}}, {"body", {{"base64_string", recording::to_base64(kStream)}}}}}}}}};
  EXPECT_EQ(read_text(ruby.dump())->streams.at(0).body, kStream);
}

TEST(Cassette, CallsOfNockAreRead) {
  const auto call = [](const json& response, bool is_binary = false) {
    return json{{"scope", "http://h:80"},
                {"method", "POST"},
                {"path", "/v1?key=secret"},
                {"body", {{"model", "m"}}},
                {"status", 429},
                {"response", response},
                {"rawHeaders", {"Content-Type", "text/event-stream"}},
                {"responseIsBinary", is_binary}};
  };
  std::string hexadecimal;
  for (const unsigned char c : kStream) hexadecimal += fmt::format("{:02x}", c);
  const std::size_t half = kStream.size() / 2 * 2;
  for (const json& one : {call(kStream), call(hexadecimal, true),
                          call(json{hexadecimal.substr(0, half), hexadecimal.substr(half)})}) {
    const auto found = read_text(json::array({one, call("<svg/>"), call(json{{"a", 1}})}).dump());
    ASSERT_TRUE(found) << describe(found.error());
    ASSERT_EQ(found->streams.size(), 1u);
    EXPECT_EQ(found->streams[0].body, kStream);
    EXPECT_EQ(found->streams[0].status, 429);
    EXPECT_EQ(found->streams[0].url, "http://h:80/v1");
    EXPECT_EQ(found->streams[0].request, "{\"model\":\"m\"}");
    EXPECT_EQ(found->left, std::vector<std::string>{"2 responses that are not a stream"});
  }
  EXPECT_NE(error_of(json::array({call(json{hexadecimal, "6"})}).dump()).find("a damaged body"),
            std::string::npos);
  expect_no_foreign_streams(json::array({call(kStream)}).dump(), kStream);
}

TEST(Cassette, ChunksAreExactBoundaries) {
  const json one = {
      {"interactions",
       {{{"response",
          {{"status_code", 200}, {"streaming", true}, {"chunks", {"data: a\n", "\ndata: b\n\n"}}}}}}}};
  const auto found = read_text(one.dump());
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->streams[0].arrivals, (std::vector<Arrival>{{0.0, 8}, {0.0, 18}}));
  EXPECT_EQ(found->streams[0].segments, Segments::exact);
}

TEST(Cassette, DamagedFilesGiveNoForeignStreams) {
  expect_no_foreign_streams(cassette_of(json(kStream).dump()), kStream);
  EXPECT_NE(
      error_of("interactions:\n- response: {body: {string: 'data: x\n\n\n'}}\n").find("without a status"),
      std::string::npos);
}

TEST(Cassette, DamagedChunksAndWrongStatusesAreRefused) {
  const auto error_with = [](json response) {
    return error_of(json{{"interactions", {{{"response", std::move(response)}}}}}.dump(), "vcr");
  };
  const std::string good = recording::to_base64(kStream);
  const auto has = [](const std::string& error, const char* words) {
    return error.find(words) != error.npos;
  };
  EXPECT_TRUE(
      has(error_with({{"status_code", 200}, {"chunks_b64", json::array({good, "!!"})}}), "a damaged chunk"));
  EXPECT_TRUE(has(error_with({{"status_code", 200}, {"body", {{"base64_string", "!!"}}}}), "a damaged body"));
  EXPECT_TRUE(
      has(error_with({{"status_code", 4294967496}, {"chunks", json::array({kStream})}}), "without a status"));
}

TEST(YamlValue, AliasesThatGrowWithoutLimitAreRefused) {
  std::string text = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  EXPECT_NE(read_yaml_value(text).fault.find("too large"), std::string::npos);
  EXPECT_NE(read_yaml_value(std::string(100, '[')).fault.find("64 levels"), std::string::npos);
  EXPECT_FALSE(read_yaml_value("a: *b").fault.empty());
  EXPECT_FALSE(read_yaml_value("a: !!binary '!'").fault.empty());
}

std::string tnet(const std::string& bytes, char type) {
  return fmt::format("{}:{}{}", bytes.size(), bytes, type);
}

std::string tnet_map(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string bytes;
  for (const auto& [key, value] : members) bytes += tnet(key, ';') + value;
  return tnet(bytes, '}');
}

std::string flow_of(const std::string& content, const std::string& status = "200") {
  return tnet_map(
      {{"type", tnet("http", ';')},
       {"error", tnet("", '~')},
       {"request", tnet_map({{"scheme", tnet("https", ',')},
                             {"host", tnet("h.org", ';')},
                             {"path", tnet("/v1?key=x", ',')},
                             {"content", tnet("{\"model\":\"m\"}", ',')},
                             {"timestamp_start", tnet("1.5", '^')}})},
       {"response",
        tnet_map(
            {{"status_code", tnet(status, '#')},
             {"headers", tnet(tnet(tnet("Content-Type", ',') + tnet("text/event-stream", ','), ']'), ']')},
             {"content", content},
             {"timestamp_end", tnet("3.5", '^')}})}});
}

TEST(Mitm, FlowsAreRead) {
  const auto found = read_text(flow_of(tnet(kStream, ',')) + flow_of(tnet("{}", ',')));
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->streams.size(), 1u);
  EXPECT_EQ(found->streams[0].body, kStream);
  EXPECT_EQ(found->streams[0].url, "https://h.org/v1");
  EXPECT_EQ(found->streams[0].arrivals, (std::vector<Arrival>{{2.0, kStream.size()}}));
  EXPECT_EQ(found->streams[0].place, "flow 1");
  EXPECT_NE(error_of(flow_of(tnet("", '~'))).find("did not store"), std::string::npos);
}

TEST(Mitm, WrongStatusesAreRefused) {
  EXPECT_NE(error_of(flow_of(tnet(kStream, ','), "99999999999")).find("wrong status"), std::string::npos);
}

TEST(Mitm, DamagedFilesGiveNoForeignStreams) {
  expect_no_foreign_streams(flow_of(tnet(kStream, ',')), kStream);
}

TEST(Tnetstring, DeepValuesAreRefused) {
  std::string text = tnet("x", ',');
  for (int i = 0; i < 100; ++i) text = tnet(text, ']');
  std::string_view rest = text;
  EXPECT_EQ(take_tnetstring(rest), nullptr);
  EXPECT_EQ(rest, text);
}

std::string interaction_of(const std::vector<std::string>& chunks, const json& truncated) {
  json packed = json::array();
  for (const std::string& chunk : chunks) packed.push_back(recording::to_base64(chunk));
  return json{{"request", {{"method", "POST"}, {"path", "/openai/v1?k=1"}, {"body", {{"model", "m"}}}}},
              {"response",
               {{"kind", "streamed"},
                {"status_code", 200},
                {"headers", json::object()},
                {"chunks_b64", packed},
                {"truncated", truncated}}}}
      .dump();
}

TEST_F(Formats, ABundleKeepsChunksAndTheSideThatEndedThem) {
  put("b/manifest.json",
      "{\"format_version\":4,\"recorded_at\":\"2026-09-20T10:00:00Z\",\"harness_version\":\"x\"}");
  put("b/one/0000-POST.json", interaction_of({"data: a\n\nda", "ta: b\n\n"}, nullptr));
  put("b/one/0001-POST.json", interaction_of({"data: a\n\n"}, "upstream: closed"));
  put("b/two/0000-POST.json", interaction_of({"{}"}, nullptr));
  for (const char* path : {"b", "b/manifest.json"}) {
    const auto source = open_source((folder_ / path).string());
    ASSERT_TRUE(source);
    const auto found = read_any(*source);
    ASSERT_TRUE(found) << describe(found.error());
    ASSERT_EQ(found->streams.size(), 2u);
    EXPECT_EQ(found->streams[0].arrivals, (std::vector<Arrival>{{0.0, 11}, {0.0, 18}}));
    EXPECT_EQ(found->streams[0].segments, Segments::exact);
    EXPECT_EQ(found->streams[0].url, "/openai/v1");
    EXPECT_EQ(found->streams[1].end, End::closed);
    EXPECT_EQ(found->left.size(), 1u);
  }
  put("b/manifest.json", "{\"format_version\":9}");
  const auto found = read_any(open_source((folder_ / "b").string()).value());
  EXPECT_NE(describe(found.error()).find("format_version is 9"), std::string::npos);
}

std::string segment_line(double at, bool is_client, std::uint32_t sequence, const std::string& bytes) {
  std::string text =
      fmt::format("0\t{:.6f}\t{}\t{}\t{}\t", at, is_client ? 5000 : 80, is_client ? 80 : 5000, sequence);
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text + "\n";
}

std::string segments_of(const std::vector<std::string>& pieces) {
  std::string text = segment_line(10.0, true, 77, "POST /v1?k=1 HTTP/1.1\r\nHost: h.org\r\n\r\n");
  std::uint32_t sequence = 0xffffff80;  // wraps around
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  double at = 10.5;
  for (const std::string& piece : pieces) {
    const std::string bytes = (at == 10.5 ? head : "") + piece;
    text += segment_line(at, false, sequence, bytes);
    text += segment_line(at, false, sequence, bytes);  // sent again
    sequence += static_cast<std::uint32_t>(bytes.size());
    at += 0.25;
  }
  return text;
}

TEST(Segments, BoundariesAndTimesAreKept) {
  const auto found = read_text(segments_of(in_chunks(kStream, 30)));
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->streams[0].body, kStream);
  EXPECT_EQ(found->streams[0].arrivals.size(), in_chunks(kStream, 30).size() - 1);
  EXPECT_EQ(found->streams[0].arrivals[0], (Arrival{0.5, 30}));
  EXPECT_EQ(found->streams[0].end, End::complete);
  EXPECT_EQ(found->streams[0].url, "h.org/v1");
}

TEST(Segments, MissingSegmentsAndPacketsAreRefused) {
  std::string text = segments_of(in_chunks(kStream, 20));
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    lines.push_back(text.substr(at, text.find('\n', at) + 1 - at));
  lines.erase(lines.begin() + 3, lines.begin() + 5);
  EXPECT_NE(error_of(fmt::format("{}", fmt::join(lines, ""))).find("missing or not in order"),
            std::string::npos);
  EXPECT_NE(error_of("\xd4\xc3\xb2\xa1....").find("tshark -r file"), std::string::npos);
}

TEST(JsonArray, ElementsBecomeEventsAsTheyAreWritten) {
  const auto found =
      read_text("[{\"type\": \"a\", \"n\": 1.50},\n {\"type\": \"b]\\\"\", \"x\": [1, {}]}]", "json-array");
  ASSERT_TRUE(found) << describe(found.error());
  const std::string first = "event: a\ndata: {\"type\":\"a\",\"n\":1.50}\n\n";
  EXPECT_EQ(found->streams[0].body, first + "event: b]\"\ndata: {\"type\":\"b]\\\"\",\"x\":[1,{}]}\n\n");
  EXPECT_EQ(found->streams[0].arrivals[0].end, first.size());
  EXPECT_EQ(found->streams[0].segments, Segments::frames);
  for (const char* text : {"[]", "{}", "[1]", "[{}", "[{},]"})
    EXPECT_NE(error_of(text, "json-array"), "") << text;
}

TEST_F(Formats, DamagedBase64OfADumpIsRefused) {
  const std::string mapping = put("map.yaml", "body: /b\nencoding: base64\n");
  const std::string dump = "{\"b\":\"" + recording::to_base64(kStream) + "\"}\n{\"b\":\"!!\"}\n";
  const auto found = read_text(dump, "map", mapping);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().line, 2u);
  EXPECT_NE(found.error().what.find("damaged base64 at /b"), std::string::npos) << found.error().what;
}

TEST_F(Formats, AMappingSelectsLinesAndDividesThemByCall) {
  const std::string mapping = put("map.yaml",
                                  "body: /data/chunk\ncall: /id\ntime: /ts\nunit: ms\nsegments: exact\n"
                                  "where: {/kind: chunk}\n");
  const std::string dump =
      "{\"kind\":\"chunk\",\"id\":1,\"ts\":1000,\"data\":{\"chunk\":\"data: a\\n\"}}\n"
      "{\"kind\":\"chunk\",\"id\":2,\"ts\":1100,\"data\":{\"chunk\":\"data: z\\n\\n\"}}\n{\"kind\":\"other\"}\n"
      "{\"kind\":\"chunk\",\"id\":1,\"ts\":1500,\"data\":{\"chunk\":\"\\n\"}}\n";
  const auto found = read_text(dump, "map", mapping);
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->streams.size(), 2u);
  EXPECT_EQ(found->streams[0].body, "data: a\n\n");
  EXPECT_EQ(found->streams[0].arrivals, (std::vector<Arrival>{{0.0, 8}, {0.5, 9}}));
  EXPECT_EQ(found->streams[0].place, "call 1");
  EXPECT_EQ(found->streams[0].segments, Segments::exact);
  const auto wrong = [&](const std::string& text) {
    const auto result = read_text(dump, "map", put("wrong.yaml", text));
    return result ? "" : describe(result.error());
  };
  EXPECT_NE(wrong("body: data\n").find("wrong.yaml:1: body must be a JSON pointer"), std::string::npos);
  EXPECT_NE(wrong("call: /id\n").find("lacks the key 'body'"), std::string::npos);
  EXPECT_NE(wrong("body: /data/chunk\ntime: /ts\nunit: date\n").find("no time at /ts"), std::string::npos);
  EXPECT_NE(wrong("body: /data/chunk\nunit: h\n").find("use one of s, ms"), std::string::npos);
  EXPECT_NE(wrong("body: /x\nboy: /y\n").find("unknown key 'boy'"), std::string::npos);
  EXPECT_NE(error_of(dump, "map").find("needs a mapping"), std::string::npos);
}

TEST(MockFixture, IsRefusedBecauseItHasNoStream) {
  EXPECT_NE(error_of("{\"fixtures\":[{\"match\":{},\"response\":{\"content\":\"a\"}}]}")
                .find("is a fixture of aimock"),
            std::string::npos);
}

}  // namespace
}  // namespace splitproof::imports::formats_test
