// Compares the filter that finds calls in text, in pieces with any cuts, with the harness's oracle for the whole text.
// The filter reads no byte more often than promised.
//
// The first four bytes choose two cuts. Each byte below 128 is itself, and each other byte is a word of the grammars,
// because random bytes rarely contain a call.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "fuzz/input.hpp"
#include "harness/observe/cleaning.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/leaked_calls.hpp"

using namespace splitproof;

namespace {

constexpr std::uint64_t kReads = 45;  // of a byte

constexpr std::array<std::pair<const char*, const char*>, 3> kDeclared = {
    {{"f", R"({"properties":{"n":{"type":"integer"},"o":{"type":"object"},"b":{"type":"boolean"}}})"},
     {"fetch", "{}"},
     {"ns:g", "{}"}}};

constexpr std::array<std::string_view, 75> kWords = {
    "<function_calls>",
    "</function_calls>",
    "<invoke name=\"f\">",
    "<invoke name=\"",
    "fetch",
    "ns:g",
    "\">",
    "<parameter name=\"n\">",
    "<parameter name=\"o\">",
    "</parameter>",
    "</invoke>",
    "<tool_call>",
    "</tool_call>",
    "{\"name\":\"f\",",
    "\"arguments\":{",
    "\"input\":{}",
    "}}",
    "```",
    "```json\n",
    "````",
    "`",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "  ",
    ":",
    "<function=f>",
    "</function>",
    "<parameter=n>",
    "<arg_key>n</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>",
    "{}",
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
    "<tool name=\"f\">",
    "<param name=\"b\">",
    "true",
    "</param>",
    "</tool>",
    "<minimax:tool_call>",
    "</minimax:tool_call>",
    "{\"function_call\":{",
    "antml:",
    "\"k\":1",
    "\\ud83d",
    "\\u00e9",
    "42",
    "\xe2\x80\xa6",
    "{\"name\":\"fetch\",\"parameters\":{}}",
    " {\"name\": \"f\", \"arguments\": \"{}\"}",
    "<function=fetch>{}</function>",
    "<invoke name=\"fetch\"></invoke>",
    "\"id\":\"x\",",
    "\"type\":\"function\",",
    "\"function\":{",
    "-1.5e3",
    "~~~",
    "~~~~\n",
    "``",
    "\n> ",
    "<tool_result>",
    "</tool_result>",
    "<function_results ",
    "</function_results>",
    "<|tool_call_begin|>",
    ": ",
    "\xef\xbc\x9a",
    "**",
    "[\n",
    ",\n",
    "\"parameters\":{\"type\":\"object\",\"properties\":{}}}",
};

struct Said {
  std::string text;
  std::string call;  // its name; empty: text
  bool operator==(const Said&) const = default;
};

void say(std::vector<Said>& all, Said said) {
  if (said.call.empty() && !all.empty() && all.back().call.empty())
    all.back().text += said.text;
  else if (!said.call.empty() || !said.text.empty())
    all.push_back(std::move(said));
}

void add(std::vector<Said>& all, const std::vector<text::TextPiece>& pieces) {
  for (const text::TextPiece& piece : pieces) {
    if (const auto* call = std::get_if<text::WrittenCall>(&piece))
      say(all, {call->arguments, call->name});
    else
      say(all, {std::get<std::string>(piece), {}});
  }
}

std::string shown(const std::vector<Said>& all) {
  std::string out;
  for (const Said& one : all)
    out += one.call.empty() ? "[" + one.text + "]" : one.call + "(" + one.text + ")";
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const text::Functions kFunctions = [] {
    std::vector<text::Function> declared;
    for (const auto& [name, schema] : kDeclared) declared.push_back({name, schema});
    return text::Functions(declared);
  }();
  static const observe::DeclaredFunctions kFunctionsOfOracle = [] {
    observe::DeclaredFunctions declared;
    for (const auto& [name, schema] : kDeclared) {
      const nlohmann::json read = nlohmann::json::parse(schema);
      declared[name] = observe::declared_function(&read);
    }
    return declared;
  }();
  if (size < 4) return 0;
  std::string built(reinterpret_cast<const char*>(data), 4);
  for (const std::uint8_t byte : std::basic_string_view(data + 4, size - 4)) {
    if (byte < 128)
      built += static_cast<char>(byte);
    else
      built += kWords[byte % kWords.size()];
  }
  const fuzz::CutInput input =
      fuzz::cut_input(reinterpret_cast<const std::uint8_t*>(built.data()), built.size());

  std::vector<Said> filtered;
  text::LeakedCalls calls;
  for (const std::string_view piece : input.pieces()) {
    std::vector<text::TextPiece> pieces;
    calls.feed(std::string(piece), kFunctions, pieces);
    add(filtered, pieces);
  }
  std::vector<text::TextPiece> pieces;
  text::LeakedCalls uncut;
  uncut.feed(std::string(input.body), kFunctions, pieces);
  if (!(uncut == calls)) {
    std::cerr << "a cut changes the state\n";
    std::abort();
  }
  pieces.clear();
  calls.finish(kFunctions, pieces);
  add(filtered, pieces);

  std::vector<Said> at_once;
  for (const observe::Part& part : observe::cleaned(input.body, kFunctionsOfOracle)) {
    if (part.kind == observe::PartKind::call)
      say(at_once, {part.arguments, part.name});
    else
      say(at_once, {part.text, {}});
  }
  if (filtered != at_once) {
    std::cerr << "the oracle says " << shown(at_once) << "\nthe filter says " << shown(filtered) << "\n";
    std::abort();
  }
  if (calls.reads() > kReads * (input.body.size() + 1)) {
    std::cerr << "a byte is read too often\n";
    std::abort();
  }
  return 0;
}
