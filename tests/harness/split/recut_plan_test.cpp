#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/chat_rechunker.hpp"
#include "harness/dialect/openai_chat/upstream.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/recut.hpp"
#include "harness/split/text_seams.hpp"
#include "harness/utf8.hpp"
#include "tests/harness/split/recut_pieces.hpp"
#include "tests/harness/split/shared_recordings.hpp"
#include "tests/planned.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::split::recut_plan_test {
namespace {

using Texts = std::vector<std::string>;

Result<Recut> recut(std::string_view body, std::string_view label) {
  return split::recut(dialect::chat_dealer(), body, label);
}

std::vector<std::string> planned_recuts(std::string_view body, std::size_t random, bool sweep,
                                        std::uint64_t seed) {
  return split::planned_recuts(dialect::chat_dealer(), body, random, sweep, seed);
}

const std::vector<recording::Recording>& corpus() {
  static const std::vector<recording::Recording> kCorpus = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    auto all = recording::load_corpus({std::string(root == nullptr ? "." : root) + "/corpus"}).recordings;
    std::erase_if(all, [](const auto& recording) { return recording.protocol != "openai.chat"; });
    return all;
  }();
  return kCorpus;
}

/// These recordings show readings that depend on the chunks, so a recut may change their meaning.
bool depends_on_chunks(const recording::Recording& recording) {
  static const std::set<std::string> kIds = {"openai.chat/text-spliced",
                                             "openai.chat/thinking-details-behind",
                                             "openai.chat/tool-arguments-placeholder",
                                             "openai.chat/tool-arguments-placeholder-alone",
                                             "openai.chat/tool-arguments-placeholder-twice",
                                             "openai.chat/done-after-role",
                                             "openai.chat/done-after-usage"};
  return kIds.contains(recording.id);
}

/// A recut changes the shapes.
observe::Answer meaning_of(std::string_view body) {
  observe::Answer meaning = dialect::read(dialect::ChatUpstream(), body);
  meaning.shapes.clear();
  meaning.begun.clear();
  forget_unread(meaning);
  return meaning;
}

/// Checks the invariants of every recut of a body, and of every plan.
void check_plan(const std::string& body, const std::vector<std::string>& plan) {
  const observe::Answer meant = meaning_of(body);
  std::set<std::string> distinct = {body};
  for (const std::string& label : plan) {
    SCOPED_TRACE(label);
    const auto made = recut(body, label);
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_TRUE(distinct.insert(made->body).second) << "planned twice";
    EXPECT_EQ(label.find_first_of("&? "), std::string::npos);
    ASSERT_TRUE(meaning_of(made->body) == meant) << body << "\nbecame\n" << made->body;

    ASSERT_FALSE(made->arrivals.empty());
    EXPECT_EQ(made->arrivals.back(), made->body.size());
    EXPECT_TRUE(std::is_sorted(made->arrivals.begin(), made->arrivals.end()));
    EXPECT_EQ(find_ill_formed_utf8(made->body) == std::string::npos,
              find_ill_formed_utf8(body) == std::string::npos);
  }
}

TEST(RecutPlan, IsAFunctionOfItsArguments) {
  std::string body;
  for (const std::string piece : {"It turns at ", "nine, <b>not</b> ten", " or later."})
    body += R"(data: {"choices":[{"delta":{"content":")" + piece + "\"}}]}\n\n";
  EXPECT_EQ(planned_recuts(body, 5, true, 1), planned_recuts(body, 5, true, 1));
  EXPECT_NE(planned_recuts(body, 5, false, 1), planned_recuts(body, 5, false, 2));
  const auto swept = planned_recuts(body, 0, true, 1);
  std::set<Texts> single;
  for (const std::string& label : swept) {
    const Texts dealt = pieces(recut(body, label)->body, "content");
    if (dealt.size() == 2) single.insert(dealt);
  }
  EXPECT_EQ(single.size(), std::string("It turns at nine, <b>not</b> ten or later.").size() - 1);
}

