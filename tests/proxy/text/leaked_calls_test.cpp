// Calls that a model wrote in its text. The file is long because half of it is one table of texts, with every grammar
// and every near miss. Each property below is tested with all of them.

#include "proxy/text/leaked_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/sanitized.hpp"

namespace splitproof::text::leaked_calls_test {
namespace {

const Functions kFunctions(
    {{"f",
      R"({"properties":{"n":{"type":"integer"},"x":{"type":"number"},"b":{"type":"boolean"},"z":{"type":"null"},)"
      R"("o":{"type":"object"},"l":{"type":"array"},"s":{"type":"string"},"m":{"type":["integer","null"]}}})"},
     {"fetch", "{}"},
     {"ns:g", "{}"},
     {"two words", "{}"}});

// Writes text unchanged, calls in angle quotes.
std::string show(const std::vector<TextPiece>& pieces) {
  std::string shown;
  for (const TextPiece& piece : pieces) {
    if (const auto* call = std::get_if<WrittenCall>(&piece)) {
      shown += "‹" + call->name + " " + call->arguments + "›";
    } else {
      EXPECT_NE(std::get<std::string>(piece), "");
      shown += std::get<std::string>(piece);
    }
  }
  return shown;
}

// Feeds the pieces that end at these offsets.
std::string read(std::string_view text, const std::vector<std::size_t>& cuts) {
  LeakedCalls calls;
  std::vector<TextPiece> pieces;
  std::size_t from = 0;
  for (const std::size_t to : cuts) {
    calls.feed(std::string(text.substr(from, to - from)), kFunctions, pieces);
    from = to;
  }
  calls.feed(std::string(text.substr(from)), kFunctions, pieces);
  calls.finish(kFunctions, pieces);
  return show(pieces);
}

std::string read(std::string_view text) { return read(text, {}); }

// Replaces `@` by the namespace.
std::string spelled(std::string text) {
  for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos;) text.replace(at, 1, "antml:");
  return text;
}

struct Example {
  std::string text;
  std::string read;
};

const std::string kCall = R"(<invoke name="f"><parameter name="a">1</parameter></invoke>)";
const std::string kShown = R"(‹f {"a":"1"}›)";
const std::string kJson = R"({"name":"f","arguments":{}})";
const std::string kShownJson = "‹f {}›";

Example same(const std::string& text) { return {text, text}; }

// A VALUE for KEY, and its argument.
Example value(const std::string& key, const std::string& written, const std::string& argument) {
  return {R"(<invoke name="f"><parameter name=")" + key + "\">" + written + "</parameter></invoke>",
          "‹f {\"" + key + "\":" + argument + "}›"};
}

std::vector<Example> grammars() {
  return {
      {"x " + kCall + " y", "x " + kShown + " y"},
      {R"(<invoke name="f"></invoke>)", "‹f {}›"},
      {R"(<invoke name="f"> </invoke>)", "‹f {}›"},
      {"<invoke name=\"f\">\n<parameter name=\"a\">1</parameter>\r\n\t<parameter name=\"b\"> 2\n</parameter>\n</invoke>",
       R"(‹f {"a":"1","b":" 2\n"}›)"},
      {R"(<@invoke name="f"><parameter name="a">1</@parameter></invoke>)", kShown},
      {R"(<invoke name="f"><@parameter name="a">1</parameter></@invoke>)", kShown},
      {R"(<tool name="f"><param name="a">1</param></tool>)", kShown},
      {R"(<@tool name="f"><@param name="a">1</@param></@tool>)", kShown},
      {"<function=f>\n<parameter=a>\n1\n</parameter>\n</function>", kShown},
      {"<function=f><parameter=a>\n\n1\n\n</parameter></function>", R"(‹f {"a":"\n1\n"}›)"},
      {"<function=f><parameter=a>\n</parameter></function>", R"(‹f {"a":""}›)"},
      {"<function=f></function>", "‹f {}›"},
      {"<function=f>\n{\"a\": [1, 2]}\n</function>", "‹f {\"a\": [1, 2]}›"},
      {"<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>", kShown},
      {"<tool_call>f<arg_key>a</arg_key><arg_value> </arg_value></tool_call>", R"(‹f {"a":" "}›)"},
      {"<tool_call>f</tool_call>", "‹f {}›"},
      {"<tool_call>fetch </tool_call>", "‹fetch {}›"},
      {"<tool_call>\n" + kJson + "\n</tool_call>", kShownJson},
      {"<tool_call>" + kJson + "</tool_call>", kShownJson},
      {R"(<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a":"1"}<|tool_call_end|>)", kShown},
      {R"(<|tool_call_begin|>functions.ns:g:12<|tool_call_argument_begin|> {} <|tool_call_end|>)",
       "‹ns:g {}›"},
      // JSON alone on its lines, and in a fence.
      {kJson, kShownJson},
      {" \t" + kJson + " \t\r", kShownJson},
      {"x\n" + kJson + " \ny", "x\n" + kShownJson + "\ny"},
      {"x\n  " + kJson + "\r\n y", "x\n" + kShownJson + "\n y"},
      {R"({"name":"f","input":{"a":{"b":[{}]}}})", R"(‹f {"a":{"b":[{}]}}›)"},
      {R"({"parameters":{},"id":7,"type":"x","name":"f"})", "‹f {}›"},
      {R"({"name":"f","arguments":"{\"a\": \"1\"}"})", R"(‹f {"a": "1"}›)"},
      {R"({"n\u0061me":"\u0066","arguments":{"a":"{\"}"}})", R"(‹f {"a":"{\"}"}›)"},
      {R"({"function_call":{"name":"f","arguments":{}}})", "‹f {}›"},
      {R"({"id":"i","type":"function","function":{"name":"f","arguments":"{}"}})", "‹f {}›"},
      {"{\n \"name\": \"f\",\n \"arguments\": {\n }\n}\n", "‹f {\n }›"},
      {"```json\n" + kJson + "\n```", kShownJson},
      {"```\n\n" + kJson + " \n\n```", kShownJson},
      {"a\n  ```` \ttool_call \r\n" + kJson + "\n   ````` \t\r\nb", "a\n" + kShownJson + "\nb"},
      // Types by the schema.
      value("n", "42", "42"),
      value("n", " -7\n", "-7"),
      value("n", "4.0", R"("4.0")"),
      value("n", "1e3", R"("1e3")"),
      value("n", "007", R"("007")"),
      value("n", "12345678901234567890", "12345678901234567890"),
      value("x", "1E3", "1E3"),
      value("x", "0.50", "0.50"),
      value("x", "\"1\"", R"("\"1\"")"),
      value("b", "true", "true"),
      value("b", "True", R"("True")"),
      value("z", " null ", "null"),
      value("o", "{ \"a\": 1, \"a\": 2 }", "{ \"a\": 1, \"a\": 2 }"),
      value("o", "[1]", R"("[1]")"),
      value("l", "\n[1, 2]\n", "[1, 2]"),
      value("s", "42", R"("42")"),
      value("m", "42", R"("42")"),
      value("unknown", "42", R"("42")"),
      value("n", "", R"("")"),
      value("n", " 4 2 ", R"(" 4 2 ")"),
      value("s", " \"\\\b\f\n\r\t\x01\x1f&amp;<b> ", R"(" \"\\\b\f\n\r\t\u0001\u001f&amp;<b> ")"),
      {R"(<invoke name="f"><parameter name="a\b">x</parameter></invoke>)", R"(‹f {"a\\b":"x"}›)"},
      value("s", "</param></invoke><parameter name=\"b\">", R"("</param></invoke><parameter name=\"b\">")"),
  };
}

