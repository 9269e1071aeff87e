#include "harness/recording/corpus.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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

TEST_F(CorpusFolder, BrokenFileLosesOnlyItself) {
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

}  // namespace
}  // namespace splitproof::recording::corpus_test
