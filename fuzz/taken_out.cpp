// Compares the reference's filters with the harness's reading (contracts/specifications/cleaning.md). The filters
// remove paths, the upstream's identity, blocks of the request, and text after stop sequences. Each gets three pieces,
// and its output equals the reading of the whole text. After each piece, the output has at least the due part of the
// growing text, and is a beginning of the result. They share no code.
//
// The first four bytes choose the cuts. Each other byte is a word of these texts.

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
#include "harness/observe/stable_arguments.hpp"
#include "harness/observe/stable_blocks.hpp"
#include "harness/observe/stable_identity.hpp"
#include "harness/observe/stable_paths.hpp"
#include "harness/observe/stable_stops.hpp"
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

// Expects that the due part of a growing text is out.
void hold_due(const char* what, std::string_view text, std::string_view out, std::string_view due) {
  if (out.starts_with(due)) return;
  std::cerr << what << " of:\n" << text << "\nthat are out:\n" << out << "\nthat are due:\n" << due << "\n";
  std::abort();
}

// Returns a filter's output for the pieces. `settles` reads the last piece and adds the due part.
template <class Filter, class Feed, class Settles>
std::string filtered(const char* what, const std::vector<std::string_view>& pieces, Feed feed,
                     Settles settles) {
  Filter filter;
  std::string out;
  std::string so_far;
  std::string due;
  for (const std::string_view piece : pieces) {
    std::string said(piece);
    feed(filter, said);
    out += said;
    so_far += piece;
    settles(piece, so_far, due);
    hold_due(what, so_far, out, due);
  }
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
           "paths", pieces, [](auto& filter, std::string& text) { filter.feed(kRules, text); },
           [paths = observe::StablePaths()](std::string_view piece, const std::string&,
                                            std::string& due) mutable {
             for (const char& c : piece) paths.take(c, std::string_view(&c, 1), kMarker, due);
           }),
       observe::redacted(text, kMarker));
  hold("arguments", text,
       filtered<text::ArgumentRedaction>(
           "arguments", pieces, [](auto& filter, std::string& text) { filter.feed(kRules, text); },
           [arguments = observe::StableArguments()](std::string_view piece, const std::string&,
                                                    std::string& due) mutable {
             arguments.take(piece, kMarker, due);
           }),
       observe::redacted_arguments(text, kMarker));
  hold("identity", text,
       filtered<text::Identity>(
           "identity", pieces, [](auto& filter, std::string& text) { filter.feed(kModel, text); },
           [identity = observe::StableIdentity()](std::string_view, const std::string& so_far,
                                                  std::string& due) mutable {
             identity.read(so_far, kModel, due);
           }),
       observe::with_identity_of(kModel, text));
  hold("blocks", text,
       filtered<text::HiddenBlocks>(
           "blocks", pieces, [](auto& filter, std::string& text) { filter.feed(text); },
           [blocks = observe::StableBlocks()](std::string_view, const std::string& so_far,
                                              std::string& due) mutable { blocks.read(so_far, due); }),
       observe::without_hidden_blocks(text));

  static const text::WantedTexts kWanted(kStops);
  text::StopTexts stop;
  observe::StableStops settled;
  std::string so_far;
  std::string told;
  bool stopped = false;
  for (const std::string_view piece : pieces) {
    if (!stopped) {
      std::string said(piece);
      stopped = stop.feed(kWanted, said).has_value();
      told += said;
    }
    so_far += piece;
    settled.read(so_far, kStops);
    hold_due("stops", so_far, told, std::string_view(so_far).substr(0, settled.settled()));
  }
  if (!stopped) stop.finish(told);
  const auto at = observe::first_stop(text, kStops);
  hold("stops", text, told, text.substr(0, at.value_or(text.size())));
  return 0;
}
