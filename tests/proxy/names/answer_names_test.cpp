#include "proxy/names/answer_names.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "proxy/names/arguments.hpp"
#include "proxy/upstream_request.hpp"
#include "proxy/wire/json_text.hpp"
#include "tests/proxy/dialect/notation.hpp"

namespace splitproof::names::answer_names_test {
namespace {

using proxy::dialect::notation;
using turn::CallPiece;
using turn::Event;

constexpr std::size_t kDepth = 128;
constexpr std::size_t kMost = 1 << 20;

AnswerNames filter() { return {map_of(Names::opencode), kDepth, kMost}; }

// Returns the output for the events and the end of the body.
std::vector<Event> told(const std::vector<Event>& events, AnswerNames names = filter()) {
  std::vector<Event> out;
  for (const Event& event : events) names.accept(event, out);
  names.finish(out);
  return out;
}

// Returns the non-empty pieces of one call's arguments.
std::vector<std::string> arguments_in(const std::vector<Event>& events, std::size_t call = 0) {
  std::vector<std::string> pieces;
  for (const Event& event : events) {
    const auto* piece = std::get_if<CallPiece>(&event);
    if (piece != nullptr && piece->call == call && !piece->arguments.empty())
      pieces.push_back(piece->arguments);
  }
  return pieces;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

const std::pair<const char*, std::string> kCalls[] = {
    {"Read", R"({"file_path":"/tmp/x.txt","offset":12345678901234567890})"},
    {"Write", "{\"content\":\"file_path \xE2\x86\x92 \\ud83d\\ude00\",\"file_path\":\"a\"} "},
    {"TodoWrite", R"({"todos":[{"activeForm":"x","status":"completed"}]})"},
    {"Agent", R"({ })"},
    {"Bash", R"({"run_in_background":true,"command":"cat <<E\n\"file_path\"\nE"})"},
    {"Glob", R"({"pattern":"file_path"})"},
    {"Other", R"({"file_path":"/a"})"},
    {"Read", R"({"file_path":"/a)"},
    {"Read", R"(["file_path"])"},
    {"Read", "{x}"},
    {"Read", "7"},
    {"Read", "null"},
    {"Read", ""},
};

// For any cuts of the arguments, with the name before, between or after them, the client gets them once, whole and
// unchanged.
TEST(AnswerNames, NoCutMatters) {
  std::size_t cuts = 0;
  for (const auto& [name, arguments] : kCalls) {
    SCOPED_TRACE(std::string(name) + " " + arguments);
    const MappedTool* tool = nullptr;
    for (const MappedTool& mapped : map_of(Names::opencode)) tool = mapped.upstream == name ? &mapped : tool;
    const std::string blanks = arguments.ends_with("} ") ? " " : "";
    const std::string wanted =
        tool == nullptr ? arguments
                        : told_arguments(*tool, Towards::client,
                                         arguments.substr(0, arguments.size() - blanks.size()), kDepth) +
                              blanks;
    for (std::size_t i = 0; i <= arguments.size(); ++i) {
      for (std::size_t j = i; j <= arguments.size(); ++j, ++cuts) {
        for (int named = 0; named < 3; ++named) {
          std::vector<Event> events = {CallPiece{0, 0, "c", "", arguments.substr(0, i)},
                                       CallPiece{0, 0, "", "", arguments.substr(i, j - i)},
                                       CallPiece{0, 0, "", "", arguments.substr(j)}};
          std::get<CallPiece>(events[static_cast<std::size_t>(named)]).name = name;
          ASSERT_EQ(joined(arguments_in(told(events))), wanted) << i << " " << j << " " << named;
        }
      }
    }
  }
  std::cout << cuts << " pairs of cuts\n";
}

TEST(AnswerNames, TellsArgumentsInOnePieceAsSoonAsTheyAreWhole) {
  EXPECT_EQ(
      notation(told({CallPiece{0, 0, "c", "Read", ""}, CallPiece{0, 0, "", "", "{\"file_"},
                     CallPiece{0, 0, "", "", "path\":"}, CallPiece{0, 0, "", "", "\"/a\"}"}, turn::Done{}})),
      "call0(c,Read,) call0(,,) call0(,,) call0(,,{\"filePath\":\"/a\"}) done");
  // Other tools' calls do not wait.
  EXPECT_EQ(notation(told({CallPiece{0, 0, "c", "Glob", "{\"pat"}, CallPiece{0, 0, "", "", "tern\":1}"}})),
            "call0(c,Glob,{\"pat) call0(,,tern\":1})");
  EXPECT_EQ(notation(told({CallPiece{0, 0, "c", "", "{\"pat"}, CallPiece{0, 0, "", "Other", "tern\":1}"}})),
            "call0(c,,) call0(,Other,{\"pattern\":1})");
}

TEST(AnswerNames, CallsSideBySideAreKeptApart) {
  const std::vector<Event> events =
      told({CallPiece{0, 0, "a", "Read", "{\"file_pa"}, CallPiece{1, 1, "b", "Edit", "{\"old_str"},
            CallPiece{0, 0, "", "", "th\":1}"}, CallPiece{1, 1, "", "", "ing\":2}"}});
  EXPECT_EQ(arguments_in(events, 0), (std::vector<std::string>{"{\"filePath\":1}"}));
  EXPECT_EQ(arguments_in(events, 1), (std::vector<std::string>{"{\"oldString\":2}"}));
}

TEST(AnswerNames, WhatWasCutOffIsToldBeforeTheEnd) {
  const std::vector<Event> begun = {CallPiece{0, 3, "c", "Read", "{\"file_path\":\"/a"}};
  for (const Event& end : {Event(turn::Done{}), Event(turn::Failure{turn::ErrorKind::api, "x"})}) {
    std::vector<Event> events = begun;
    events.push_back(end);
    const std::vector<Event> out = told(events);
    ASSERT_EQ(out.size(), 3U);
    EXPECT_EQ(out[1], Event(CallPiece{0, 3, "", "", "{\"file_path\":\"/a"}));
    EXPECT_EQ(out[2], end);
  }
  EXPECT_EQ(arguments_in(told(begun)), (std::vector<std::string>{"{\"file_path\":\"/a"}));
}

TEST(AnswerNames, NoMoreWaitsThanTheLimit) {
  std::vector<Event> out;
  AnswerNames names(map_of(Names::opencode), kDepth, 8);
  names.accept(CallPiece{0, 0, "c", "Read", "{\"12345678"}, out);
  EXPECT_EQ(arguments_in(out), (std::vector<std::string>{"{\"12345678"}));
  names.accept(CallPiece{0, 0, "", "", "\":1}"}, out);
  EXPECT_EQ(arguments_in(out).size(), 2U);
}

TEST(AnswerNames, ALoneSurrogateIsNoReasonToForgetTheRest) {
  const std::string half = "{\"x\":\"\xED\xA0\xBD";
  const std::string rest = "\xED\xB8\x80\",\"file_path\":1}";
  EXPECT_EQ(arguments_in(told({CallPiece{0, 0, "c", "Read", half}, CallPiece{0, 0, "", "", rest}})),
            (std::vector<std::string>{"{\"x\":\"\xF0\x9F\x98\x80\",\"filePath\":1}"}));
}

// An upstream stream in bytes: neither output nor state depends on the cuts.
TEST(AnswerNames, NeitherCutsOfBytesMatter) {
  const std::string body =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\","
      "\"function\":{\"name\":\"Read\",\"arguments\":\"{\\\"file_\"}}]}}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
      "\"function\":{\"arguments\":\"path\\\":\\\"/a\\\"}\"}}]},"
      "\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
  for (const proxy::dialect::ClientRow& client : proxy::dialect::clients()) {
    SCOPED_TRACE(client.protocol);
    TranslatorOptions options;
    options.client = &client;
    options.names = Names::opencode;
    request::Asked asked;
    ASSERT_TRUE(take_names(asked, options));
    options.reply.aliases = asked.aliases;
    Translator whole(options);
    std::string wanted;
    whole.feed(body, wanted);
    EXPECT_NE(wanted.find("filePath"), std::string::npos) << wanted;
    EXPECT_EQ(wanted.find("file_"), std::string::npos);
    EXPECT_NE(wanted.find("\"read\""), std::string::npos);
    EXPECT_EQ(wanted.find("\"Read\""), std::string::npos);
    for (std::size_t i = 0; i <= body.size(); ++i) {
      Translator cut(options);
      std::string out;
      cut.feed(std::string_view(body).substr(0, i), out);
      cut.feed(std::string_view(body).substr(i), out);
      ASSERT_EQ(out, wanted) << i;
      ASSERT_EQ(cut, whole) << i;
    }
  }
}

}  // namespace
}  // namespace splitproof::names::answer_names_test