TEST(RecutPlan, CorpusKeepsItsMeaningInEveryRecut) {
  ASSERT_FALSE(corpus().empty());
  std::map<std::string, int> planned;
  std::size_t number = 0;
  for (const recording::Recording& recording : corpus()) {
    SCOPED_TRACE(recording.id);
    const auto plan = planned_recuts(recording.body, 4, true, 7);
    if (number++ % (kSanitized ? 16 : 1) == 0 && !depends_on_chunks(recording))
      check_plan(recording.body, plan);
    for (const std::string& label : plan) ++planned[label];
  }
  for (const char* label : {"whole", "char", "cut:1", "random:0:seed7"})
    EXPECT_GT(planned[label], 0) << label;
  for (std::size_t i = 0; i < kTextSeams; ++i) {
    const std::string label = "seam:" + std::string(name(static_cast<TextSeam>(i)));
    EXPECT_GT(planned[label] + planned[label + ":0"], 0) << label;
  }
  const std::vector<std::string> own = dialect::chat_dealer().labels();
  EXPECT_EQ(own.size(), 28U);
  for (const std::string& label : own) EXPECT_GT(planned[label], 0) << label;
}

/// Returns the events of a recut that its body does not have.
Texts new_events(const Recut& made, const std::string& body) {
  Texts events;
  std::size_t begin = 0;
  for (const std::size_t end : made.arrivals) {
    std::string event = made.body.substr(begin, end - begin);
    if (body.find(event) == std::string::npos) events.push_back(std::move(event));
    begin = end;
  }
  return events;
}

TEST(RecutPlan, CorpusIsRecutIntoEventsOfOneCharacter) {
  std::size_t characters = 0;
  for (const recording::Recording& recording : corpus()) {
    const auto made = recut(recording.body, "char");
    if (!made) continue;
    for (const std::string& event : new_events(*made, recording.body)) {
      std::size_t in_event = 0;
      for (const char* key : {"content", "reasoning", "reasoning_content", "refusal", "arguments"}) {
        for (const std::string& piece : pieces(event, key)) in_event += count_characters(piece);
      }
      EXPECT_LE(in_event, 1U) << recording.id << "\n" << event;
      characters += in_event;
    }
  }
  EXPECT_GT(characters, 1000U);
}

TEST(RecutPlan, CorpusIsRecutInTheMiddleOfSurrogatePairs) {
  std::size_t pairs = 0;
  for (const recording::Recording& recording : corpus()) {
    const auto made = recut(recording.body, "seam:halves");
    if (!made) continue;
    for (const char* key : {"content", "reasoning", "reasoning_content", "refusal", "arguments"}) {
      std::string previous;
      for (const std::string& piece : pieces(made->body, key)) {
        const bool begins_with_half = holds_surrogate(piece.substr(0, 4));
        const bool ended_with_half =
            previous.size() >= 4 && holds_surrogate(previous.substr(previous.size() - 4));
        EXPECT_EQ(begins_with_half, ended_with_half) << recording.id << " " << piece;
        if (piece.size() > 8) {
          EXPECT_FALSE(holds_surrogate(piece.substr(4, piece.size() - 8))) << recording.id;
        }
        pairs += begins_with_half ? 1 : 0;
        previous = piece;
      }
    }
  }
  EXPECT_GT(pairs, 3U);
}

TEST(RecutPlan, RealStreamsKeepTheirMeaning) {
  SKIP_WITHOUT_SHARED_RECORDINGS();
  constexpr std::size_t kLargest =
      kSanitized ? 1000 : 20000;  // a recut of more text by characters takes long
  std::size_t recuts = 0;
  std::size_t bodies = 0;
  for (const SharedBody& recording : shared_chat_bodies()) {
    if (recording.body.size() > kLargest) continue;
    SCOPED_TRACE(recording.name);
    const auto plan = planned_recuts(recording.body, 1, false, 3);
    check_plan(recording.body, plan);
    recuts += plan.size();
    bodies += plan.empty() ? 0 : 1;
  }
  std::cout << recuts << " recuts of " << bodies << " bodies\n";
  EXPECT_GT(recuts, bodies * 10);
}

}  // namespace
}  // namespace splitproof::split::recut_plan_test
