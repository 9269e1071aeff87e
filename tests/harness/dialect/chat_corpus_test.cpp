#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/reading.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/utf8.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

/// Meaning of whole recorded streams: the project's own, and those of real providers.

namespace splitproof::dialect::chat_corpus_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

const std::vector<recording::Recording>& corpus() {
  static const auto kCorpus = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    recording::Corpus loaded =
        recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()});
    std::erase_if(loaded.recordings,
                  [](const auto& recording) { return recording.protocol != "openai.chat"; });
    return loaded;
  }();
  EXPECT_TRUE(kCorpus.errors.empty());
  EXPECT_GT(kCorpus.recordings.size(), 100u);
  return kCorpus.recordings;
}

/// The meaning of each, derived by hand from its bytes.
TEST(ChatCorpus, ReadingsEqualTheExpectedMeanings) {
  const std::string leith = R"(call[call_gauge1|read_tide|{"harbour":"Leith"}])";
  const std::string wind = R"(call[call_vane1|read_wind|{"knots":true}])";
  std::string many_calls;
  for (int i = 0; i <= 100; ++i) many_calls += "call[b" + std::to_string(i) + "|f|{}] ";
  const std::map<std::string, std::string> expected = {
      {"chunk-fields-missing", "text[Neap tide.] =stop done"},
      {"done-alone", "done"},
      {"done-never", "text[Safe harbour.] =stop"},
      {"done-then-more", "text[Safe harbour.] =stop done"},
      {"done-without-finish", "text[Safe harbour.] done"},
      {"end-after-whole-arguments", leith},
      {"end-at-once", ""},
      {"end-inside-arguments", R"(call[call_gauge1|read_tide|{"harb])"},
      {"end-inside-character", "text[潮が]"},
      {"end-inside-event", "text[The tide ]"},
      {"error-after-text", "text[The tide ] done !The harbour is busy."},
      {"error-rate-limit",
       "text[Three cranes] done !Rate limit reached for fable-quay on tokens per min. Please try again in 812ms."},
      {"error-context-length", "done !The manifest has 9214 tokens, and the hold takes 8192."},
      {"error-quota", "done !The harbour dues are not paid."},
      {"error-object-of-the-chunk", "text[Three ] done !The crane jammed."},
      {"error-beside-choices", "text[The tide ] done !The channel is blocked."},
      {"error-inside-arguments", R"(call[call_gauge1|read_tide|{"harb] !The harbour is busy.)"},
      {"error-named-event", "thinking[Perhaps ] !A tool was required, but none was called."},
      {"finish-empty-string", "thinking[Look out.] text[Fog ahead.] =stop done"},
      {"finish-function-call", R"(call[|read_tide|{"harbour":"Leith"}] =function_call done)"},
      {"finish-length-inside-arguments", R"(call[call_gauge1|read_tide|{"harbour":"Le] =length done)"},
      {"finish-nonstandard", "text[Anchors aweigh.] =eos done"},
      {"finish-repeated", "text[Fair winds.] =stop done"},
      {"framing-cr", "text[  Two ships — 北] =stop done"},
      {"framing-no-final-blank-line", "text[  Two ships — 北] =stop done"},
      {"text-content-parts", "text[High water at noon.] =stop done"},
      {"text-nothing", "=stop done"},
      {"text-surrogate-escapes", "text[wave 🌊 and 潮] =stop done"},
      {"text-two-choices", "text[Ebb tide.] =stop done"},
      {"thinking-both-keys", "thinking[Ask him.] text[Ask the pilot.] =stop done"},
      {"thinking-content-parts", "thinking[Sound the depth.] text[Three fathoms.] =stop done"},
      {"thinking-signed",
       "thinking[Seven boats, two berths.|RmFibGUgc2lnbmF0dXJlKzEvMg==] text[Five wait.] =stop done"},
      {"thinking-text-tool", "thinking[Needs the gauge.] text[I'll look.] " + leith + " =tool_calls done"},
      {"thinking-with-first-text", "thinking[Almost there.] text[Here we are.] =stop done"},
      {"error-in-place-of-a-stream", "!Too many boats in the lock."},
      {"error-none-in-place-of-a-stream", ""},
      {"text-other-choice-alone", "done"},
      {"text-surrogate-half-at-end", "text[wave \uFFFD]"},
      {"thinking-blocks-beside", "thinking[Ebb first.] text[Wait.] =stop done"},
      {"thinking-blocks-signed",
       "thinking[Swell from north.|U3dlbGw=] thinking[Reef the main.|UmVlZg==] text[Shorten sail.] =stop done"},
      {"thinking-details-numbered",
       "thinking[Fog.|Rm9n] thinking[Sound the horn.|SG9ybg==] text[One long blast.] =stop done"},
      {"thinking-details-unsigned",
       "thinking[Wind backs.] thinking[Barometer falls.] text[Stay in port.] =stop done"},
      {"thinking-redacted", "thinking[Count the buoys.|QnVveXM=] text[Nine.] =stop done"},
      {"finish-delta-absent", "text[The ferry has left.] =stop done"},
      {"finish-delta-null", leith + " =tool_calls done"},
      {"text-refusal", "refusal[I can't steer you onto the reef.] =stop done"},
      {"tool-arguments-object",
       R"(call[call_gauge1|read_tide|{"harbour":"Leith","depth":{"unit":"m","at":[0,2]}}] =tool_calls done)"},
      {"tool-parallel-hundred", many_calls + "=tool_calls done"},
      {"tool-with-reasoning", "thinking[Is it flood? Ask the gauge.] " + leith + " =tool_calls done"},
      {"tool-with-text", "text[I'll read the gauge.] " + leith + " =tool_calls done"},
      {"thinking-signature-then-thought",
       "thinking[|S2VlbA==] thinking[Neap tide.|TmVhcA==] text[Room under the keel.] =stop done"},
      {"thinking-encrypted", "thinking[Depth first.] text[Four fathoms.] =stop done"},
      {"thinking-interleaved",
       "thinking[Ebb first.] text[Wait.] thinking[Then flow.] text[ Sail.] =stop done"},
      {"thinking-keys-in-turns", "thinking[Ebb first.] text[Wait.] =stop done"},
      {"thinking-surrogate-halves",
       "thinking[ebb \U0001F30A flow \uFFFD] text[\uFFFD six \U0001F600] =stop done"},
      {"thinking-tags-open-at-tool",
       "text[<think>Ask the gauge.</th] call[call_gauge1|read_tide|{\"harbour\":\"Leith\"}] =tool_calls done"},
      {"tool-arguments-surrogate-half-alone",
       "call[call_note4|write_note|{\"text\":\"\uFFFD tide\"}] =tool_calls done"},
      {"thinking-after-tool", leith + " thinking[And the wind?] " + wind + " =tool_calls done"},
      {"tool-arguments-first-no-index", leith + " =tool_calls done"},
      {"tool-arguments-whole-again", leith + " =tool_calls done"},
      {"tool-index-missing-one-by-one", leith + " " + wind + " =tool_calls done"},
      {"tool-index-negative", leith + " =tool_calls done"},
      {"tool-index-zero-for-all",
       leith + R"( call[call_gauge2|read_tide|{"harbour":"Wick"}] )" + wind + " =tool_calls done"},
      {"tool-arguments-broken", R"(call[call_gauge1|read_tide|{"harbour": Leith] =tool_calls done)"},
      {"tool-arguments-escapes-cut",
       R"(call[call_note1|write_note|{"text":"\u6f6e \ud83c\udf0a \"ok\u00e9"}] =tool_calls done)"},
      {"tool-arguments-exact-numbers",
       R"(call[call_chart1|open_chart|{"z":9007199254740993,"scale":0.10000,"a":[1e3,-0]}] =tool_calls done)"},
      {"tool-arguments-first", leith + " =tool_calls done"},
      {"tool-arguments-never", "call[call_list1|list_harbours|] =tool_calls done"},
      {"tool-arguments-repeated-pieces", R"(call[call_run1|run|{"command":"hahaha"}] =tool_calls done)"},
      {"tool-arguments-spaced",
       "call[call_gauge1|read_tide| \n{ \"harbour\" :\n  \"Leith\"\n}\n] =tool_calls done"},
      {"tool-id-after-finish", leith + " =tool_calls done"},
      {"tool-id-foreign-characters",
       R"(call[functions.read_tide:0|read_tide|{"harbour":"Leith"}] =tool_calls done)"},
      {"tool-id-late-alone", leith + " =tool_calls done"},
      {"tool-id-never", R"(call[|read_tide|{"harbour":"Leith"}] =tool_calls done)"},
      {"tool-id-number", R"(call[7|read_tide|{"harbour":"Leith"}] =tool_calls done)"},
      {"tool-id-shared",
       R"(call[call_same|read_tide|{"harbour":"Leith"}] call[call_same|read_wind|{"knots":true}] =tool_calls done)"},
      {"tool-index-missing-parallel", leith + " " + wind + " =tool_calls done"},
      {"tool-index-out-of-order",
       R"(call[|read_tide|{"harbour":"Leith"}] call[|read_wind|{"knots":true}] call[|list_harbours|{}] =tool_calls done)"},
      {"tool-index-shared", leith + " " + wind + " =tool_calls done"},
      {"tool-name-every-chunk", leith + " =tool_calls done"},
      {"tool-name-nothing", "=tool_calls done"},
      {"tool-name-number", R"(call[call_gauge1||{"harbour":"Leith"}] =tool_calls done)"},
      {"tool-parallel-first-resumes", leith + " " + wind + " =tool_calls done"},
      {"tool-parallel-interleaved", leith + " " + wind + " =tool_calls done"},
      {"tool-parallel-one-nameless", wind + " call[call_gauge1||{}] =tool_calls done"},
      {"tool-text-within", leith + " text[One moment.] =tool_calls done"},
      {"tool-then-text", leith + " text[I asked the gauge.] =tool_calls done"},
  };
  std::size_t compared = 0;
  for (const auto& recording : corpus()) {
    const auto found = expected.find(recording.id.substr(recording.id.find('/') + 1));
    if (found == expected.end()) continue;
    ++compared;
    EXPECT_EQ(in_short(read_chat(recording.body)), found->second) << recording.id;
  }
  EXPECT_EQ(compared, expected.size());
}