std::vector<Example> wrappers() {
  const std::string g = "<function=f></function>";
  const std::string k = "<|tool_call_begin|>functions.f:1<|tool_call_argument_begin|>{}<|tool_call_end|>";
  return {
      {"<function_calls>\n" + kCall + "\n</function_calls>", kShown},
      {"a <@function_calls> " + kCall + "\n" + kCall + "</@function_calls> b", "a " + kShown + kShown + " b"},
      {"<minimax:tool_call>" + kCall + "</minimax:tool_call>", kShown},
      {"<tool_call>\n" + g + g + "\n</tool_call>", "‹f {}›‹f {}›"},
      {"<tool_call><function=f>{}</function></tool_call>", "‹f {}›"},
      {"<|tool_calls_section_begin|>" + k + k + "<|tool_calls_section_end|>", "‹f {}›‹f {}›"},
      // Calls of another grammar, nothing, or text within.
      {"<function_calls>" + g + "</function_calls>", "<function_calls>‹f {}›</function_calls>"},
      {"<function_calls>" + kCall + g + "</function_calls>", kShown + "‹f {}›</function_calls>"},
      {"<function_calls>" + kCall + " x " + kCall + "</function_calls>",
       kShown + " x " + kShown + "</function_calls>"},
      {"<function_calls>" + kCall + "</minimax:tool_call>", kShown + "</minimax:tool_call>"},
      {"<@function_calls>" + kCall + "</function_calls>", kShown + "</function_calls>"},
      {"<function_calls>" + kCall + "</@function_calls>", kShown + "</@function_calls>"},
      {"<function_calls><function_calls>" + kCall + "</function_calls></function_calls>",
       "<function_calls>" + kShown + "</function_calls>"},
      {"<function_calls>" + kCall + "\n\n", kShown},
      {"<function_calls>" + kCall + "\n</function_calls >", kShown + "\n</function_calls >"},
      {kCall + "</function_calls>", kShown + "</function_calls>"},
      {"<tool_call>" + g + "</tool_call></tool_call>", "‹f {}›</tool_call>"},
      same("<function_calls>\n</function_calls>"),
      same("<function_calls>\n<invoke name=\"f\">"),
      same("<tool_call>\n<tool_call>\n"),
  };
}

