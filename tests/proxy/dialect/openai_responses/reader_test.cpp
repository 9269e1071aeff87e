#include "proxy/dialect/openai_responses/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/dialect/notation.hpp"

namespace splitproof::proxy::dialect::openai_responses::reader_test {
namespace {

// An event for a stream: `type`, and data without it.
struct Sent {
  std::string type;
  std::string members;
};

std::string read(const std::vector<Sent>& stream, Limits limits = {}) {
  ResponsesReader reader(limits);
  std::vector<turn::Event> events;
  for (const auto& [type, members] : stream) {
    const std::string data = "{\"type\":\"" + type + "\"" + (members.empty() ? "" : "," + members) + "}";
    reader.read(wire::Frame{"", data}, events);
  }
  return notation(events);
}

std::string read_frame(const wire::Frame& frame) {
  ResponsesReader reader({});
  std::vector<turn::Event> events;
  reader.read(frame, events);
  return notation(events);
}

const std::string kAt0 = R"("output_index":0,"item_id":"a")";
const std::string kAt1 = R"("output_index":1,"item_id":"b")";
const std::string kPart0 = kAt0 + R"(,"content_index":0)";

Sent item(const std::string& stage, int index, const std::string& json) {
  return {"response.output_item." + stage, "\"output_index\":" + std::to_string(index) + ",\"item\":" + json};
}

Sent message(const std::string& stage, const std::string& content, int index = 0,
             const std::string& id = "a") {
  return item(stage, index, R"({"type":"message","id":")" + id + R"(","content":[)" + content + "]}");
}

std::string text(const std::string& said) { return R"({"type":"output_text","text":")" + said + "\"}"; }

Sent call(const std::string& stage, const std::string& members, int index = 0) {
  return item(stage, index,
              R"({"type":"function_call","id":"a")" + (members.empty() ? "" : "," + members) + "}");
}

Sent delta(const std::string& said, const std::string& at = kPart0) {
  return {"response.output_text.delta", at + ",\"delta\":\"" + said + "\""};
}

Sent all(const std::string& said, const std::string& at = kPart0) {
  return {"response.output_text.done", at + ",\"text\":\"" + said + "\""};
}

Sent arguments(const std::string& said) {
  return {"response.function_call_arguments.delta", kAt0 + ",\"delta\":\"" + said + "\""};
}

Sent all_arguments(const std::string& said) {
  return {"response.function_call_arguments.done", kAt0 + ",\"arguments\":\"" + said + "\""};
}

Sent end(const std::string& output, const std::string& more = "") {
  return {"response.completed", R"("response":{"model":"m","output":[)" + output + "]" + more + "}"};
}

const std::string kEnd = "begin(m) usage(-,-,-) finished(stop) done";
const std::string kOther = "failure(api,the upstream repeated a text of its answer as another)";

TEST(ResponsesReader, DeltasAreSentAtOnceAndNothingTwice) {
  EXPECT_EQ(read({{"response.created", R"("response":{"model":"m"})"},
                  message("added", ""),
                  {"response.content_part.added", kPart0 + ",\"part\":" + text("")},
                  delta("a"),
                  delta("b"),
                  all("ab"),
                  {"response.content_part.done", kPart0 + ",\"part\":" + text("ab")},
                  message("done", text("ab")),
                  end(R"({"type":"message","id":"a","content":[)" + text("ab") + "]}")}),
            "begin(m) text(a) text(b) close0 close0 close0 begin(m) close0 usage(-,-,-) finished(stop) done");
}

TEST(ResponsesReader, RepeatOfTheWholeTextAddsTheMissingRest) {
  const Sent part = {"response.content_part.done", kPart0 + ",\"part\":" + text("ab")};
  const std::string repeated = R"({"type":"message","id":"a","content":[)" + text("ab") + "]}";
  for (const Sent& whole : {all("ab"), part, message("done", text("ab"))}) {
    EXPECT_EQ(read({whole}), "text(ab) close0") << whole.type;
    EXPECT_EQ(read({delta("a"), whole}), "text(a) text(b) close0") << whole.type;
    EXPECT_EQ(read({delta("b"), whole}), "text(b) " + kOther) << whole.type;
    EXPECT_EQ(read({delta("abc"), whole}), "text(abc) " + kOther) << whole.type;
  }
  EXPECT_EQ(read({end(repeated)}), "begin(m) text(ab) close0 usage(-,-,-) finished(stop) done");
  EXPECT_EQ(read({delta("a"), end(repeated)}),
            "text(a) begin(m) text(b) close0 usage(-,-,-) finished(stop) done");
  for (const Sent& nothing : {all(""), message("done", text("")), message("done", "")})
    EXPECT_EQ(read({delta("a"), nothing}), "text(a)") << nothing.type << ": its part may go on";
}

TEST(ResponsesReader, DeltaThatRepeatsAllOthersIsSentIfItIsNew) {
  const Sent part = {"response.content_part.done", kPart0 + ",\"part\":" + text("ab")};
  const std::vector<Sent> deltas = {delta("a"), delta("b"), delta("ab")};
  const auto ends_with = [&](const std::vector<Sent>& rest) {
    std::vector<Sent> stream = deltas;
    stream.insert(stream.end(), rest.begin(), rest.end());
    return read(stream);
  };
  const std::string output = R"({"type":"message","id":"a","content":[)";
  EXPECT_EQ(read(deltas), "text(a) text(b)") << "it waits";
  for (const Sent& whole : {all("ab"), part, message("done", text("ab"))})
    EXPECT_EQ(ends_with({whole}), "text(a) text(b) close0") << whole.type;
  EXPECT_EQ(ends_with({all("abab")}), "text(a) text(b) text(ab) close0");
  EXPECT_EQ(ends_with({all("ababc")}), "text(a) text(b) text(abc) close0");
  EXPECT_EQ(ends_with({all("abc")}), "text(a) text(b) text(c) close0");
  EXPECT_EQ(ends_with({delta("c"), all("ababc")}), "text(a) text(b) text(abc) close0");
  EXPECT_EQ(ends_with({end(output + text("ab") + "]}")}),
            "text(a) text(b) begin(m) close0 usage(-,-,-) finished(stop) done");
  EXPECT_EQ(ends_with({end("")}), "text(a) text(b) begin(m) text(ab) usage(-,-,-) finished(stop) done");
  EXPECT_EQ(ends_with({{"error", R"("message":"m")"}}), "text(a) text(b) text(ab) failure(api,m)");
  EXPECT_EQ(ends_with({{"response.failed", R"("response":{"error":{"message":"m"}})"}}),
            "text(a) text(b) begin() text(ab) failure(api,m)");
  EXPECT_EQ(read({delta("a"), delta("a"), all("aa")}), "text(a) text(a) close0")
      << "one delta is no evidence";
  const std::string other = R"("output_index":1,"item_id":"b","content_index":0)";
  EXPECT_EQ(ends_with({delta("x", other), all("ab")}), "text(a) text(b) text4096(x) close0")
      << "another part decides nothing";
}

TEST(ResponsesReader, ArgumentsThatComeAgainAsADeltaAreSentOnce) {
  const std::string whole = R"({\"a\":1})";
  const std::vector<Sent> deltas = {arguments(R"({\"a\":)"), arguments("1}"), arguments(whole)};
  const std::string sent = "call0(,,) call0(,,{\"a\":) call0(,,1})";
  const auto ends_with = [&](const Sent& last) {
    std::vector<Sent> stream = deltas;
    stream.push_back(last);
    return read(stream);
  };
  EXPECT_EQ(ends_with(all_arguments(whole)), sent);
  EXPECT_EQ(ends_with(all_arguments(whole + whole)), sent + " call0(,,{\"a\":1})");
  EXPECT_EQ(ends_with(end("")), sent + " " + kEnd) << "a call has its arguments once";
  EXPECT_EQ(read({arguments("["), arguments("["), arguments("[["), end("")}),
            "call0(,,) call0(,,[) call0(,,[) begin(m) call0(,,[[) usage(-,-,-) finished(stop) done");
}

TEST(ResponsesReader, EndOfTheBodySendsWaitingContent) {
  ResponsesReader reader({});
  std::vector<turn::Event> events;
  for (const char* said : {"a", "b", "ab"})
    reader.read(wire::Frame{"", R"({"type":"response.output_text.delta","output_index":0,"delta":")" +
                                    std::string(said) + "\"}"},
                events);
  reader.finish(turn::BodyEnd::reset, events);
  reader.finish(turn::BodyEnd::reset, events);
  EXPECT_EQ(notation(events), "text(a) text(b) text(ab)");
}

