#include "proxy/request/preamble.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "proxy/request/call_markup.hpp"
#include "proxy/request/escaped.hpp"
#include "proxy/request/told_result.hpp"
#include "proxy/request/tool_choice.hpp"

namespace splitproof::request {
namespace {

// Returns a call in markup, in UTF-8. The name is escaped, the arguments are JSON.
std::string written_call(std::string_view name, std::string_view arguments) {
  std::string text(kCallOpen);
  text.append(R"({"name":")").append(name).append(R"(","arguments":)").append(arguments).append("}");
  return text.append(kCallClose);
}

// Returns the system's description of the tools and of the form of calls. Escaped.
std::string description_of(const Asked& asked) {
  std::string text = escaped(
      "## Tools\n\nA call is written so, and in no other way:\n\n" + written_call("NAME", "{...}") +
      "\n\nThe name is one of those below, and the arguments are one JSON object that fits the schema. "
      "What a call gave comes back as " +
      std::string(kResultOpen) + ">..." + std::string(kResultClose) + ".");
  if (!asked.parallel) text += " Make one call at a time.";
  for (const Tool& tool : asked.tools) {
    text.append(escaped("\n\n### ")).append(tool.name);
    if (tool.description && !tool.description->empty())
      text.append(escaped("\n\n")).append(*tool.description);
    text += escaped("\n\nSchema of the arguments: " + tool.schema);
  }
  return text;
}

// Returns the user's banner: short, and unlike a system prompt, which models take for a trick in user text. Escaped.
std::string banner_of(const Asked& asked) {
  std::string text = "Tools available this turn: ";
  for (const Tool& tool : asked.tools)
    text.append(&tool == &asked.tools.front() ? "" : ", ").append(tool.name);
  text += escaped(". To call one, write " + written_call("NAME", "{...}") +
                  ", once for each call. The system's message says what each of them takes.");
  if (const std::string wanted = directive(asked); !wanted.empty()) text.append(" ").append(wanted);
  return text;
}

std::string narrowed(const std::string& id) {
  constexpr std::string_view kOthers = "_.:-";
  constexpr std::size_t kLongest = 128;
  std::string narrow;
  for (const char c : plain(id)) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      kOthers.find(c) != std::string_view::npos;
    if (fits && narrow.size() < kLongest) narrow += c;
  }
  return narrow.empty() ? "unknown" : narrow;
}

void write(const Call& call, std::vector<Block>& blocks) {
  // In JSON a bracket occurs only in strings, so it can be escaped.
  const std::string arguments = without_call_markup(call.input, "\\u003c");
  blocks.emplace_back(Text{escaped(written_call(call.name, arguments))});
}

void write(const Result& result, std::vector<Block>& blocks) {
  std::string text =
      escaped(std::string(kResultOpen) + std::string(kResultId) + narrowed(result.call) + "\">");
  if (result.error) text += "Error: ";
  const std::string said = text_of(result);
  const std::string as_read = plain(said);
  const std::string safe = without_call_markup(as_read, "&lt;");
  text += safe == as_read ? said : escaped(safe);
  blocks.emplace_back(Text{text + escaped(kResultClose)});
  add_images(result, blocks);
}

void write_history(Asked& asked) {
  for (Turn& turn : asked.turns) {
    std::stable_partition(turn.blocks.begin(), turn.blocks.end(),
                          [](const Block& block) { return std::holds_alternative<Result>(block); });
    std::vector<Block> blocks;
    for (Block& block : turn.blocks) {
      if (const auto* call = std::get_if<Call>(&block))
        write(*call, blocks);
      else if (const auto* result = std::get_if<Result>(&block))
        write(*result, blocks);
      else
        blocks.push_back(std::move(block));
    }
    turn.blocks = std::move(blocks);
  }
}

// The banner moves from turn to turn, so only constant content identifies a conversation.
std::string opening_of(const Asked& asked) {
  Joined opening;
  for (const std::string& text : asked.system) opening.add(text);
  const auto first = std::find_if(asked.turns.begin(), asked.turns.end(),
                                  [](const Turn& turn) { return turn.role == Role::user; });
  if (first != asked.turns.end()) opening.add(text_of(*first));
  return opening.text;
}

// Returns the user's last turn; null without one or if it begins with a result.
Turn* last_real_turn(Asked& asked) {
  const auto last = std::find_if(asked.turns.rbegin(), asked.turns.rend(),
                                 [](const Turn& turn) { return turn.role == Role::user; });
  if (last == asked.turns.rend()) return nullptr;
  const auto* text = last->blocks.empty() ? nullptr : std::get_if<Text>(&last->blocks.front());
  return text != nullptr && plain(text->text).starts_with(kResultOpen) ? nullptr : &*last;
}

}  // namespace

void put_tools_into_words(Asked& asked) {
  const bool usable = !asked.tools.empty() && asked.choice != Choice::none;
  if (usable) asked.opening = opening_of(asked);
  write_history(asked);
  if (usable) {
    asked.system.push_back(description_of(asked));
    if (Turn* turn = last_real_turn(asked)) {
      turn->blocks.insert(turn->blocks.begin(), Text{banner_of(asked)});
    } else {
      put_choice_into_words(asked);
    }
  }
  asked.tools.clear();
  asked.choice = Choice::automatic;
  asked.chosen.clear();
  asked.parallel = true;
}

}  // namespace splitproof::request