std::vector<Example> texts() {
  return {
      same(""),
      same(" "),
      same("a < b\n\n  c "),
      same("<"),
      same("<<<"),
      same("{"),
      same("`"),
      same("```"),
      same("   ```\n"),
      // No declared name.
      same(R"(<invoke name="F"></invoke>)"),
      same(R"(<invoke name="fetc"></invoke>)"),
      same(R"(<invoke name=""></invoke>)"),
      same(R"(<invoke name="two words"></invoke>)"),
      same("<function=ff></function>"),
      same("<tool_call></tool_call>"),
      same("<tool_call> f</tool_call>"),
      same(R"({"name":"none","arguments":{}})"),
      same(R"({"name":"left-pad"})"),
      same("<|tool_call_begin|>functions.f:<|tool_call_argument_begin|>{}<|tool_call_end|>"),
      same("<|tool_call_begin|>functions.ns:1<|tool_call_argument_begin|>{}<|tool_call_end|>"),
      // Cut, or malformed.
      same(kCall.substr(0, kCall.size() - 1)),
      same(R"(<invoke name="f"><parameter name="a">1</invoke>)"),
      same(R"(<invoke name="f">x</invoke>)"),
      same(R"(<invoke name="f" ></invoke>)"),
      same("<function=f>{} x</function>"),
      same(R"(<invoke name="f"><parameter name="">1</parameter></invoke>)"),
      same(R"(<Invoke name="f"></Invoke>)"),
      same(R"(<invoke name="f"><parameter name="a">1</parameter><parameter name="a">2</parameter></invoke>)"),
      same("<function=f>{\"a\":1,\"\\u0061\":2}</function>"),
      same("<function=f>[]</function>"),
      same("<tool_call>f{}</tool_call>"),
      same("<tool_call>[" + kJson + "]</tool_call>"),
      same("<tool_call>f <arg_key>a</arg_key> x <arg_value>1</arg_value></tool_call>"),
      // JSON that is not a call, or not alone.
      same("x " + kJson),
      same(kJson + " x"),
      same(kJson + kJson),
      same("[" + kJson + "]"),
      same(kJson + "\\"),
      same(R"({"name":"f"})"),
      same(R"({"name":"f","arguments":{},"input":{}})"),
      same(R"({"name":"f","arguments":[]})"),
      same(R"({"name":"f","arguments":{},"x":1})"),
      same(R"({"name":"f","name":"f","arguments":{}})"),
      same(R"({"name":"f","arguments":" {}"})"),
      same(R"({"name":"f","arguments":""})"),
      same(R"({"name":["f"],"arguments":{}})"),
      same(R"({"name":"f","arguments":"{\"a\":\"\ud83d\"}"})"),
      same(R"({"name":"f","arguments":{"a":1,"a":1}})"),
      same(R"({"function":{"name":"f","arguments":{},"x":1}})"),
      same(R"({"function":{"name":"f","input":{}}})"),
      same(R"({"function_call":{"name":"f","arguments":{}},"id":"i"})"),
      same(R"({"name":"f","arguments":{}}})"),
      same("{'name':'f','arguments':{}}"),
      same(R"({"name":"f","arguments":{},})"),
      // Explained.
      same("as so:\n" + kJson),
      same("as so: \n\n```json\n" + kJson + "\n```"),
      // Code.
      same("`" + kCall + "`"),
      same("a `b` `" + kCall),
      {"`a` " + kCall + " `b`", "`a` " + kShown + " `b`"},
      {"`a\n" + kCall, "`a\n" + kShown},
      same("``` \n" + kCall + "\n" + kJson + "\n```"),
      same("~~~\n``\n```x`\n" + kCall),
      {"```\n" + kCall + "\n``` x\n```\n" + kCall, "```\n" + kCall + "\n``` x\n```\n" + kShown},
      {"```\n    ```\n" + kCall + "\n   ````\n" + kCall, "```\n    ```\n" + kCall + "\n   ````\n" + kShown},
      same("````\n```\n" + kCall),
      {"    ```\n", "    ```\n"},
      {"\t```\n" + kCall, "\t```\n" + kShown},
      same("```json x\n" + kJson + "\n```"),
      same("```json`\n" + kJson + "\n```"),
      same("```json\n" + kJson + "```"),
      same("```json\n" + kJson + "\nx\n```"),
      same("```json\n" + kJson + kJson + "\n```"),
      same("```json\n" + kJson + "\n"),
      {"``json\n" + kJson + "\n``", "``json\n" + kShownJson + "\n``"},
      same("````\n" + kJson + "\n```"),
      same("```\n" + kJson + "\n    ```"),
      same("x ```\n"),
      {"```\n" + kJson + "\n\t```\n```\n" + kJson, "```\n" + kJson + "\n\t```\n```\n" + kShownJson},
      // White space.
      {" \n" + kCall + "\n\n" + kCall + " \n", " \n" + kShown + kShown},
      {kCall + " \nx", kShown + " \nx"},
      {kCall + "\n " + kJson + "\n" + kJson + "\n", kShown + kShownJson + kShownJson},
      // Text in a call has no effect, and no line begins after a call.
      {R"(<invoke name="f"><parameter name="a">`
</parameter></invoke> )" +
           kCall + " `" + kCall + "`",
       R"(‹f {"a":"`\n"}›)" + kShown + " `" + kCall + "`"},
      {kCall + kJson, kShown + kJson},
      {kCall + "x\n" + kJson, kShown + "x\n" + kShownJson},
      // The first possible reading wins, and the next one after a failure.
      {R"(<invoke name="f"><parameter name="a"><invoke name="f"></invoke></parameter></invoke>)",
       R"(‹f {"a":"<invoke name=\"f\"></invoke>"}›)"},
      {R"(<invoke name="f"><parameter name="a"><invoke name="f"></invoke>)",
       R"(<invoke name="f"><parameter name="a">‹f {}›)"},
      {R"(<invoke name="f"><parameter name="a">x)" + kCall,
       R"(‹f {"a":"x<invoke name=\"f\"><parameter name=\"a\">1"}›)"},
      {R"(<invoke name="f"><parameter name="a">x<invoke name="f"><parameter name="b">1</parameter><parameter name="a">2</parameter></invoke>)",
       R"(<invoke name="f"><parameter name="a">x‹f {"b":"1","a":"2"}›)"},
      {"<<" + kCall, "<<" + kShown},
      {"<invoke name=\"" + kCall, "<invoke name=\"" + kShown},
      {"<function=f>{" + kCall, "<function=f>{" + kShown},
      {"{\n" + kJson, "{\n" + kShownJson},
      same("{\"arguments\":[\n" + kJson + "\n]}"),
      same("{\"arguments\":\n" + kJson + "\n}"),
  };
}

// Blocks of tildes, runs of backticks.
std::vector<Example> code() {
  const std::string fenced = "\n" + kCall + "\n";
  const auto ends = [&](const std::string& block) { return Example{block + kCall, block + kShown}; };
  return {
      same("~~~" + fenced + kJson + "\n~~~"),
      same("   ~~~~ json `x` ~~~" + fenced + "~~~" + fenced),
      same("~~~\n" + kJson + "\n~~~"),
      ends("~~~" + fenced + "~~~~ \t\r\n"),
      ends("~~~" + fenced + "~~~ x\n    ~~~\n\t~~~\n   ~~~\n"),
      same("~~~" + fenced + "```\n" + kCall),
      same("```" + fenced + "~~~\n" + kCall),
      ends("```" + fenced + "~~~\n```\n"),
      ends("    ~~~\n"),
      ends("\t~~~\n"),
      ends("~~\n"),
      ends("x ~~~\n"),
      ends("~~`a`~ ~ "),
      ends("~~~```\n~~~\n"),
      same("``" + kCall + "``"),
      same("`" + kCall + " ``"),
      same("x ```a` `" + kCall),
      ends("``a`` "),
      ends("``a` "),
      ends("`a` ``b`` ```c```"),
      ends("``\n"),
      same("`` ` `` ` ```" + kCall),
      ends("`` ` `` `"),
      // A call ends a run.
      {"`a`" + kCall + "`" + kCall + "`", "`a`" + kShown + "`" + kCall + "`"},
      {kCall + "``" + kCall, kShown + "``" + kCall},
  };
}