TEST(ResponsesReader, WaitingBytesAreLimited) {
  Limits limits;
  limits.waiting_bytes = 3;
  const auto of = [](int index, const std::string& said) {
    return delta(said, "\"output_index\":" + std::to_string(index) + ",\"item_id\":\"i" +
                           std::to_string(index) + "\"");
  };
  const std::vector<Sent> one = {of(0, "a"), of(0, "b"), of(0, "ab")};
  EXPECT_EQ(read(one, limits), "text(a) text(b)");
  std::vector<Sent> two = one;
  two.insert(two.end(), {of(1, "a"), of(1, "b"), of(1, "ab")});
  EXPECT_NE(read(two, limits).find("failure(api,too many bytes of the upstream wait"), std::string::npos);
  two.insert(two.begin() + 3, of(0, "c"));
  EXPECT_EQ(read(two, limits).find("failure"), std::string::npos) << "a delta that was sent waits no longer";
}

TEST(ResponsesReader, DeltasContinueTheTextOfTheStart) {
  EXPECT_EQ(read({message("added", text("a")), delta("b"), all("ab")}), "text(a) text(b) close0");
  EXPECT_EQ(read({{"response.content_part.added", kPart0 + ",\"part\":" + text("a")}, delta("b")}),
            "text(a) text(b)");
}

