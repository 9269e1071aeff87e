// Exports every recording of the corpus, and imports it again.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/dialect/registry.hpp"
#include "harness/import/exporter.hpp"
#include "harness/import/importer.hpp"
#include "harness/import/to_recording.hpp"
#include "harness/recording/corpus.hpp"

namespace splitproof::imports::export_test {
namespace {

namespace fs = std::filesystem;
using recording::Recording;

const std::vector<Recording>& corpus() {
  static const std::vector<Recording> kAll = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    return recording::load_corpus({(fs::path(root) / "corpus").string()}).recordings;
  }();
  return kAll;
}

Framing framing_of(const Recording& recording) { return dialect::format_of(recording.protocol).framing; }

// Writes what was exported into a folder, and reads it again.
Result<ImportedFile> read_again(const ExportedRecording& made, std::string_view kind, Framing framing) {
  const fs::path folder = fs::temp_directory_path() / ("export-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  for (const ExportedFile& file : made.files) {
    const fs::path path = folder / (file.path.empty() ? "exported" : file.path);
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.text;
  }
  auto source = open_source((made.files.size() == 1 ? folder / "exported" : folder).string());
  EXPECT_TRUE(source);
  source->framing = framing;
  auto found = importer_of(kind == "sse" && framing == Framing::aws_frames   ? "aws"
                           : kind == "sse" && framing == Framing::json_lines ? "json-lines"
                                                                             : kind)
                   ->read(*source);
  fs::remove_all(folder);
  return found;
}

Recording recording_from(const ImportedResponse& response, const Recording& original) {
  RecordingHead head{original.id, original.protocol, original.headers.at("content-type"), {}};
  return recording_of(response, "", head, "file").value();
}

std::vector<std::size_t> ends_of(const Recording& recording) {
  std::vector<std::size_t> ends;
  for (const auto& arrival : recording.arrivals) ends.push_back(arrival.end);
  return ends;
}

TEST(Export, ImportReturnsEachRecordingAsFarAsTheFormatHoldsIt) {
  ASSERT_GT(corpus().size(), 100u);
  for (const Exporter& exporter : exporters()) {
    std::size_t compared = 0;
    for (const Recording& original : corpus()) {
      const ExportedRecording made = exporter.write(original);
      const auto found = read_again(made, exporter.kind, framing_of(original));
      const std::string what = std::string(exporter.kind) + " " + original.id;
      if (!is_stream_of(framing_of(original), original.body) || !original.headers.contains("content-type")) {
        EXPECT_TRUE(exporter.kind == "sse" || !found) << what;
        continue;
      }
      if (!found) {  // a body that looks like a wrapper
        EXPECT_EQ(exporter.kind, "sse") << what << describe(found.error());
        continue;
      }
      const Recording again = recording_from(found->streams.at(0), original);
      ++compared;
      EXPECT_EQ(again.body, original.body) << what;
      EXPECT_TRUE(exporter.kind == "sse" || again.status == original.status) << what;
      const bool keeps_ends = exporter.kind == "curl" || exporter.kind == "litellm";
      EXPECT_TRUE(!keeps_ends || ends_of(again) == ends_of(original)) << what;
      if (exporter.kind == "curl" || made.lost.empty()) {
        EXPECT_EQ(again.end, original.end) << what;
        EXPECT_EQ(again.arrivals, original.arrivals) << what;
        EXPECT_EQ(again.status, original.status) << what;
      }
    }
    EXPECT_GT(compared, corpus().size() * 9 / 10) << exporter.kind;
  }
}

TEST(Export, ContentThatAFormatCannotHoldIsNamed) {
  Recording one;
  one.id = "x";
  one.protocol = "sse";
  one.status = 429;
  one.body = "data: a\n\n";
  one.arrivals = {{0.5, 4}, {1.0, 9}};
  one.end = recording::End::reset;
  const auto lost = [&](const char* kind) { return exporter_of(kind)->write(one).lost; };
  EXPECT_EQ(lost("sse"),
            (std::vector<std::string>{"the boundaries of 2 chunks", "the times of the chunks",
                                      "the status 429", "the end of the response, which is reset"}));
  EXPECT_EQ(lost("har"), (std::vector<std::string>{"the boundaries of 2 chunks", "the times of the chunks",
                                                   "the end of the response, which is reset"}));
  EXPECT_EQ(lost("litellm"),
            (std::vector<std::string>{"the times of the chunks", "the kind of the end, which is reset"}));
  EXPECT_EQ(lost("curl"), std::vector<std::string>());
}

TEST(Export, KeepsTheRequestThatRecordWrote) {
  Recording one;
  one.id = "x";
  one.protocol = "sse";
  one.body = "data: a\n\n";
  one.arrivals = {{1e15, 9}};
  one.ended_at = 1e18;
  one.provenance = std::make_shared<const nlohmann::json>(nlohmann::json{{"provider", "h.org"},
                                                                         {"request",
                                                                          {{"method", "PUT"},
                                                                           {"path", "/v1/x?a=1"},
                                                                           {"headers", {{"x-tide", "high"}}},
                                                                           {"body", {{"text", "hi"}}}}}});
  const auto text_of_kind = [&](const char* kind) {
    const ExportedRecording made = exporter_of(kind)->write(one);
    return made.files.back().text;
  };
  const auto request_in_har = [&] {
    return nlohmann::json::parse(text_of_kind("har"))["log"]["entries"][0]["request"];
  };
  const auto har = request_in_har();
  EXPECT_EQ(har["method"], "PUT");
  EXPECT_EQ(har["url"], "https://h.org/v1/x?a=1");
  EXPECT_EQ(har["headers"][0]["value"], "high");
  EXPECT_EQ(har["queryString"][0]["name"], "a");
  EXPECT_EQ(har["postData"]["text"], "hi");
  const auto bundle = nlohmann::json::parse(text_of_kind("litellm"))["request"];
  EXPECT_EQ(bundle["method"], "PUT");
  EXPECT_EQ(bundle["headers"]["x-tide"], "high");
  const std::string curl = text_of_kind("curl");
  EXPECT_EQ(curl.find(":-"), curl.npos) << "a negative time: " << curl;
  EXPECT_NE(curl.find("PUT /v1/x?a="), curl.npos) << curl;
  const auto lost = exporter_of("sse")->write(one).lost;
  EXPECT_EQ(lost.back(), "the request");
  one.provenance = std::make_shared<const nlohmann::json>(
      nlohmann::json{{"provider", "127.0.0.1:11434"}, {"request", {{"path", "/api/chat"}}}});
  EXPECT_EQ(request_in_har()["url"], "http://127.0.0.1:11434/api/chat");
}

}  // namespace
}  // namespace splitproof::imports::export_test