std::vector<Example> quotes_and_results() {
  const auto ends = [](const std::string& before) { return Example{before + kCall, before + kShown}; };
  return {
      same(">" + kCall),
      same("> " + kCall + " " + kCall),
      same("x\n   > " + kCall),
      ends("    >"),
      ends("\t>"),
      ends("x > "),
      ends("> x\n"),
      ends("> `\n"),
      ends("> ```\n"),
      ends("> <tool_result>\n"),
      ends(" ``> `` "),
      {"> <tool_call>\n" + kJson, "> <tool_call>\n" + kShownJson},
      {"<tool_call>\n> </tool_call>\n" + kJson, "<tool_call>\n> </tool_call>\n" + kJson},
      same("~~~\n> ~~~\n" + kCall),
      // No line begins here.
      {kCall + "> " + kCall, kShown + "> " + kShown},
      {"<function=f><parameter=a>\n> `b`\n> ```\n</parameter></function>", R"(‹f {"a":"> `b`\n> ```"}›)"},
      // Results.
      same("<tool_result>" + kCall),
      same("<tool_result>\n" + kCall + "\n" + kJson + "\n</tool_result>"),
      same("<tool_result id=\"a\">" + kCall + "</function_results>" + kCall),
      same("<function_results>" + kCall + "</tool_result></function_result>" + kCall),
      same("<function_results\n" + kCall + "</function_results>"),
      ends("<tool_result></tool_result>"),
      ends("<function_results>x</function_results> "),
      ends("<tool_result\t></tool_result></tool_result>"),
      ends("<tool_results>"),
      ends("<tool_result/>"),
      ends("<tool_result"),
      ends("<Tool_result>"),
      ends("<@function_results>"),
      ends("`<tool_result>` "),
      ends("```\n<tool_result>\n```\n"),
      ends("<tool_result></tool_result</tool_result>"),
      same("x <<function_results>" + kCall),
      {kCall + "\n<function_results>\n" + kCall + "</function_results>" + kCall,
       kShown + "\n<function_results>\n" + kCall + "</function_results>" + kShown},
      // Text in a result has no effect after it.
      ends("<tool_result>`</tool_result>"),
      ends("<tool_result>\n```\n</tool_result>"),
      ends("<tool_result>\n> </tool_result>"),
      ends("<tool_result>so: </tool_result>"),
      same("<tool_result>\n</tool_result>" + kJson),
      {"<tool_result><tool_call></tool_result>\n" + kJson,
       "<tool_result><tool_call></tool_result>\n" + kShownJson},
      same("<tool_call><tool_result></tool_call></tool_result>\n" + kJson),
      {"<tool_result></tool_result>\n```\n" + kJson + "\n```", "<tool_result></tool_result>\n" + kShownJson},
      {"<function=f><parameter=a><tool_result></parameter></function> " + kCall,
       R"(‹f {"a":"<tool_result>"}›)" + kShown},
  };
}

// JSON after tags, alone on its line and in a fence.
std::vector<Example> left_open() {
  std::vector<Example> all;
  for (const auto& [before, counts] :
       std::vector<std::pair<std::string, bool>>{{"<tool_call>", false},
                                                 {"<function_calls>", false},
                                                 {"<@function_calls>", false},
                                                 {"<minimax:tool_call>", false},
                                                 {"<invoke name=\"", false},
                                                 {"<@invoke name=\"x\">", false},
                                                 {"<tool name=\"", false},
                                                 {"<@tool name=\"", false},
                                                 {"<function=", false},
                                                 {"<|tool_call_begin|>", false},
                                                 {"<tool_call>\n\nx </tool>\n<tool_call>", false},
                                                 {"</tool_call><tool_call>", false},
                                                 {"<<tool_call>", false},
                                                 {"`<tool_call>` <function=f> `</function>`", false},
                                                 {"<tool_call></tool_call>", true},
                                                 {"<tool_call></function_calls>", true},
                                                 {"<tool_call></@function_calls>", true},
                                                 {"<tool_call></minimax:tool_call>", true},
                                                 {"<tool_call></invoke>", true},
                                                 {"<tool_call></@invoke>", true},
                                                 {"<tool_call></tool>", true},
                                                 {"<tool_call></@tool>", true},
                                                 {"<tool_call></function>", true},
                                                 {"<tool_call><|tool_call_end|>", true},
                                                 {"`<tool_call>`", true},
                                                 {"```\n<tool_call>\n```", true},
                                                 {"<|tool_calls_section_begin|>", true},
                                                 {"<tool_call", true},
                                                 {"<tool_call >", true},
                                                 {"<invoke>", true},
                                                 {"<tool name='x'>", true},
                                                 {"<Function=x>", true},
                                                 {"<@function=", true}}) {
    all.push_back({before + "\n" + kJson, before + "\n" + (counts ? kShownJson : kJson)});
    const std::string fenced = "```\n" + kJson + "\n```";
    all.push_back({before + "\n" + fenced, before + "\n" + (counts ? kShownJson : fenced)});
  }
  // A call's wrapper opens nothing and closes nothing.
  all.push_back({"<function_calls>" + kCall + "x\n" + kJson, kShown + "x\n" + kShownJson});
  all.push_back({"<tool_call>\n" + kCall + "x\n" + kJson, "<tool_call>\n" + kShown + "x\n" + kJson});
  // A call between tags counts there.
  all.push_back({"<tool_call>\n" + kCall, "<tool_call>\n" + kShown});
  return all;
}

std::vector<Example> explained() {
  std::vector<Example> all;
  const std::string fenced = "```\n" + kJson + "\n```";
  for (const std::string before : {"so:\n", "so： \n", "so:**\n", "**so:**\n", "_so:_ \n\n", "a,\n", "[\n",
                                   "[ **_\r\n", "：\n*\n_\n", "> so:\n", "`a:\n", "<tool_result>:\n"}) {
    all.push_back(same(before + kJson));
    all.push_back(same(before + fenced));
  }
  for (const std::string before : {"so.\n", "]\n", ": x\n", "，\n", "\x9A\n", "\xEF\xBC\n", "\xEF\xBC\x9B\n",
                                   "so:`\n", ":-\n", "*\n", "<tool_result>:</tool_result>\n"}) {
    all.push_back({before + kJson, before + kShownJson});
    all.push_back({before + fenced, before + kShownJson});
  }
  // Tags: on the same line.
  for (const std::string before :
       {":", "so: ", "so：", "**so:** ", "_so:_\t", "x\n: * _", "\xEF\xEF\xBC\x9A"})
    all.push_back(same(before + kCall));
  for (const std::string before :
       {":\n", ": \r", "so：\n", ", ", "[", "so: x", ": `a` ", ": - ", "\xEF\xBC", ":<"})
    all.push_back({before + kCall, before + kShown});
  const std::vector<Example> more = {
      {kCall + kCall, kShown + kShown},
      {": " + kCall + kCall, ": " + kCall + kShown},
      {"so:\n" + kCall + "\n" + kJson, "so:\n" + kShown + kShownJson},
      same(": <tool_call>" + kJson + "</tool_call>"),
      same(": <tool_call>f</tool_call>"),
      same(": <tool name=\"f\"></tool>"),
      same(": <|tool_call_begin|>functions.f:1<|tool_call_argument_begin|>{}<|tool_call_end|>"),
      // Everything up to the closing tag of an explained one.
      same(": <function_calls>" + kCall + "</function_calls>"),
      same(": <@function_calls>\n\n " + kCall),
      same("：<minimax:tool_call> " + kCall),
      same(": <tool_call>\n<function=f></function>"),
      same(": <|tool_calls_section_begin|>\n"
           "<|tool_call_begin|>functions.f:1<|tool_call_argument_begin|>{}<|tool_call_end|>"),
      {": <function_calls>" + kCall + kCall + "</function_calls>" + kCall,
       ": <function_calls>" + kCall + kCall + "</function_calls>" + kShown},
      {": <@function_calls></function_calls>" + kCall, ": <@function_calls></function_calls>" + kShown},
      {": <minimax:tool_call></function_calls></tool_call>" + kCall + "</minimax:tool_call>" + kCall,
       ": <minimax:tool_call></function_calls></tool_call>" + kCall + "</minimax:tool_call>" + kShown},
      {": <|tool_calls_section_begin|>" + kCall + "<|tool_call_end|><|tool_calls_section_end|>" + kCall,
       ": <|tool_calls_section_begin|>" + kCall + "<|tool_call_end|><|tool_calls_section_end|>" + kShown},
      {": <|tool_call_begin|>" + kCall + "<|tool_call_end|>" + kCall,
       ": <|tool_call_begin|>" + kCall + "<|tool_call_end|>" + kShown},
      same(": <invoke name=\"f\"><parameter name=\"a\">" + kCall),
      {": <@invoke name=\"none\"></@invoke>" + kCall, ": <@invoke name=\"none\"></@invoke>" + kShown},
      {": <tool name=\"f\"></@tool>" + kCall, ": <tool name=\"f\"></@tool>" + kShown},
      {": <function=f><parameter=a></function>" + kCall, ": <function=f><parameter=a></function>" + kShown},
      {": <tool_call>\n<tool_call>f</tool_call>" + kCall + "</tool_call>",
       ": <tool_call>\n<tool_call>f</tool_call>" + kShown + "</tool_call>"},
      same(": <tool_call>x\n\n" + kCall + "\n" + kJson),
      same(": <tool name='f'>\n: <tool_call>" + kCall),
      {": <tool name='f'>" + kCall, ": <tool name='f'>" + kShown},
      {": </tool_call>" + kCall, ": </tool_call>" + kShown},
      // It does not affect code, quotes, lines, results and tags.
      {": <tool_call>`</tool_call>" + kCall, ": <tool_call>`</tool_call>" + kShown},
      {": <tool_call>\n```\n</tool_call>" + kCall, ": <tool_call>\n```\n</tool_call>" + kShown},
      {": <tool_call>\n> `</tool_call>` " + kCall, ": <tool_call>\n> `</tool_call>` " + kCall},
      {": <tool_call><tool_result></tool_call>" + kCall, ": <tool_call><tool_result></tool_call>" + kShown},
      {": <tool_call>\n: </tool_call>" + kCall, ": <tool_call>\n: </tool_call>" + kShown},
      same(": <tool_call>\n</tool_call>" + kJson),
      {": <tool_call></tool_call>\n" + kJson, ": <tool_call></tool_call>\n" + kShownJson},
      same("<tool_call>\n: <function=f></function>\n" + kJson),
      {": <tool_call><function=f></tool_call>\n" + kJson,
       ": <tool_call><function=f></tool_call>\n" + kShownJson},
      {": <|tool_calls_section_begin|><tool_call><|tool_calls_section_end|>\n" + kJson,
       ": <|tool_calls_section_begin|><tool_call><|tool_calls_section_end|>\n" + kShownJson},
      // Tags without an explanation.
      {"`: <tool_call>` " + kCall, "`: <tool_call>` " + kShown},
      {"> : <tool_call>\n" + kCall, "> : <tool_call>\n" + kShown},
      {"<tool_result>: <tool_call></tool_result>" + kCall,
       "<tool_result>: <tool_call></tool_result>" + kShown},
      {"so\n<function_calls>\n" + kCall, "so\n" + kShown},
      {"`:`<function_calls>\n" + kCall, "`:`" + kShown},
  };
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Declared tools, and lists.
std::vector<Example> tools() {
  const auto with = [](const std::string& key, const std::string& object) {
    return R"({"name":"f",")" + key + "\":" + object + "}";
  };
  const std::string schema = R"({"type":"object","properties":{"a":{"type":"string"}}})";
  std::vector<Example> all = {
      same(with("parameters", schema)),
      same(with("parameters", R"({ "propert\u0069es" : {} , "x":1,"type" : "\u006fbject" })")),
      same(with("parameters", R"("{\"type\":\"object\",\"properties\":{}}")")),
      same("<tool_call>" + with("parameters", schema) + "</tool_call>"),
      same("```\n" + with("parameters", schema) + "\n```"),
      same("[\n" + kJson + "\n]"),
      same("[\n" + kJson + ",\n" + kJson + "\n]"),
      same(kJson + ",\n" + kJson),
  };
  for (const std::string key : {"arguments", "input"})
    all.push_back({with(key, schema), "‹f " + schema + "›"});
  for (const std::string object :
       {R"({"type":"object"})", R"({"type":"object","properties":[]})", R"({"properties":{}})",
        R"({"type":"Object","properties":{}})", R"({"type":["object"],"properties":{}})"})
    all.push_back({with("parameters", object), "‹f " + object + "›"});
  return all;
}

std::vector<Example> examples() {
  std::vector<Example> all = grammars();
  for (const auto& more :
       {wrappers(), texts(), code(), quotes_and_results(), left_open(), explained(), tools()})
    all.insert(all.end(), more.begin(), more.end());
  for (Example& example : all) example.text = spelled(example.text), example.read = spelled(example.read);
  return all;
}

TEST(LeakedCalls, AreFoundWhereTheyCount) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.text);
    EXPECT_EQ(read(example.text), example.read);
  }
}

