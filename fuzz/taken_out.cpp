// Holds the filters by which the reference takes paths, its upstream's identity, blocks of the request and what stands
// behind stop sequences out of text, each fed in three pieces, against the harness's reading of the text at once
// (docs/cleaning.md). They share no code.
//
// The first four bytes choose the cuts. Each of the others is a word of these texts.

#include "harness/observe/taken_out.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.hpp"
#include "harness/observe/own_identity.hpp"
#include "harness/observe/redacted.hpp"
#include "harness/observe/stop_texts.hpp"
#include "proxy/text/argument_redaction.hpp"
#include "proxy/text/hidden_blocks.hpp"
#include "proxy/text/identity.hpp"
#include "proxy/text/redaction.hpp"
#include "proxy/text/stop_texts.hpp"
#include "proxy/text/text_search.hpp"

using namespace splitproof;

namespace {

constexpr auto kWords = std::to_array<std::string_view>({"I am ",
                                                         "I'm ",
                                                         "I\u2019m ",
                                                         "my name is ",
                                                         "Cascade",
                                                         "Windsurf",
                                                         "Codeium",
                                                         "'s ",
                                                         " is an ",
                                                         "AI ",
                                                         "coding ",
                                                         "assistant",
                                                         "As ",
                                                         "Acting as ",
                                                         "built by ",
                                                         "developed by ",
                                                         " workspace",
                                                         "the ",
                                                         "this ",
                                                         "`",
                                                         "```",
                                                         "````",
                                                         "\n",
                                                         " ",
                                                         "\t",
                                                         "\r",
                                                         "{",
                                                         "}",
                                                         "[",
                                                         "]",
                                                         "\"",
                                                         "\\",
                                                         ":",
                                                         ",",
                                                         "1",
                                                         "true",
                                                         "a",
                                                         "\u00e9",
                                                         ".",
                                                         "..",
                                                         "/",
                                                         "\\/",
                                                         "\\u002f",
                                                         "\\\"",
                                                         "/tmp/windsurf-workspace",
                                                         "/opt/windsurf",
                                                         "/opt/",
                                                         "windsurf",
                                                         "/home/user/projects/workspace-",
                                                         "x.y/z",
                                                         "<",
                                                         ">",
                                                         "</",
                                                         "<user_information>",
                                                         "</user_information>",
                                                         "<workspace_layout>",
                                                         "</workspace_layout>",
                                                         "user_information",
                                                         "END",
                                                         "EN",
                                                         "D",
                                                         "NDE",
                                                         "my ",
                                                         "{\"p\":\""});

constexpr std::string_view kModel = "claude-4";
constexpr std::string_view kMarker = "\u2026";
const std::vector<std::string> kStops = {"END", "NDE", "D EN", ""};

void hold(const char* what, const std::string& text, const std::string& filter, const std::string& oracle) {
  if (filter == oracle) return;
  std::cerr << what << " of:\n" << text << "\nin pieces:\n" << filter << "\nat once:\n" << oracle << "\n";
  std::abort();
}

// What a filter makes of the pieces.
template <class Filter, class Feed>
std::string filtered(const std::vector<std::string_view>& pieces, Feed feed) {
  Filter filter;
  std::string out;
  for (const std::string_view piece : pieces)
    fuzz::with_exact_copy(piece, [&](std::string_view exact) { feed(filter, exact, out); });
  if constexpr (requires { filter.finish(out); }) {
    filter.finish(out);
  } else {
    filter.finish(kModel, out);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  std::string words;
  if (size < 4) return 0;
  words.assign(reinterpret_cast<const char*>(data), 4);
  for (std::size_t i = 4; i < size; ++i) text += kWords[data[i] % kWords.size()];
  words += text;
  const fuzz::CutInput input =
      fuzz::cut_input(reinterpret_cast<const std::uint8_t*>(words.data()), words.size());
  const std::vector<std::string_view> pieces = input.pieces();

  static const text::RedactionRules kRules = text::redaction_rules(
      text::Marker::ellipsis, {"/tmp/windsurf-workspace", "/home/user/projects/workspace-", "/opt/windsurf"});
  hold("paths", text,
       filtered<text::Redaction>(
           pieces, [](auto& filter, auto piece, auto& out) { filter.feed(kRules, piece, out); }),
       observe::redacted(text, kMarker));
  hold("arguments", text,
       filtered<text::ArgumentRedaction>(
           pieces, [](auto& filter, auto piece, auto& out) { filter.feed(kRules, piece, out); }),
       observe::redacted_arguments(text, kMarker));
  hold("identity", text,
       filtered<text::Identity>(pieces,
                                [](auto& filter, auto piece, auto& out) { filter.feed(kModel, piece, out); }),
       observe::with_identity_of(kModel, text));
  hold("blocks", text,
       filtered<text::HiddenBlocks>(pieces,
                                    [](auto& filter, auto piece, auto& out) { filter.feed(piece, out); }),
       observe::without_hidden_blocks(text));

  static const text::WantedTexts kWanted(kStops);
  text::StopTexts stop;
  std::string told;
  bool stopped = false;
  for (const std::string_view piece : pieces)
    stopped = stopped || stop.feed(kWanted, piece, told).has_value();
  if (!stopped) stop.finish(told);
  const auto at = observe::first_stop(text, kStops);
  hold("stops", text, told, text.substr(0, at.value_or(text.size())));
  return 0;
}
