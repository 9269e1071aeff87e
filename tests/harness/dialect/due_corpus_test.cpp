// The due part after each event of whole streams equals its definition.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/reading.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/framing.hpp"
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
      FlushRequirement count(choices);
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

std::vector<recording::Recording> corpus_recordings(const std::filesystem::path& corpus) {
  return recording::load_corpus({corpus.string()}).recordings;
}

std::vector<recording::Recording> chat_recordings() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  std::vector<recording::Recording> all =
      corpus_recordings(std::filesystem::path(root == nullptr ? "." : root) / "corpus");
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

// Truncation changes the last byte of the last event. Sanitized builds try fewer places.
TEST(DueOfStreams, IsWhatItsDefinitionSaysWhereverTheCorpusIsCutOff) {
  for (const recording::Recording& recording : chat_recordings())
    for (std::size_t size = 0; size < recording.body.size(); size += kSanitized ? 97 : 13)
      compare(recording.id, std::string_view(recording.body).substr(0, size));
}

// With any filter, the due part after each event never exceeds the filtered whole answer, and never shrinks.
TEST(DueOfStreams, StaysWithinWhatFiltersLeaveOfTheCorpus) {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  const std::filesystem::path corpus = std::filesystem::path(root == nullptr ? "." : root) / "corpus";
  ClientCapabilities carries;
  carries.model = "claude-4";
  carries.stops = {"END", "the", ". "};
  carries.losses["custom_call"] = LossPolicy::dropped;
  const std::vector<recording::Recording> recordings = sampled(corpus_recordings(corpus), 20);
  std::size_t events = 0;
  std::size_t prose = 0;
  for (unsigned of = 1; of < 32; ++of) {
    Choices choices;
    choices.marker = (of & 1U) != 0 ? Choices::Marker::ellipsis : Choices::Marker::none;
    choices.rewrites_identity = (of & 2U) != 0;
    choices.strips_blocks = (of & 4U) != 0;
    choices.cuts_at_stops = (of & 8U) != 0;
    choices.rescue_markup = (of & 16U) != 0;
    for (const recording::Recording& recording : recordings) {
      const UpstreamDialect* upstream = upstream_of(recording.protocol);
      if (upstream == nullptr) continue;
      const auto reader = upstream->reader(choices);
      FlushRequirement count(choices, carries);
      std::vector<Due> due;
      for_each_frame(recording.body, upstream->format().framing, [&](const SseEvent& frame) {
        reader->take(frame);
        if (reader->so_far().shapes.contains("ambiguous")) return false;
        due.push_back(count.after(reader->so_far()));
        return true;
      });
      if (due.empty() || reader->so_far().shapes.contains("ambiguous")) continue;
      reader->take_plain_body(recording.body);
      Due left;
      for (const Part& part : expected_of(reader->finished(), recording.end, choices, carries).parts) {
        left.prose += part.text.size();
        left.arguments += part.arguments.size();
        left.calls += part.kind == PartKind::call ? 1 : 0;
      }
      for (std::size_t i = 0; i < due.size(); ++i) {
        const Due& after = i + 1 < due.size() ? due[i + 1] : left;
        ASSERT_LE(due[i].prose, after.prose) << recording.id << ", event " << i << ", filters " << of;
        ASSERT_LE(due[i].arguments, after.arguments) << recording.id << ", event " << i << ", filters " << of;
        ASSERT_LE(due[i].calls, after.calls) << recording.id << ", event " << i << ", filters " << of;
      }
      events += due.size();
      prose += due.back().prose;
    }
  }
  std::cout << events << " events, " << prose << " bytes of prose due\n";
  EXPECT_GT(prose, kSanitized ? 10'000u : 100'000u);
}

TEST(DueOfStreams, IsWhatItsDefinitionSaysAfterEveryEventOfRealStreams) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
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