TEST(LeakedCalls, NoPairOfCutsChangesAnything) {
  std::size_t tried = 0;
  for (const Example& example : examples()) {
    const std::size_t size = example.text.size();
    if (size > 200) continue;
    SCOPED_TRACE(example.text);
    for (std::size_t a = 0; a <= size; a += kSanitized ? 7 : 1) {
      for (std::size_t b = a; b <= size; ++b, ++tried)
        ASSERT_EQ(read(example.text, {a, b}), example.read) << a << " " << b;
    }
  }
  std::cout << tried << " pairs of cuts\n";
}

// All prefixes of one feeding are states of another.
TEST(LeakedCalls, TheStateIsAFunctionOfTheBytes) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.text);
    LeakedCalls bytes;
    std::vector<TextPiece> said;
    for (std::size_t end = 1; end <= example.text.size(); ++end) {
      bytes.feed(example.text.substr(end - 1, 1), kFunctions, said);
      LeakedCalls whole;
      std::vector<TextPiece> pieces;
      whole.feed(example.text.substr(0, end), kFunctions, pieces);
      ASSERT_EQ(whole, bytes) << end;
      ASSERT_EQ(show(pieces), show(said)) << end;
      LeakedCalls copy = bytes;
      copy.finish(kFunctions, pieces);
      EXPECT_NE(copy.reads(), 0U);
    }
  }
}