const std::string kNowhere = R"("content_index":0)";
const std::string kLost =
    "failure(api,an event of the upstream does not tell which item it is of) text4096(a)";

TEST(ResponsesReader, EventsWithoutAnAddressBelongToTheLatestItem) {
  EXPECT_EQ(read({delta("a", kNowhere), delta("b", kNowhere), all("ab", kNowhere)}),
            "text(a) text(b) close0");
  EXPECT_EQ(read({message("added", "", 3), delta("a", kNowhere)}), kLost);
}

TEST(ResponsesReader, PartsAndItemsStayApart) {
  const std::string at1 = R"("output_index":0,"item_id":"a","content_index":1)";
  EXPECT_EQ(read({delta("a"), delta("b", at1), delta("c", kAt1)}), "text(a) text1(b) text4096(c)");
  EXPECT_EQ(read({message("done", text("a") + R"(,{"type":"refusal","refusal":"no"},{"type":"tide"})")}),
            "unplaced(content of an unknown kind) text(a) close0 refusal1(no) close1");
  EXPECT_EQ(read({{"response.refusal.delta", kPart0 + R"(,"delta":"n")"},
                  {"response.refusal.done", kPart0 + R"(,"refusal":"no")"}}),
            "refusal(n) refusal(o) close0");
}

// Some servers number the only part 1.
TEST(ResponsesReader, PartsWithAGapAreKnownByTheirOrder) {
  const std::string at = kAt0 + R"(,"content_index":1)";
  EXPECT_EQ(read({delta("ab", at), message("done", text("ab"))}), "text(ab) close0");
  EXPECT_EQ(read({delta("b", at), message("done", text("a") + "," + text("b"))}),
            "text(b) text1(a) close1 close0");
}

TEST(ResponsesReader, IdsThatChangeOnTheWay) {
  EXPECT_EQ(read({message("added", ""), delta("a", R"("output_index":0,"item_id":"x","content_index":0)"),
                  message("done", text("ab"), 0, "y"),
                  end(R"({"type":"message","id":"z","content":[)" + text("ab") + "]}")}),
            "text(a) text(b) close0 begin(m) close0 usage(-,-,-) finished(stop) done");
  EXPECT_EQ(read({delta("a", R"("item_id":"x")"), delta("b", R"("item_id":"x")")}), "text(a) text(b)");
}

TEST(ResponsesReader, ItemThatBeginsIsAnother) {
  EXPECT_EQ(read({message("added", "", 0, "a"), delta("x", kPart0), message("added", "", 0, "b"),
                  delta("y", R"("output_index":0,"item_id":"b")"), delta("z", kPart0)}),
            "text(x) text4096(y) text(z)");
  EXPECT_EQ(read({message("added", ""), delta("x"), message("added", ""), delta("y")}),
            "text(x) text4096(y)");
}

