#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/ollama_chat/reading.hpp"
#include "harness/dialect/ollama_chat/upstream.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/framing.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/recut.hpp"
#include "tests/harness/dialect/chat_stream.hpp"
#include "tests/harness/observe/due_definition.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

// Meaning of Ollama's chat streams: single lines, the project's recordings, and streams of real servers.

namespace splitproof::dialect::ollama_reading_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

const OllamaUpstream kUpstream;
const std::string kEnd = R"({"done":true,"done_reason":"stop"})";

std::string in_short_of(const std::string& body) { return in_short(read(kUpstream, body)); }

/// Returns the meaning of a line before the end.
std::string line(const std::string& text) {
  const std::string end = " =stop done";
  const std::string all = in_short_of(text + "\n" + kEnd + "\n");
  return all.ends_with(end) ? all.substr(0, all.size() - end.size()) : all;
}

std::string message(const std::string& members) {
  return line(R"({"message":{)" + members + R"(},"done":false})");
}

std::string call(const std::string& element) { return message(R"("tool_calls":[)" + element + "]"); }

TEST(OllamaReading, ReadsEveryFormOfALine) {
  EXPECT_EQ(message(R"("role":"assistant","content":"a\n\u003cb")"), "text[a\n<b]");
  EXPECT_EQ(message(R"("content":"","thinking":"t")"), "thinking[t]");
  EXPECT_EQ(message(R"("content":"a","thinking":"t")"), "thinking[t] text[a]");
  EXPECT_EQ(message(R"("content":null)"), "=stop done");
  EXPECT_EQ(message(R"("content":["a"],"tool_calls":{})"), "=stop done");
  EXPECT_EQ(message(R"("content":"a\ud83d")"), "text[a\uFFFD]");
  EXPECT_EQ(call(R"({"id":"i","function":{"name":"f","arguments":{"a": 9007199254740993}}})"),
            R"(call[i|f|{"a": 9007199254740993}])");
  EXPECT_EQ(call(R"({"function":{"name":"f","arguments":{}}})"), "call[|f|{}]");
  EXPECT_EQ(call(R"({"id":"i","function":{"name":"f","arguments":"{\"a\":1}"}})"), R"(call[i|f|{"a":1}])");
  EXPECT_EQ(call(R"({"id":"i","function":{"name":"f","arguments":null}})"), "call[i|f|]");
  EXPECT_EQ(call(R"({"id":"i","function":{"name":"f"}})"), "call[i|f|]");
  EXPECT_EQ(call(R"({"id":"i","function":{"name":"f","arguments":[1]}})"), "call[i|f|[1]]");
  EXPECT_EQ(call(R"({"function":{}},{},7,null)"), "=stop done");
  EXPECT_EQ(
      call(
          R"({"id":"i","function":{"name":"f","arguments":{}}},{"id":"i","function":{"name":"f","arguments":{}}})"),
      "call[i|f|{}] call[i|f|{}]")
      << "each is a call of its own";
  EXPECT_EQ(line("{}"), "=stop done");
  EXPECT_EQ(line(" \t\r"), "=stop done");
  EXPECT_EQ(line(R"({"response":"of another endpoint"})"), "=stop done");
}