// Returns the waiting text after this input.
std::string waits(const std::string& text) {
  LeakedCalls calls;
  std::vector<TextPiece> pieces;
  calls.feed(text, kFunctions, pieces);
  const std::size_t said = show(pieces).size();
  calls.finish(kFunctions, pieces);
  return show(pieces).substr(said);
}

TEST(LeakedCalls, NoMoreWaitsThanMayBelongToACall) {
  for (
      const auto& [text, waiting] : std::vector<std::pair<std::string, std::string>>{
          {"a", ""},
          {"a ", ""},
          {"a <", "<"},
          {"a < ", ""},
          {"a <i", "<i"},
          {"a <i>", ""},
          {"a <invoke name=\"f", "<invoke name=\"f"},
          {"<invoke name=\"fe", "<invoke name=\"fe"},
          {"<invoke name=\"ff", ""},
          {"<invoke name=\"f\"", "<invoke name=\"f\""},
          {"<invoke name=\"fet\"", ""},
          {"<invoke name=\"f\">x", ""},
          {"<invoke name=\"f\"> <p", "<invoke name=\"f\"> <p"},
          {"<invoke name=\"f\"> <q", ""},
          {"<function=f>{\"a\":", "<function=f>{\"a\":"},
          {"<function=f>{a", ""},
          {"<function=f>{}x", ""},
          {"<tool_call>\n ", "<tool_call>\n "},
          {"<tool_call>\nx", ""},
          {"<tool_call>{\"x\"", ""},
          {"<tool_resultset>", ""},
          {"<function_calls>\n", "<function_calls>\n"},
          {"<function_calls>\n<x", ""},
          {"<function_calls>\n<function=", "<function="},
          {"`<invoke", ""},
          {"```\n<invoke", ""},
          {"~~~", ""},
          {"~~~\n  ", ""},
          {"~~~\n<invoke", ""},
          {"`` a", ""},
          {"> <invoke", ""},
          {">", ""},
          {"<tool_result", ""},
          {"<tool_result>\n  ", ""},
          {"<tool_result><", ""},
          {"<tool_result></tool_result><", "<"},
          {"<tool_call>x\n  ", ""},
          {"<tool_call>x\n{", ""},
          {"<tool_call>x\n```", ""},
          {"</tool_call>\n{", "{"},
          {"a: <", ""},
          {"a: <invoke name=\"f\">", ""},
          {"a:\n<", "<"},
          {"a: <function_calls>\n", ""},
          {"a: <function_calls>\n<invoke", ""},
          {"a: <function_calls></function_calls>\n<invoke", "<invoke"},
          {"a: <tool_call>\n  ", ""},
          {"a: <function_calls>\n<invoke name=\"f\">", ""},
          {"a,\n{", ""},
          {"a：\n  ", ""},
          {"a.\n{", "{"},
          {"{\"name\":\"f\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}", ""},
          {"<invoke name=\"f\"><parameter name=\"a\">x</parameter><parameter name=\"a\"",
           "<invoke name=\"f\"><parameter name=\"a\">x</parameter><parameter name=\"a\""},
          {"<invoke name=\"f\"><parameter name=\"a\">x</parameter><parameter name=\"a\">", ""},
          {"<tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value><arg_key>a</arg_key>", ""},
          {"<invoke name=\"f\"><parameter name=\"a\"><invoke name=\"f\"><parameter name=\"b\">x</parameter><parameter name=\"a\">",
           "<invoke name=\"f\"><parameter name=\"b\">x</parameter><parameter name=\"a\">"},
          {"<invoke name=\"f\"><parameter name=\"b<", "<"},
          {"\n  ", "  "},
          {"\n\t", "\t"},
          {"a:\n  ", ""},
          {"\n  x", ""},
          {"{", "{"},
          {"x {", ""},
          {"a:\n{", ""},
          {"{ \"", "{ \""},
          {"{\"na", "{\"na"},
          {"{\"nb", ""},
          {"{\"t", "{\"t"},
          {"{\"title", ""},
          {"{\"name\":\"any\",", "{\"name\":\"any\","},
          {"{\"name\":\"any\",\"input\":{},\"a", "{\"name\":\"any\",\"input\":{},\"a"},
          {"{\"name\":\"f\",\"input\":{},\"arguments\"", ""},
          {"{\"name\":\"none\",\"input\":{}}", ""},
          {kJson + " ", kShownJson},
          {kJson + " x", ""},
          {"{]", ""},
          {"`", "`"},
          {"``", "``"},
          {"``x", ""},
          {"```", "```"},
          {"```json", "```json"},
          {"```json x", ""},
          {"```json\n", "```json\n"},
          {"```cpp\nint", ""},
          {"```\n{\"name\"", "```\n{\"name\""},
          {"```\n{\"nine\"", ""},
          {"a:\n```", ""},
          {"```\n" + kJson + "\n", "```\n" + kJson + "\n"},
          {"```\n" + kJson + "\n```", kShownJson},
          {"```\n" + kJson + "\n``x", ""},
          {kCall, ""},
          {kCall + "x", ""},
          {kCall + " \n", ""},
          {kCall + " <", " <"},
          {kCall + " <x", ""},
          {"<function_calls>" + kCall + "\n</func", "\n</func"},
          {kCall + "\n</func", ""}}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(waits(text), waiting);
  }
}