TEST(ResponsesReader, ItemThatWasNamedBeforeIsTheSame) {
  const std::string named = R"("call_id":"i","name":"f")";
  const std::string once = "call0(,,) call0(i,f,) call0(,,{})";
  const auto piece = [](const std::string& at, const std::string& said) {
    return Sent{"response.function_call_arguments.delta", at + ",\"delta\":\"" + said + "\""};
  };
  for (const std::string& at : {kAt0, std::string(R"("item_id":"a")"), std::string(R"("output_index":0)")}) {
    EXPECT_EQ(read({piece(at, ""), call("added", named), arguments("{}")}), once) << at;
    EXPECT_EQ(read({piece(at, "{"), call("added", named), arguments("}")}),
              "call0(,,) call0(,,{) call0(i,f,) call0(,,})")
        << at;
  }
  EXPECT_EQ(read({piece(kAt0, ""), call("added", named), call("added", R"("call_id":"j","name":"g")")}),
            "call0(,,) call0(i,f,) call1(,,) call1(j,g,)")
      << "one that was added is another";
  EXPECT_EQ(read({piece(kAt1, ""), item("added", 1, R"({"type":"function_call","id":"x",)" + named + "}")}),
            "call0(,,) call1(,,) call1(i,f,)")
      << "under another id";
  const Sent part = {"response.content_part.added", kPart0 + ",\"part\":" + text("")};
  EXPECT_EQ(read({part, message("added", ""), delta("a"), message("done", text("a")),
                  end(R"({"type":"message","id":"a","content":[)" + text("a") + "]}")}),
            "text(a) close0 begin(m) close0 usage(-,-,-) finished(stop) done");
}

TEST(ResponsesReader, EndRepeatsItemsInTheirOrder) {
  const std::string first = R"({"type":"message","id":"y","content":[)" + text("a") + "]}";
  const std::string second = R"({"type":"message","id":"z","content":[)" + text("b") + "]}";
  EXPECT_EQ(read({delta("a"), delta("b", kAt1), end(first + "," + second)}),
            "text(a) text4096(b) begin(m) close0 close4096 usage(-,-,-) finished(stop) done");
  EXPECT_EQ(read({delta("a"), delta("b", kAt1), end("")}), "text(a) text4096(b) " + kEnd);
  EXPECT_EQ(read({delta("a"), end(first + "," + second)}),
            "text(a) begin(m) close0 text4096(b) close4096 usage(-,-,-) finished(stop) done");
}

TEST(ResponsesReader, ReasoningIsTheSummaryOrOtherwiseTheWhole) {
  const auto summary = [](const std::string& said) {
    return Sent{"response.reasoning_summary_text.delta",
                kAt0 + R"(,"summary_index":0,"delta":")" + said + "\""};
  };
  const auto full = [](const std::string& said) {
    return Sent{"response.reasoning_text.delta", kPart0 + ",\"delta\":\"" + said + "\""};
  };
  const std::string both =
      R"({"type":"reasoning","id":"a","encrypted_content":"x","content":[{"type":"reasoning_text","text":"f"}],)"
      R"("summary":[{"type":"summary_text","text":"s"},{"type":"summary_text","text":"t"}]})";
  EXPECT_EQ(read({summary("s"), full("f"), summary("t")}), "thinking(s) thinking(t)");
  EXPECT_EQ(read({full("f"), summary("s"), full("g")}), "thinking(f) thinking(g)");
  EXPECT_EQ(read({item("done", 0, both)}), "thinking(s) close0 thinking1(t) close1");
  EXPECT_EQ(read({full("f"), item("done", 0, both)}), "thinking(f) close0");
  EXPECT_EQ(
      read({item("done", 0,
                 R"({"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"f"}]})")}),
      "thinking(f) close0");
  EXPECT_EQ(read({{"response.reasoning_summary_part.added",
                   kAt0 + R"(,"summary_index":0,"part":{"type":"summary_text","text":""})"},
                  {"response.reasoning_summary_part.done",
                   kAt0 + R"(,"summary_index":0,"part":{"type":"summary_text","text":"s"})"},
                  {"response.reasoning_summary_text.done", kAt0 + R"(,"summary_index":0,"text":"st")"}}),
            "thinking(s) close0 thinking(t) close0");
}

