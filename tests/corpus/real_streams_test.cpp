// Streams of some fifty providers, as their clients received them, through the reference.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/corpus/reference_campaign.hpp"
#include "tests/harness/import/raw_recording.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::recording::real_streams_test {
namespace {

// As recorded, whole, single bytes and a few random splits. `.ci/real-streams` cuts seams and draws more.
constexpr std::size_t kRandomSplits = 4;
constexpr const char* kNoSeams = "*gen=[!s]*";

// Returns recordings of this kind in `name` below the shared recordings.
std::vector<Recording> recordings_in(const std::string& name, const std::string& extension,
                                     const std::string& protocol) {
  std::vector<Recording> recordings;
  for (const auto& entry : std::filesystem::directory_iterator(observe::shared_recordings() / name)) {
    if (entry.path().extension() != extension) continue;
    auto recording = imports::raw_recording(entry.path().string(), protocol);
    EXPECT_TRUE(recording) << describe(recording.error());
    if (recording) recordings.push_back(std::move(*recording));
  }
  return recordings;
}

void expect_conformance(const std::vector<Recording>& recordings, const std::string& protocol) {
  const campaign::ReferenceCampaign reference(protocol);
  const auto results = reference.run(recordings, {{kRandomSplits, false, 1}, {}, false}, kNoSeams);
  EXPECT_EQ(campaign::violations(results), std::vector<std::string>());
  EXPECT_EQ(results.size(), recordings.size());
  for (const results::RecordingResult& result : results) {
    EXPECT_GT(campaign::judged(result), 0u) << result.recording.id;
    EXPECT_EQ(result.outputs, 1u) << result.recording.id;
  }
}

bool has_shared(const char* name) {
  return !observe::shared_recordings().empty() &&
         std::filesystem::is_directory(observe::shared_recordings() / name);
}

TEST(RealStreams, ReferenceConformsOnAllOfThem) {
  if (!has_shared("openai-chat")) {
    GTEST_SKIP() << "../shared is absent";
  }
  const auto recordings = recordings_in("openai-chat", ".sse", "openai.chat");
  EXPECT_EQ(recordings.size(), 575u);
  expect_conformance(recordings, "openai.chat");
}

// Three of them are streams of another endpoint of the same server. A chat client reads only their end.
TEST(RealStreams, ReferenceConformsOnAllOfOllama) {
  if (!has_shared("ollama")) {
    GTEST_SKIP() << "../shared is absent";
  }
  const auto recordings = recordings_in("ollama", ".ndjson", "ollama.chat");
  EXPECT_EQ(recordings.size(), 18u);
  expect_conformance(recordings, "ollama.chat");
}

}  // namespace
}  // namespace splitproof::recording::real_streams_test