// Waiting text is the beginning of a call or its wrapper, or white space after a call.
TEST(LeakedCalls, WhatWaitsAfterAnyPrefixMayBeginACall) {
  std::size_t waited = 0;
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.text);
    for (std::size_t size = 0; size <= example.text.size(); ++size) {
      const std::string waiting = waits(example.text.substr(0, size));
      if (waiting.empty()) continue;
      ++waited;
      const bool call = waiting.starts_with("‹");
      EXPECT_TRUE(call || std::string_view("< \t\r\n{`").find(waiting.front()) != std::string_view::npos)
          << waiting;
    }
  }
  EXPECT_GT(waited, 1000U);
}

// A call of this size: from the first byte of its markup to the last.
std::string sized(std::size_t size) {
  const std::string head = "<function=f><parameter=a>";
  const std::string tail = "</parameter></function>";
  return head + std::string(size - head.size() - tail.size(), 'x') + tail;
}

TEST(LeakedCalls, ALargeCallIsText) {
  EXPECT_EQ(read(sized(kMostBytes)).substr(0, 5), std::string("‹f {").substr(0, 5));
  EXPECT_EQ(read(sized(kMostBytes + 1)), sized(kMostBytes + 1));
  // Wrappers and the white space in them do not count, unless that is large itself.
  const std::string blanks(kMostBytes, ' ');
  EXPECT_EQ(read("<tool_call>" + blanks + sized(kMostBytes) + blanks + "</tool_call>").substr(0, 3), "‹");
  EXPECT_EQ(read("<tool_call>" + blanks + " <function=f></function></tool_call>"),
            "<tool_call>" + blanks + " ‹f {}›</tool_call>");
  EXPECT_EQ(read("<tool_call><function=f></function>" + blanks + "</tool_call>"), "‹f {}›");
  EXPECT_EQ(read("<tool_call><function=f></function>" + blanks + " </tool_call>"),
            "‹f {}›" + blanks + " </tool_call>");
  EXPECT_EQ(read(blanks + kJson + blanks), kShownJson);
  EXPECT_EQ(read(blanks + " " + kJson), blanks + " " + kJson);
  EXPECT_EQ(read(kJson + blanks + " "), kJson + blanks + " ");
  const std::string json = R"({"name":"f","arguments":{"a":")";
  const auto padded = [&](std::size_t size) {
    return json + std::string(size - json.size() - 3, 'x') + "\"}}";
  };
  EXPECT_EQ(read(" " + padded(kMostBytes) + " ").substr(0, 3), "‹");
  EXPECT_EQ(read(padded(kMostBytes + 1)), padded(kMostBytes + 1));
  EXPECT_EQ(read("  ```\n" + padded(kMostBytes - 8) + "\n```" + blanks).substr(0, 3), "‹");
  EXPECT_EQ(read("```\n" + padded(kMostBytes - 7) + "\n```").substr(0, 3), "```");
  EXPECT_EQ(read("```\n" + kJson + "\n```" + blanks + " ").substr(0, 3), "```");
}