TEST(ResponsesReader, Calls) {
  const std::string named = R"("call_id":"i","name":"f")";
  const std::string whole = named + R"(,"arguments":"{\"n\":1}")";
  const std::string opened = "call0(,,) call0(i,f,)";
  EXPECT_EQ(read({call("added", named + R"(,"arguments":"")"), arguments(R"({\"n\":)"), arguments("1}"),
                  all_arguments(R"({\"n\":1})"), call("done", whole)}),
            opened + R"( call0(,,{"n":) call0(,,1}))");
  for (const Sent& only : {call("done", whole), end(R"({"type":"function_call","id":"a",)" + whole + "}")})
    EXPECT_NE(read({call("added", named), only}).find(R"(call0(,,{"n":1}))"), std::string::npos) << only.type;
  EXPECT_EQ(read({call("added", named), all_arguments(R"({\"n\":1})")}), opened + R"( call0(,,{"n":1}))");
  EXPECT_EQ(read({call("added", R"("name":"f")"), arguments("{}"),
                  call("done", R"("call_id":"i","name":"f","arguments":"{}")")}),
            "call0(,,) call0(,f,) call0(,,{}) call0(i,,)");
  EXPECT_EQ(read({call("added", named), call("done", R"("call_id":"","name":"","arguments":"")")}), opened);
}

TEST(ResponsesReader, CallIdIdentifiesACallOnlyIfNothingElseDoes) {
  const std::string whole = R"({"type":"function_call","call_id":"i","name":"f","arguments":"{}")";
  const auto done = [&](const std::string& at, const std::string& id) {
    return Sent{"response.output_item.done", at + "\"item\":" + whole + id + "}"};
  };
  const std::string first = "call0(,,) call0(i,f,) call0(,,{})";
  const std::string second = " call1(,,) call1(i,f,) call1(,,{})";
  const Sent added = call("added", R"("id":"","call_id":"i","name":"f")");
  EXPECT_EQ(read({added, done("", "")}), first);
  EXPECT_EQ(read({added, done("", ""), done("", "")}), first + second) << "the first one is done";
  EXPECT_EQ(read({done(R"("output_index":0,)", ""), done(R"("output_index":1,)", "")}), first + second);
  EXPECT_EQ(read({done("", R"(,"id":"a")"), done("", R"(,"id":"b")")}), first + second);
}

TEST(ResponsesReader, ContradictionOfACallIsAnError) {
  const std::string named = R"("call_id":"i","name":"f")";
  const std::string opened = "call0(,,) call0(i,f,) ";
  EXPECT_EQ(read({call("added", named), call("done", R"("call_id":"i","name":"g")")}),
            opened + "failure(api,the upstream gave a tool call another name)");
  EXPECT_EQ(read({call("added", named), call("done", R"("call_id":"j","name":"f")")}),
            "call0(,,) call0(i,f,)")
      << "either id will do";
  EXPECT_EQ(read({call("added", named), arguments("{}"), all_arguments("[]")}),
            opened + "call0(,,{}) failure(api,the upstream repeated the arguments of a tool call as others)");
}

TEST(ResponsesReader, ArgumentsOfTheStartCountIfNoOthersCome) {
  const Sent begun = call("added", R"("call_id":"i","name":"f","arguments":"{}")");
  const std::string opened = "call0(,,) call0(i,f,) ";
  EXPECT_EQ(read({begun, arguments("[1]"), end("")}), opened + "call0(,,[1]) " + kEnd);
  EXPECT_EQ(read({begun, end("")}), opened + "begin(m) call0(,,{}) usage(-,-,-) finished(stop) done");
  EXPECT_EQ(read({begun, call("done", "")}), opened + "call0(,,{})");
  EXPECT_EQ(read({begun, {"error", R"("message":"no")"}}), opened + "failure(api,no)");
  Limits limits;
  limits.call_bytes = 3;
  EXPECT_EQ(read({begun, call("added", R"("id":"b","arguments":"{}")")}, limits),
            opened + "call1(,,) failure(api,the upstream's tool calls are larger than one message may hold)");
}

