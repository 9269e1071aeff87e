#include "harness/recording/corpus.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/recording/import_sse.hpp"

namespace splitproof::recording::corpus_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kText =
    "{\"splitproof\":1,\"protocol\":\"sse\",\"response\":{\"status\":200}}\n{\"at\":0,\"end\":\"complete\"}"
    "\n";

/// A temporary folder of the test.
class Folder : public testing::Test {
 protected:
  Folder() : root_(fs::temp_directory_path() / ("splitproof-recording-" + std::to_string(getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~Folder() override { fs::remove_all(root_); }

  std::string put(const std::string& name, const std::string& bytes) const {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  std::string at(const std::string& name) const { return (root_ / name).string(); }

 private:
  fs::path root_;
};

using CorpusFolder = Folder;
using ImportSse = Folder;

std::vector<std::string> ids(const Corpus& corpus) {
  std::vector<std::string> ids;
  for (const Recording& recording : corpus.recordings) ids.push_back(recording.id);
  return ids;
}

TEST_F(CorpusFolder, FindsRecordingsBelowItSortedById) {
  put("a/openai.chat/text-plain.rec.jsonl", kText);
  put("a/openai.chat/deep/er.rec.jsonl", kText);
  put("a/top.rec.jsonl", kText);
  put("a/README.md", "not a recording");
  put("a/x.jsonl", "not a recording");
  put("b/kiro/text.rec.jsonl", kText);
  const Corpus corpus = load_corpus({at("a"), at("b") + "/"});
  EXPECT_EQ(ids(corpus),
            (std::vector<std::string>{"kiro/text", "openai.chat/deep/er", "openai.chat/text-plain", "top"}));
  EXPECT_TRUE(corpus.errors.empty());
  ASSERT_EQ(corpus.recordings.size(), 4u);
  EXPECT_EQ(corpus.recordings[3].path, at("a/top.rec.jsonl"));
}

TEST_F(CorpusFolder, WhatIsBrokenCostsNothingButItself) {
  put("a/1.rec.jsonl", kText);
  const auto broken = put("a/2.rec.jsonl", std::string(kText) + "{}\n");
  const auto spaced = put("a/3 4.rec.jsonl", kText);
  put("b/5.rec.jsonl", kText);
  const auto duplicate = put("b/1.rec.jsonl", kText);
  const Corpus corpus = load_corpus({at("a"), at("missing"), at("b")});
  EXPECT_EQ(ids(corpus), (std::vector<std::string>{"1", "5"}));
  EXPECT_EQ(corpus.recordings.at(0).path, at("a/1.rec.jsonl"));
  ASSERT_EQ(corpus.errors.size(), 4u);
  EXPECT_EQ(corpus.errors[0].file, broken);
  EXPECT_EQ(corpus.errors[0].line, 3u);
  EXPECT_EQ(corpus.errors[1].file, spaced);
  EXPECT_EQ(corpus.errors[2].file, at("missing"));
  EXPECT_EQ(corpus.errors[3].file, duplicate);
  EXPECT_NE(corpus.errors[3].what.find(at("a/1.rec.jsonl")), std::string::npos);
}

TEST_F(ImportSse, TurnsABodyIntoARecording) {
  const auto file = put("cap.sse", "data: \u2713\n\n");
  SseImport options;
  options.protocol = "openai.chat";
  options.title = "T";
  options.chunk_sizes = parse_chunk_sizes("7,4").value();
  options.request_file = put("request.json", "{\"model\":\"m\"}\n");
  const auto recording = import_sse(file, options);
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_EQ(recording->id, "cap");
  EXPECT_EQ(recording->body, "data: \u2713\n\n");
  EXPECT_EQ(recording->arrivals, (std::vector<Arrival>{{0.0, 7}, {0.0, 11}}));
  EXPECT_EQ(recording->end, End::complete);
  EXPECT_EQ(recording->status, 200);
  const auto saved_as = at("new/folder/cap.rec.jsonl");
  ASSERT_TRUE(save(*recording, saved_as));
  const auto loaded = load(saved_as);
  ASSERT_TRUE(loaded) << describe(loaded.error());
  EXPECT_TRUE(*loaded == *recording);
  EXPECT_NE(to_text(*loaded)->find(R"("requests":{"openai.chat":{"model":"m"}})"), std::string::npos);
}

TEST_F(ImportSse, OneChunkUnlessSizesAreGiven) {
  SseImport options;
  options.protocol = "sse";
  EXPECT_EQ(import_sse(put("a.sse", "data: x\n\n"), options)->arrivals, (std::vector<Arrival>{{0.0, 9}}));
  EXPECT_TRUE(import_sse(put("empty.sse", ""), options)->arrivals.empty());
}

TEST_F(ImportSse, SaysWhatIsWrong) {
  const auto file = put("a.sse", "data: x\n\n");
  const auto error = [&](const char* protocol, std::optional<std::vector<std::size_t>> sizes,
                         const std::string& request) {
    SseImport options;
    options.protocol = protocol;
    options.chunk_sizes = std::move(sizes);
    options.request_file = request;
    const auto recording = import_sse(file, options);
    return recording ? std::string() : describe(recording.error());
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(error("sse", std::nullopt, ""), "");
  for (const Sizes& sizes :
       {Sizes{}, Sizes{8}, Sizes{10}, Sizes{9, 1}, Sizes{5, 5}, Sizes{5, 5, 4}, Sizes{~std::size_t{0}, 10}}) {
    EXPECT_NE(error("sse", sizes, "").find("9 bytes"), std::string::npos);
  }
  EXPECT_NE(error("Chat", std::nullopt, "").find("cannot be the name"), std::string::npos);
  EXPECT_NE(error("sse", std::nullopt, at("none.json")).find("cannot be read"), std::string::npos);
  EXPECT_NE(error("sse", std::nullopt, put("b.json", "{\"a\":")).find("not JSON at byte 6"),
            std::string::npos);
  EXPECT_NE(error("sse", std::nullopt, put("c.json", "[1]")).find("not a JSON object"), std::string::npos);
  EXPECT_FALSE(import_sse(at("none.sse"), {}));
  EXPECT_FALSE(import_sse(at(""), {}));
}

TEST(ChunkSizes, AreWholeNumbersFromOneUp) {
  EXPECT_EQ(parse_chunk_sizes("1"), (std::vector<std::size_t>{1}));
  EXPECT_EQ(parse_chunk_sizes("118,40,7"), (std::vector<std::size_t>{118, 40, 7}));
  for (const char* text :
       {"", ",", "1,", ",1", "1,,2", "0", "1,0", "-1", "1 ,2", "a", "1;2", "99999999999999999999999"}) {
    EXPECT_FALSE(parse_chunk_sizes(text)) << text;
  }
}

}  // namespace
}  // namespace splitproof::recording::corpus_test