TEST(ChatCorpus, UsesTokensAsItsBytesSay) {
  const std::map<std::string, std::string> expected = {
      {"chunk-message-beside-delta", "9/-/2"},
      {"done-before-usage", "-/-/-"},
      {"usage-cached-and-reasoning", "120/96/31"},
      {"usage-never", "-/-/-"},
      {"usage-null", "17/-/5"},
      {"usage-on-every-chunk", "17/-/8"},
      {"chunk-x-fields", "-/-/-"},
      {"usage-cache-hit-tokens", "1204/1024/6"},
      {"usage-cache-read-input", "2100/2048/5, 0 written"},
      {"usage-cache-writes-details", "1904/512/6, 1280 written"},
      {"usage-cache-writes-flat", "1311/0/4, 1290 written"},
      {"usage-cached-beyond-prompt", "9/170/4"},
      {"usage-cached-unclear", "12/-/5, 64 unclear"},
      {"usage-reasoning-beside", "12/-/387"},
      {"usage-reasoning-beyond", "28/-/5"},
      {"usage-thoughts-in-total", "21/-/6"},
      {"usage-with-finish-then-again", "17/-/5"}};
  const auto in_words = [](const observe::Tokens& tokens) {
    std::string text = tokens_in_short(tokens);
    if (tokens.written) text += ", " + std::to_string(*tokens.written) + " written";
    if (tokens.unclear) text += ", " + std::to_string(*tokens.unclear) + " unclear";
    return text;
  };
  std::size_t compared = 0;
  for (const auto& recording : corpus()) {
    const auto found = expected.find(recording.id.substr(recording.id.find('/') + 1));
    if (found == expected.end()) continue;
    ++compared;
    EXPECT_EQ(in_words(read_chat(recording.body).usage), found->second) << recording.id;
  }
  EXPECT_EQ(compared, expected.size());
}

