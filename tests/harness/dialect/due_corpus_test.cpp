// What is due after each event of whole streams is what its definition says.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/reading.hpp"
#include "harness/observe/due.hpp"
#include "harness/recording/corpus.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::dialect::due_corpus_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

// Returns how many events were compared.
std::size_t compare(const std::string& name, std::string_view body) {
  SseReader sse;
  sse.feed(body);
  sse.finish();
  std::size_t compared = 0;
  for (const bool reroute : {true, false}) {
    for (const SameIndexNewId rule : {SameIndexNewId::new_call, SameIndexNewId::same_call}) {
      Choices choices;
      choices.reroute_think_tags = reroute;
      ChatReading reading(rule);
      DueCount count(choices);
      for (const SseEvent& event : sse.events()) {
        reading.take(event);
        EXPECT_EQ(count.after(reading.so_far()), due_by_definition(reading.so_far(), choices))
            << name << ", before byte " << event.end;
        ++compared;
      }
    }
  }
  return compared;
}

std::vector<recording::Recording> chat_recordings() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  std::vector<recording::Recording> all =
      recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
          .recordings;
  std::erase_if(all,
                [](const recording::Recording& recording) { return recording.protocol != "openai.chat"; });
  return all;
}

TEST(DueOfStreams, IsWhatItsDefinitionSaysAfterEveryEventOfTheCorpus) {
  const auto recordings = chat_recordings();
  EXPECT_GT(recordings.size(), 100u);
  std::size_t compared = 0;
  for (const recording::Recording& recording : recordings) compared += compare(recording.id, recording.body);
  std::cout << compared << " events of " << recordings.size() << " recordings\n";
}

// Cut off anywhere, another byte is the last of the last event: under sanitizers, at fewer places.
TEST(DueOfStreams, IsWhatItsDefinitionSaysWhereverTheCorpusIsCutOff) {
  for (const recording::Recording& recording : chat_recordings())
    for (std::size_t size = 0; size < recording.body.size(); size += kSanitized ? 97 : 13)
      compare(recording.id, std::string_view(recording.body).substr(0, size));
}

TEST(DueOfStreams, IsWhatItsDefinitionSaysAfterEveryEventOfRealStreams) {
  if (shared_recordings().empty()) GTEST_SKIP() << "no shared recordings: set SPLITPROOF_SHARED";
  std::size_t compared = 0;
  std::size_t streams = 0;
  for (const SharedStream& stream : sampled(shared_streams("openai-chat"), 8)) {
    compared += compare(stream.name, stream.body);
    ++streams;
  }
  std::cout << compared << " events of " << streams << " streams\n";
  EXPECT_GT(streams, kSanitized ? 60u : 500u);
}

}  // namespace
}  // namespace splitproof::dialect::due_corpus_test