TEST(OllamaReading, CallsWithoutIdsComeLastByTheirNumbers) {
  const std::string calls =
      R"({"message":{"tool_calls":[{"function":{"index":1,"name":"g","arguments":{}}},)"
      R"({"function":{"index":0,"name":"f","arguments":{}}},{"id":"i","function":{"name":"h","arguments":{}}}]}})"
      "\n"
      R"({"message":{"content":"a"}})"
      "\n";
  const Answer answer = read(kUpstream, calls + kEnd);
  EXPECT_EQ(in_short(answer), "call[i|h|{}] text[a] call[|f|{}] call[|g|{}] =stop done");
  EXPECT_EQ(answer.begun, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(answer.shapes, (std::set<std::string>{"id_never", "prose_meanwhile"}));
}

TEST(OllamaReading, ReadsEveryFormOfTheEnd) {
  const std::string text = R"({"model":"m","message":{"content":"a"}})"
                           "\n";
  EXPECT_EQ(in_short_of(text), "text[a]");
  EXPECT_EQ(in_short_of(text + R"({"done":false,"done_reason":"stop"})"), "text[a]");
  EXPECT_EQ(in_short_of(text + R"({"done":"true"})"), "text[a]");
  EXPECT_EQ(in_short_of(text + R"({"done":true})"), "text[a] = done");
  EXPECT_EQ(in_short_of(text + kEnd + "\n" + text + "broken\n"), "text[a] =stop done");
  EXPECT_EQ(in_short_of(R"({"message":{"content":"a"},"done":true,"done_reason":"length"})"),
            "text[a] =length done");
  const auto kind = [](const std::string& reason) {
    return read(kUpstream, R"({"done":true,"done_reason":)" + reason + "}").finish->kind;
  };
  EXPECT_EQ(kind("\"length\""), FinishKind::length);
  EXPECT_EQ(kind("\"stop\""), FinishKind::stop);
  EXPECT_EQ(kind("null"), FinishKind::stop);
  EXPECT_EQ(kind("\"load\""), FinishKind::stop);
  EXPECT_EQ(kind("\"made_up\""), FinishKind::unknown);
  const Answer counted =
      read(kUpstream,
           text + R"({"model":"n","done":true,"prompt_eval_count":7,"eval_count":3,"eval_duration":9})");
  EXPECT_EQ(tokens_in_short(counted.usage), "7/-/3");
  EXPECT_EQ(counted.model, "m");
  EXPECT_EQ(tokens_in_short(read(kUpstream, R"({"done":true,"eval_count":1.5})").usage), "-/-/-");
}

TEST(OllamaReading, ReadsEveryFormOfAnError) {
  const std::string text = R"({"message":{"content":"a"}})"
                           "\n";
  const std::string none = "text[a] =stop done";
  for (const auto& [bad, meant] : std::map<std::string, std::string>{
           {R"({"error":"no"})", "text[a] !no"},
           {R"({"error":{"message":"no"}})", "text[a] !no"},
           {R"({"error":{"code":1}})", "text[a] !the server reported an error"},
           {R"({"error":"no","message":{"content":"b"},"done":true})", "text[ab] !no"},
           {R"({"error":""})", none},
           {R"({"error":null})", none},
           {"broken", "text[a] !line 1 cannot be read: "},
           {"[]", "text[a] !line 1 cannot be read: not a JSON object"},
           {"{} {}", "text[a] !line 1 cannot be read: "},
           {"{\"a\":\"\xFF\"}", "text[a] !line 1 cannot be read: not UTF-8 at byte 0"}}) {
    const std::string all = in_short_of(text + bad + "\n" + kEnd + "\n");
    EXPECT_TRUE(all.starts_with(meant)) << bad << ": " << all;
    const std::string tail = in_short_of(text + bad);  // truncated, or complete without its LF
    EXPECT_TRUE(bad.starts_with("{\"e") ? tail == in_short_of(text + bad + "\n") : tail == "text[a]")
        << bad << ": " << tail;
  }
  EXPECT_EQ(in_short_of("{\"error\":\"no\"}"), "!no");
}

std::vector<SharedStream> streams() {
  std::vector<SharedStream> all;
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  for (const auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings)
    if (recording.protocol == "ollama.chat") all.push_back({recording.id, recording.body, {}});
  return all;
}

/// The meaning of each, derived by hand from its bytes.
TEST(OllamaReading, MeansWhatTheBytesOfRecordingsSay) {
  const std::string leith = R"(call[call_q4gauge1|read_tide|{"harbour":"Leith"}])";
  std::map<std::string, std::string> expected = {
      {"end-inside-line", "text[The tide]"},
      {"end-without-done", "text[Look.] " + leith},
      {"error-after-text",
       "text[The tide] !an error was encountered while running the model: unexpected EOF"},
      {"error-first", "!model \"fable3:8b\" not found, try pulling it first"},
      {"finish-length", "text[Three fathoms and] =length done"},
      {"finish-load", "=load done"},
      {"finish-never-named", "text[Fair winds.] = done"},
      {"text-empty-lines", "text[Slack water.] =stop done"},
      {"text-escapes", "text[Say \"ahoy\" <b>\n\tback\\slash & {done}] =stop done"},
      {"text-multibyte", "text[Année é: 潮が 🌊満ちる 🚢⚓] =stop done"},
      {"done-reason-unknown", "text[The light turns.] =wick_out done"},
      {"text-plain", "text[The tide turns at nine.] =stop done"},
      {"text-with-end", "text[Safe harbour.] =stop done"},
      {"thinking-tags", "text[<think>\nAsk him.\n</think>\n\nAsk the pilot.] =stop done"},
      {"thinking-text", "thinking[Spring tide, so high.] text[Wait an hour.] =stop done"},
      {"tool-arguments-exact-numbers",
       R"(call[call_q4chart1|open_chart|{"z":9007199254740993,"scale":0.10000,"a":[1e3,-0],)"
       R"("note":"\u003c北\ud83c\udf0a"}] =stop done)"},
      {"tool-behind-text", "text[I'll look.] " + leith + " =stop done"},
      {"tool-id-never", R"(call[|read_tide|{"harbour": "Leith"}] =stop done)"},
      {"tool-parallel", leith + R"( call[call_q4vane1|read_wind|{"knots":true}] =stop done)"},
      {"tool-parallel-id-never", R"(call[|read_tide|{"harbour":"Wick"}] call[|read_wind|{}] =stop done)"},
      {"tool-plain", leith + " =stop done"},
  };
  for (const SharedStream& stream : streams())
    EXPECT_EQ(in_short_of(stream.body), expected[stream.name.substr(stream.name.find('/') + 1)])
        << stream.name;
  EXPECT_EQ(streams().size(), expected.size());
}

OllamaReading reading_of(const std::vector<SseEvent>& lines) {
  OllamaReading reading;
  for (const SseEvent& line : lines) reading.take(line);
  return reading;
}

TEST(OllamaReading, ItsStateDoesNotShowHowABodyWasCut) {
  for (const SharedStream& stream : streams()) {
    const std::string_view body = stream.body;
    std::vector<FrameReader> at;  // after this many bytes
    FrameReader whole(Framing::json_lines);
    for (std::size_t size = 0; size <= body.size(); ++size) {
      at.push_back(whole);
      if (size < body.size()) whole.feed(body.substr(size, 1));
    }
    for (std::size_t cut = 0; cut <= body.size(); cut += kSanitized ? 17 : 1) {
      FrameReader rest = at[cut];
      rest.feed(body.substr(cut));
      ASSERT_EQ(reading_of(rest.events()), reading_of(whole.events())) << stream.name << " " << cut;
    }
  }
}

TEST(OllamaReading, SaysMoreWithEachLineAndWhatIsDueIsWhatItsDefinitionSays) {
  for (const SharedStream& stream : streams()) {
    FrameReader frames(Framing::json_lines);
    frames.feed(stream.body);
    frames.finish();
    OllamaReading reading;
    FlushRequirement due((Choices()));
    Answer before;
    for (const SseEvent& line : frames.events()) {
      reading.take(line);
      const Answer& now = reading.so_far();
      ASSERT_LE(before.parts.size(), now.parts.size()) << stream.name;
      for (std::size_t i = 0; i < before.parts.size(); ++i) {
        EXPECT_TRUE(now.parts[i].text.starts_with(before.parts[i].text)) << stream.name;
        EXPECT_EQ(now.parts[i].arguments, before.parts[i].arguments) << stream.name;
      }
      EXPECT_EQ(due.after(now), due_by_definition(now, Choices())) << stream.name;
      before = now;
    }
  }
}

TEST(OllamaDealer, ChangesNoMeaning) {
  std::size_t recuts = 0;
  for (const SharedStream& stream : streams()) {
    std::string joined;
    const auto parts = ollama_dealer().take_apart(stream.body);
    for (const std::string_view event : parts->events()) joined += event;
    EXPECT_EQ(joined, stream.body);
    const Answer meaning = read(kUpstream, stream.body);
    const split::Recuts of(ollama_dealer(), stream.body);
    for (const std::string& label : of.plan(4, true, 1)) {
      const auto recut = of.make(label);
      if (!recut) continue;
      ++recuts;
      EXPECT_EQ(read(kUpstream, recut->body), meaning) << stream.name << " " << label << "\n" << recut->body;
      EXPECT_EQ(recut->arrivals.back(), recut->body.size());
    }
  }
  EXPECT_GT(recuts, 200u);
}

TEST(OllamaDealer, MakesCanariesOfBodiesThatEndWellWithText) {
  std::size_t made = 0;
  for (const SharedStream& stream : streams()) {
    const auto canary = ollama_canary(stream.body, 3);
    const Answer meaning = read(kUpstream, stream.body);
    EXPECT_EQ(canary.has_value(), meaning.done && in_short(meaning).find("text[") != std::string::npos)
        << stream.name;
    if (!canary) continue;
    ++made;
    EXPECT_NE(in_short_of(canary->body).find("Canary 4 begins. Canary 4 goes on. Canary 4 ends. "),
              std::string::npos)
        << stream.name;
  }
  EXPECT_GE(made, 8u);
}

TEST(OllamaUpstream, ItsTinyAnswerSaysOneWord) {
  std::string body;
  for (const std::string& piece : kUpstream.tiny_answer()) body += piece;
  EXPECT_EQ(in_short_of(body), "text[Ebb] =stop done");
}

}  // namespace
}  // namespace splitproof::dialect::ollama_reading_test