/// Shapes and the features in recordings' heads with the same meaning.
TEST(ChatCorpus, HasTheShapesThatItsHeadsName) {
  const std::map<std::string, std::string> shape_of = {
      {"interleaved", "interleaved_tools"},     {"two_choices", "several_choices"},
      {"nameless_call", "name_never"},          {"truncated", "nothing"},
      {"shared_index", "same_index_new_id"},    {"broken_arguments", "arguments_unreadable"},
      {"truncated_arguments", "arguments_cut"}, {"late_fields", "after_finish"}};
  // These features occur in the bytes without effect: in another choice, under a null, in an empty call.
  const std::set<std::string> kOtherwise = {
      "openai.chat/tool-name-nothing", "openai.chat/text-beside-empty-reasoning",
      "openai.chat/thinking-key-thinking-null", "openai.chat/text-other-choice-alone",
      "openai.chat/error-in-place-of-a-stream"};
  std::set<std::string> shapes;
  for (const ChatShapeEntry& entry : kChatShapes) shapes.emplace(entry.name);
  std::size_t compared = 0;
  for (const auto& recording : corpus()) {
    const Answer meaning = read_chat(recording.body);
    for (const std::string& feature : recording.features) {
      const auto other = shape_of.find(feature);
      const std::string shape = other == shape_of.end() ? feature : other->second;
      if (shapes.count(shape) == 0 || kOtherwise.count(recording.id) == 1) continue;
      ++compared;
      EXPECT_EQ(meaning.shapes.count(shape), 1u) << recording.id << " " << feature;
    }
  }
  EXPECT_GT(compared, 240u);
}

