// Chat Completions streams of some fifty providers, as their clients received them, through the reference.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/recording/import_sse.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::recording {
namespace {

// As recorded, whole, byte by byte and a few random splits. `.ci/real-streams` cuts seams and draws more.
constexpr std::size_t kRandomSplits = 4;
constexpr const char* kNoSeams = "*gen=[!s]*";

TEST(RealStreams, TheReferenceConformsOnAllOfThem) {
  const auto folder = observe::shared_recordings() / "openai-chat";
  if (observe::shared_recordings().empty() || !std::filesystem::is_directory(folder)) {
    GTEST_SKIP()
        << "no shared recordings: set SPLITPROOF_SHARED to the folder that holds recordings/openai-chat";
  }
  std::vector<Recording> recordings;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".sse") continue;
    SseImport options;
    options.protocol = "openai.chat";
    auto recording = import_sse(entry.path().string(), options);
    ASSERT_TRUE(recording) << describe(recording.error());
    recordings.push_back(std::move(*recording));
  }
  EXPECT_EQ(recordings.size(), 575u);
  const campaign::ReferenceCampaign reference;
  const auto results = reference.run(recordings, {{kRandomSplits, false, 1}, {}, false}, kNoSeams);
  EXPECT_EQ(campaign::violations(results), std::vector<std::string>());
  EXPECT_EQ(results.size(), recordings.size());
  for (const campaign::RecordingResult& result : results) {
    EXPECT_GT(campaign::judged(result), 0u) << result.recording->id;
    EXPECT_EQ(result.outputs, 1u) << result.recording->id;
  }
}

}  // namespace
}  // namespace splitproof::recording