TEST(ResponsesReader, EventWithoutAKnownItemIsAnError) {
  const std::string failure = "failure(api,an event of the upstream does not tell which item it is of)";
  const Sent first = message("added", "");
  const Sent second = message("added", "", 1, "b");
  const auto at = [](int index, const std::string& id) {
    return "\"output_index\":" + std::to_string(index) + ",\"item_id\":\"" + id + "\"";
  };
  EXPECT_EQ(read({first, second, delta("x", at(1, "y")), delta("z", at(7, "b"))}), "text4096(x) text4096(z)");
  EXPECT_EQ(read({first, message("added", "", 1, "a"), delta("x", at(0, "a"))}), "text(x)")
      << "one id for all";
  const auto fails = [&](const std::vector<Sent>& stream) {
    return read(stream).find(failure) != std::string::npos;
  };
  EXPECT_TRUE(fails({first, second, delta("x", at(0, "b"))})) << "two items";
  EXPECT_TRUE(fails({first, arguments("{}")})) << "one of another type";
  EXPECT_TRUE(fails({item("added", 0, R"({"type":"tide","id":"a"})"), arguments("{}")}));
  EXPECT_TRUE(fails({call("added", ""), item("done", 0, R"({"type":"tide","id":"a"})")}));
  EXPECT_TRUE(fails({first, delta("x", at(7, "y"))})) << "none, where one is open";
  EXPECT_FALSE(fails({first, message("done", ""), delta("x", at(7, "y"))}));
}

// Otherwise the same text would become two parts.
TEST(ResponsesReader, ItemRepeatsThePartsThatSpoke) {
  const std::string at4 = kAt0 + R"(,"content_index":4)";
  const Sent empty = {"response.content_part.added", at4 + ",\"part\":" + text("")};
  const std::string at1 = kAt0 + R"(,"content_index":1)";
  EXPECT_EQ(read({empty, delta("ab", at1), message("done", text("ab"))}), "text1(ab) close1");
  EXPECT_EQ(read({delta("a"), delta("b", at1), message("done", text("ab"))}), "text(a) text1(b) close0")
      << "one part, whose number counted up";
  EXPECT_EQ(read({delta("a"), delta("b", at1), message("done", text("ax"))}),
            "text(a) text1(b) failure(api,the upstream repeated an item with other parts)");
}

TEST(ResponsesReader, ItemsOfTheProviderGiveNoContent) {
  for (const char* type : {"web_search_call", "custom_tool_call", "mcp_call", "tool_search_call"}) {
    const std::string json =
        R"({"type":")" + std::string(type) + R"(","id":"a","call_id":"i","name":"f","input":"x"})";
    EXPECT_EQ(read({item("added", 0, json), item("done", 0, json), end(json)}), kEnd) << type;
  }
  EXPECT_EQ(read({{"response.custom_tool_call_input.delta", kAt0 + R"(,"delta":"x")"},
                  {"response.output_text.annotation.added", kPart0 + R"(,"annotation":{})"},
                  {"response.web_search_call.searching", kAt0},
                  {"keepalive", ""},
                  {"", ""}}),
            "");
  for (const char* data : {"[DONE]", "", " "}) EXPECT_EQ(read_frame(wire::Frame{"", data}), "");
}

const std::string kCallLost =
    "begin(m) unplaced(a call of a tool that is no function) usage(-,-,-) finished(stop) done";

TEST(ResponsesReader, ContentOfUnknownKindsIsUnplaced) {
  const std::string unknown = "unplaced(content of an unknown kind)";
  EXPECT_EQ(read({item("done", 0, R"({"type":"tide","id":"a"})")}), unknown);
  EXPECT_EQ(read({{"response.tide.delta", kAt0 + R"(,"delta":"x")"}}), unknown);
  EXPECT_EQ(read({{"response.tide.done", kAt0 + R"(,"text":"x")"}}), unknown);
  EXPECT_EQ(read({message("done", R"({"type":"tide"})")}), unknown);
  EXPECT_EQ(read({{"response.tide.delta", kAt0 + R"(,"delta":"")"}, {"response.tide.added", kAt0}}), "");
}