std::vector<SseEvent> events_of(std::string_view body) {
  SseReader reader;
  reader.feed(body);
  reader.finish();
  return reader.events();
}

ChatReading reading_of(std::string_view body) {
  ChatReading reading;
  for (const SseEvent& event : events_of(body)) reading.take(event);
  reading.take_plain_body(body);
  return reading;
}

/// True if `later` contains all of `earlier`.
bool grows(const Answer& earlier, const Answer& later) {
  if (earlier.parts.size() > later.parts.size()) return false;
  for (std::size_t i = 0; i < earlier.parts.size(); ++i) {
    const Part& a = earlier.parts[i];
    const Part& b = later.parts[i];
    if (a.kind != b.kind || a.id != b.id || a.name != b.name || a.rank != b.rank) return false;
    if (!b.text.starts_with(a.text) || !b.arguments.starts_with(a.arguments)) return false;
  }
  return std::includes(later.shapes.begin(), later.shapes.end(), earlier.shapes.begin(),
                       earlier.shapes.end()) &&
         (!earlier.done || later.done) && (!earlier.error || later.error == earlier.error);
}

TEST(ChatCorpus, ReadingsDoNotDependOnTheCuts) {
  for (const auto& recording : corpus()) {
    SseReader reader;
    ChatReading reading;
    std::size_t taken = 0;
    const auto take = [&] {
      for (; taken < reader.events().size(); ++taken) reading.take(reader.events()[taken]);
    };
    for (const char byte : recording.body) {
      reader.feed(std::string_view(&byte, 1));
      take();
    }
    reader.finish();
    take();
    reading.take_plain_body(recording.body);
    EXPECT_EQ(reading, reading_of(recording.body)) << recording.id;
  }
}

TEST(ChatCorpus, ReadingsOnlyGrowAndEndInTheWholeAnswer) {
  for (const auto& recording : corpus()) {
    ChatReading reading;
    Answer before;
    for (const SseEvent& event : events_of(recording.body)) {
      reading.take(event);
      EXPECT_TRUE(grows(before, reading.so_far())) << recording.id;
      before = reading.so_far();
    }
    reading.take_plain_body(recording.body);
    before = reading.so_far();
    const Answer whole = read_chat(recording.body);
    EXPECT_EQ(reading.finished(), whole) << recording.id;
    EXPECT_TRUE(grows(before, whole)) << recording.id;
    for (const auto& [what, value] : before.extra) EXPECT_EQ(whole.extra.at(what), value) << recording.id;
    if (whole.shapes.count("half_alone") == 1) continue;  // its waiting content appears only at the end
    Answer with_rest = before;
    for (std::size_t i = before.parts.size(); i < whole.parts.size(); ++i) {
      EXPECT_EQ(whole.parts[i].kind, PartKind::call) << recording.id;
      EXPECT_TRUE(whole.parts[i].id.empty() || whole.parts[i].name.empty()) << recording.id;
      with_rest.parts.push_back(whole.parts[i]);
    }
    with_rest.shapes = whole.shapes;
    with_rest.begun = whole.begun;
    with_rest.extra = whole.extra;  // of other choices
    with_rest.usage = whole.usage;  // the total changes the other counts
    EXPECT_EQ(with_rest, whole) << recording.id;
  }
}

/// Returns the invariant that a meaning breaks. They hold for any bytes.
std::string broken_promise(const Answer& meaning) {
  for (const std::string& said :
       {meaning.model, meaning.error.value_or(""), meaning.finish.value_or(FinishReason()).word}) {
    if (find_ill_formed_utf8(said) != said.npos) return "an ill-formed word";
  }
  PartKind last = PartKind::call;
  for (const Part& part : meaning.parts) {
    for (const std::string& said : {part.text, part.arguments, part.id, part.name, part.signature}) {
      if (find_ill_formed_utf8(said) != said.npos) return "ill-formed text";
    }
    if (part.kind == PartKind::call && part.id.empty() && part.name.empty() && part.arguments.empty())
      return "a call of nothing";
    if (part.kind != PartKind::call && part.text.empty() && part.signature.empty()) return "prose of nothing";
    const bool may_follow = part.kind == PartKind::call || part.kind == PartKind::thinking;
    const bool spliced = meaning.shapes.count("spliced") == 1;
    if (part.kind == last && !may_follow && !spliced) return "prose in two parts";
    last = part.kind;
  }
  if (meaning.error.has_value() != (meaning.shapes.count("error") == 1)) return "error and its shape";
  if (meaning.done == (meaning.shapes.count("no_done") == 1)) return "done and its shape";
  return "";
}