TEST(LeakedCalls, DeepJsonIsNoCall) {
  const auto nested = [](std::size_t levels) {
    return "{\"name\":\"f\",\"arguments\":{\"a\":" + std::string(levels - 2, '[') +
           std::string(levels - 2, ']') + "}}";
  };
  EXPECT_EQ(read(nested(32)).substr(0, 3), "‹");
  EXPECT_EQ(read(nested(33)), nested(33));
}

// Input that makes a careless reader go back repeatedly. The number of reads of a byte does not grow with the length,
// for one feeding and for single bytes.
TEST(LeakedCalls, WorkIsLinearWhateverComes) {
  const std::string open = R"(<invoke name="f"><parameter name=")";
  const auto repeated = [](std::string_view unit, std::size_t size) {
    std::string text;
    for (std::size_t number = 0; text.size() < size; ++number) {
      for (const char c : unit) c == '#' ? text += std::to_string(number) : text += c;
    }
    return text;
  };
  for (const std::string& unit :
       {std::string("<"),
        std::string("`"),
        std::string("{"),
        std::string("{\"name\":"),
        std::string("\n{\"name\":"),
        std::string("\n{\"arguments\":"),
        std::string("{\n"),
        std::string("```\n"),
        std::string("\n```json\n{"),
        std::string("<tool_call>"),
        std::string("<tool_call> "),
        std::string("<tool_call>\n{\"name\":\""),
        std::string("<function=f>{\""),
        std::string("<function=f>{\":\","),
        std::string("<function=f>"),
        std::string("<function_calls> "),
        std::string("<invoke name=\"f\">"),
        open + "a\">",
        open + "#\">",
        open + "#\"></parameter>",
        open + "#\">x</parameter><parameter name=\"#y\">",
        open + "#\"></parameter><parameter name=\"b\"></parameter>",
        open + "a\"></parameter></invoke",
        std::string("<tool_call>f<arg_key>a</arg_key><arg_value>"),
        std::string("<function=f><parameter=#></parameter>"),
        std::string("<|tool_call_begin|>functions.f:0"),
        std::string("<function=f>\n{\"a\":\n{\"arguments\":"),
        std::string(" "),
        std::string(" \n"),
        kCall + " ",
        open + "a\">" + "<function=f><parameter=a>" + "<tool_call>f<arg_key>a</arg_key><arg_value>"}) {
    SCOPED_TRACE(unit);
    for (const std::size_t size : {std::size_t{1} << 16, std::size_t{1} << (unit.size() < 9 ? 20U : 17U)}) {
      const std::string text = repeated(unit, size);
      LeakedCalls calls;
      std::vector<TextPiece> pieces;
      for (std::size_t at = 0; at < text.size(); at += 1009) {
        calls.feed(text.substr(at, 1009), kFunctions, pieces);
        if (at % 16 == 0) pieces.clear();
      }
      calls.finish(kFunctions, pieces);
      EXPECT_LE(calls.reads(), 45 * text.size());
    }
  }
}

// n calls that begin in one value, k common pairs after it, and an end that makes them fail.
TEST(LeakedCalls, NestedCallsShareTheirPairs) {
  const std::string open = R"(<invoke name="f"><parameter name="a">)";
  for (const std::string end : {"x", "<parameter name=\"0\"></parameter></invoke>", "</invoke"}) {
    SCOPED_TRACE(end);
    std::string text;
    for (std::size_t i = 0; i < 800; ++i) text += open;
    text += "</parameter>";
    for (std::size_t i = 0; i < 800; ++i)
      text += "<parameter name=\"" + std::to_string(i) + "\"></parameter>";
    text += end;
    LeakedCalls calls;
    std::vector<TextPiece> pieces;
    calls.feed(text, kFunctions, pieces);
    calls.finish(kFunctions, pieces);
    EXPECT_EQ(show(pieces), text);
    EXPECT_LE(calls.reads(), 4 * text.size());
  }
}

}  // namespace
}  // namespace splitproof::text::leaked_calls_test