TEST(ResponsesReader, CallsForTheClientThatAreNoFunctionsAreUnplaced) {
  for (const char* type :
       {R"("computer_call")", R"("apply_patch_call")", R"("shell_call")", R"("local_shell_call")",
        R"("mcp_approval_request")", R"("tool_search_call","execution":"client")"}) {
    for (const char* id : {"", R"(,"id":"a")", R"(,"id":"a","call_id":"i")"}) {
      const std::string json = R"({"type":)" + std::string(type) + id + "}";
      EXPECT_EQ(read({item("added", 0, json), end("")}), kCallLost) << json;
      EXPECT_EQ(read({item("done", 0, json), end("")}), kCallLost) << json;
      EXPECT_EQ(read({end(json)}), kCallLost) << json;
      EXPECT_EQ(read({item("added", 0, json), item("done", 0, json), end(json)}), kCallLost) << json;
    }
  }
}

TEST(ResponsesReader, CallsThatTheProviderRanAreLeftOut) {
  const std::string shell = R"({"type":"shell_call","id":"a","call_id":"i"})";
  const std::string output = R"({"type":"shell_call_output","id":"b","call_id":"i"})";
  const std::string other = R"({"type":"shell_call_output","id":"b","call_id":"j"})";
  EXPECT_EQ(read({item("done", 0, shell), item("added", 1, output), end(shell + "," + output)}), kEnd);
  EXPECT_EQ(read({item("done", 0, shell), item("done", 1, output), end(shell)}), kEnd);
  EXPECT_EQ(read({end(output + "," + shell)}), kEnd);
  EXPECT_EQ(read({end(shell + "," + other)}), kCallLost);
  EXPECT_EQ(read({end(R"({"type":"tool_search_call","execution":"server","id":"a"})")}), kEnd);
}

TEST(ResponsesReader, ImagesAreUnplaced) {
  const auto image = [](const std::string& members) {
    return R"({"type":"image_generation_call","id":"a")" + members + "}";
  };
  const std::string drawn = image(R"(,"status":"completed","result":"QQ==")");
  const std::string failed = image(R"(,"status":"failed","result":null)");
  EXPECT_EQ(read({item("added", 0, image(R"(,"status":"in_progress","result":null)"))}), "");
  EXPECT_EQ(read({item("done", 0, drawn)}), "unplaced(an image)");
  EXPECT_EQ(read({end(drawn)}), "begin(m) unplaced(an image) usage(-,-,-) finished(stop) done");
  EXPECT_EQ(read({item("done", 0, failed)}), "unplaced(an image that failed)");
  EXPECT_EQ(read({item("done", 0, image(R"(,"status":"completed")"))}), "");
}

TEST(ResponsesReader, AudioIsUnplaced) {
  for (const char* type : {"audio", "audio.transcript", "output_audio", "output_audio_transcript"}) {
    for (const char* ending : {".delta", ".done"})
      EXPECT_EQ(read({{"response." + std::string(type) + ending, R"("delta":"QQ==")"}}), "unplaced(audio)")
          << type;
  }
  const std::string part = R"({"type":"output_audio","data":"QQ==","transcript":"a"})";
  EXPECT_EQ(read({{"response.content_part.done", kPart0 + R"(,"part":)" + part}}), "unplaced(audio)");
  EXPECT_EQ(read({message("done", part)}), "unplaced(audio)");
}

TEST(ResponsesReader, LastEventGivesTheFinishReason) {
  const auto ended = [](const std::string& type, const std::string& members) {
    return read({{"response." + type, R"("response":{"model":"m")" + members + "}"}});
  };
  EXPECT_EQ(ended("completed", ""), kEnd);
  const auto incomplete = [&](const std::string& reason) {
    return ended("incomplete", R"(,"incomplete_details":{"reason":")" + reason + "\"}");
  };
  EXPECT_EQ(incomplete("max_output_tokens"), "begin(m) usage(-,-,-) finished(length) done");
  EXPECT_EQ(incomplete("content_filter"), "begin(m) usage(-,-,-) finished(content_filter) done");
  EXPECT_EQ(ended("incomplete", ""), "begin(m) usage(-,-,-) finished(length) done");
  EXPECT_EQ(ended("failed", R"(,"error":{"code":"rate_limit_exceeded","message":"slow"})"),
            "begin(m) failure(rate_limit,slow)");
  EXPECT_EQ(
      ended("failed", R"(,"output":[{"type":"message","content":[)" + text("a") + R"(]}],"error":null)"),
      "begin(m) failure(api,the upstream reported an error)");
  EXPECT_EQ(ended("failed", R"(,"error":null)"), "begin(m) failure(api,the upstream reported an error)");
  EXPECT_EQ(ended("cancelled", ""), "begin(m) failure(api,the upstream cancelled the response)");
  EXPECT_EQ(read({{"response.completed", ""}}), "begin() usage(-,-,-) finished(stop) done");
}