// Step between tested bytes of a body. The next body begins one further.
constexpr std::size_t kStride = kSanitized ? 61 : 3;

TEST(ChatCorpus, CutOffStreamHasNoMoreContentThanTheWhole) {
  std::size_t number = 0;
  for (const auto& recording : corpus()) {
    const ChatReading whole = reading_of(recording.body);
    for (std::size_t size = number++ % kStride; size < recording.body.size(); size += kStride) {
      const ChatReading cut = reading_of(std::string_view(recording.body).substr(0, size));
      ASSERT_EQ(broken_promise(cut.finished()), "") << recording.id << " " << size;
      ASSERT_TRUE(grows(cut.so_far(), whole.finished()) ||
                  cut.so_far().shapes.count("no_final_blank_line") == 1)
          << recording.id << " " << size;
    }
  }
}

TEST(ChatCorpus, WithAnyByteChangedStillReads) {
  std::size_t number = 0;
  std::size_t changes = 0;
  std::size_t changed_nothing = 0;
  for (const auto& recording : corpus()) {
    const Answer whole = read_chat(recording.body);
    const std::vector<SseEvent> events = events_of(recording.body);
    std::string body = recording.body;
    ChatReading before;  // the bytes before `from` are unchanged, so they are read once
    std::size_t from = 0;
    std::size_t next = 0;
    for (std::size_t at = number++ % kStride; at < body.size(); at += kStride) {
      for (; next < events.size() && events[next].end <= at; ++next) {
        before.take(events[next]);
        from = events[next].end;
      }
      for (const char flip : {'\x01', '\x20', '\x80'}) {
        body[at] ^= flip;
        ChatReading reading = before;
        for (const SseEvent& event : events_of(std::string_view(body).substr(from))) reading.take(event);
        reading.take_plain_body(body);
        const Answer meaning = reading.finished();
        ASSERT_EQ(broken_promise(meaning), "") << recording.id << "\n" << body;
        if (++changes % 16 == 0) {
          ASSERT_EQ(read_chat(body), meaning) << recording.id << " " << at;
        }
        changed_nothing += meaning == whole;
        body[at] ^= flip;
      }
    }
    ASSERT_EQ(body, recording.body);
  }
  EXPECT_GT(changed_nothing, 10000u / kStride) << "ids and times say nothing";
}

TEST(ChatCorpus, ReadingsOfRealStreamsEqualAnIndependentScripts) {
  const auto recordings = shared_recordings();
  if (recordings.empty()) GTEST_SKIP() << "../shared is absent";
  std::istringstream lines(file_bytes(recordings / "MEANING.jsonl"));
  std::size_t compared = 0;
  std::size_t torn_marks = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto expected = nlohmann::json::parse(line);
    if (!expected["unsure"].empty()) continue;
    ++compared;
    const std::string file = expected["file"];
    Answer meaning = read_chat(file_bytes(recordings / file));
    std::string said;
    std::string thought;
    auto calls = nlohmann::json::array();
    for (const Part& part : meaning.parts) {
      if (part.kind == PartKind::text) said += part.text;
      if (part.kind == PartKind::thinking) thought += part.text;
      if (part.kind == PartKind::call) {
        calls.push_back({{"id", part.id}, {"name", part.name}, {"arguments", part.arguments}});
      }
    }
    EXPECT_EQ(said, expected["text"].get<std::string>()) << file;
    EXPECT_EQ(thought, expected["thinking"].get<std::string>()) << file;
    EXPECT_EQ(calls, expected["calls"]) << file;
    const auto& finish = expected["finish"];
    EXPECT_EQ(meaning.finish ? meaning.finish->word : "none",
              finish.is_null() ? "none" : finish.get<std::string>())
        << file;
    EXPECT_EQ(meaning.error.has_value(), expected["error"].get<bool>()) << file;
    // The script drops an event without its blank line, as the standard requires. The harness reads its [DONE].
    const bool torn = meaning.shapes.count("no_final_blank_line") == 1;
    torn_marks += torn && meaning.done;
    EXPECT_EQ(meaning.done && !torn, expected["done"].get<bool>()) << file;
    EXPECT_EQ(broken_promise(meaning), "") << file;
  }
  std::cout << compared << " real streams mean what the script reads, " << torn_marks
            << " of them with a [DONE] that no blank line follows\n";
  EXPECT_GT(compared, 500u);
}

}  // namespace
}  // namespace splitproof::dialect::chat_corpus_test