TEST(ResponsesReader, AnotherResponseIsAnError) {
  const auto created = [](const std::string& members) {
    return Sent{"response.created", "\"response\":{\"model\":\"m\"" + members + "}"};
  };
  const Sent first = created(R"(,"id":"a")");
  EXPECT_EQ(
      read({first, first, created(""), {"response.in_progress", R"("response":{"model":"m","id":"b"})"}}),
      "begin(m) begin(m) begin(m) begin(m)");
  EXPECT_EQ(read({first, created(R"(,"id":"b")")}),
            "begin(m) failure(api,the upstream began another response)");
}

TEST(ResponsesReader, LastValueOfEachCountIsUsed) {
  EXPECT_EQ(
      read({{"response.created", R"("response":{"model":"m","usage":{"input_tokens":1,"output_tokens":1}})"},
            end("",
                R"(,"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":3},"output_tokens":null,
                         "output_tokens_details":{"reasoning_tokens":2}})")}),
      "begin(m) begin(m) usage(9,3,1,2) finished(stop) done");
}

TEST(ResponsesReader, Errors) {
  const std::vector<std::pair<std::string, std::string>> codes = {
      {"rate_limit_exceeded", "rate_limit"},          {"insufficient_quota", "billing"},
      {"context_length_exceeded", "invalid_request"}, {"invalid_prompt", "invalid_request"},
      {"server_is_overloaded", "overloaded"},         {"server_error", "api"}};
  for (const auto& [code, kind] : codes) {
    const std::string members = R"("code":")" + code + R"(","message":"no")";
    EXPECT_EQ(read({{"error", members}}), "failure(" + kind + ",no)");
    EXPECT_EQ(read({{"error", "\"error\":{" + members + "}"}}), "failure(" + kind + ",no)");
    EXPECT_EQ(read_frame(wire::Frame{"", "{\"error\":{" + members + "}}"}), "failure(" + kind + ",no)");
    EXPECT_EQ(read_frame(wire::Frame{"error", "{" + members + "}"}), "failure(" + kind + ",no)");
  }
}

TEST(ResponsesReader, UnreadableEventIsAnError) {
  for (const char* data : {"{", "x", "\"\xff\""})
    EXPECT_EQ(read_frame(wire::Frame{"", data}), "failure(api,an event of the upstream is not JSON)") << data;
  EXPECT_EQ(read_frame(wire::Frame{"", "{", false}), "");
  wire::Frame large;
  large.oversized = true;
  EXPECT_EQ(read_frame(large), "failure(api,an event of the upstream is larger than 16777216 bytes)");
}

TEST(ResponsesReader, PlainJsonBodyIsReadOnlyIfItIsAnError) {
  wire::Frame body;
  body.bare = true;
  body.data = R"({"error":{"code":"invalid_api_key","message":"who"}})";
  EXPECT_EQ(read_frame(body), "failure(authentication,who)");
  body.data = R"({"object":"response","error":null,"output":[]})";
  EXPECT_EQ(read_frame(body), "");
}

TEST(ResponsesReader, ItemsAreLimited) {
  Limits limits;
  limits.parts = 3;
  const std::string failure = "failure(api,the upstream sent more items than one message may hold)";
  EXPECT_EQ(read({delta("a"), message("added", "", 1, "b"), message("added", "", 2, "c")}, limits),
            "text(a) " + failure);
  EXPECT_EQ(read({delta("a"), delta("b", kAt1)}, limits), "text(a) " + failure);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_responses::reader_test
