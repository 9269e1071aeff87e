#include "harness/observe/side.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/observe/anthropic_message.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/chat_finish.hpp"
#include "harness/observe/client_runs.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

json input_of(std::string_view arguments) {
  switch (kind_of_arguments(arguments)) {
    case Arguments::none:
      return json::object();
    case Arguments::object:
      // Half a surrogate pair and a number beyond a double are JSON, but no value here: the text stands for them.
      if (const auto input = parse_strict_json(arguments)) return **input;
      break;
    case Arguments::fragment:
    case Arguments::foreign:
      break;
  }
  return std::string(arguments.substr(leading_blanks(arguments)));
}

Side::Call call_of(const std::string& id, std::string name, std::string arguments) {
  Side::Call call;
  if (!id.empty()) call.id = id;
  call.name = std::move(name);
  call.input = input_of(arguments);
  call.arguments = std::move(arguments);
  return call;
}

void add_parts(const std::vector<Part>& parts, Side& side) {
  for (const Part& part : parts) {
    if (part.kind == PartKind::call) {
      Side::Call call = call_of(part.id, part.name, part.arguments);
      call.rank = part.rank;
      call.begun = part.begun;
      side.add_call(std::move(call));
    } else {
      const bool thinks = part.kind == PartKind::thinking;
      side.add_prose(thinks ? Side::Kind::thinking : Side::Kind::text, part.text, part.signature);
    }
  }
  side.run_each_call();
}

void add_usage(const Tokens& usage, Side& side) {
  if (usage.completion) side.output = *usage.completion;
  if (usage.prompt && usage.cached.value_or(0) <= *usage.prompt) {
    side.cached = usage.cached.value_or(0);
    side.input = *usage.prompt - usage.cached.value_or(0);
  }
}

/// In the words of `Finish`; others stand for themselves.
std::string finish_word_of_chat(const std::string& finish) {
  switch (finish_kind(finish)) {
    case FinishKind::stop:
      return std::string(name(Finish::stop));
    case FinishKind::tool_calls:
      return std::string(name(Finish::tool_calls));
    case FinishKind::length:
      return std::string(name(Finish::length));
    case FinishKind::filter:
      return std::string(name(Finish::content_filter));
    case FinishKind::breakdown:
    case FinishKind::other:
      break;
  }
  return finish;
}

/// The stop_reasons that Chat Completions has a word for; the others stand for themselves.
std::string finish_word(const std::string& stop_reason) {
  constexpr std::array<std::pair<std::string_view, Finish>, 4> kWords = {
      {{"end_turn", Finish::stop},
       {"max_tokens", Finish::length},
       {"tool_use", Finish::tool_calls},
       {"refusal", Finish::content_filter}}};
  for (const auto& [word, finish] : kWords) {
    if (word == stop_reason) return std::string(name(finish));
  }
  return stop_reason;
}

}  // namespace

std::string Side::prose(Kind kind) const {
  std::string joined;
  for (const Item& item : items) {
    if (item.kind == kind) joined += item.text;
  }
  return joined;
}

void Side::add_prose(Kind kind, std::string text, std::string signature) {
  if (!text.empty()) items.push_back({kind, std::move(text), std::move(signature)});
}

void Side::add_call(Call call) {
  items.push_back({Kind::call, {}, {}, calls.size()});
  calls.push_back(std::move(call));
}

void Side::remove_call(std::size_t place) {
  calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(place));
  std::erase_if(items, [&](const Item& item) { return item.kind == Kind::call && item.call == place; });
  for (Item& item : items) {
    if (item.kind == Kind::call && item.call > place) --item.call;
  }
}

void Side::run_each_call() {
  runs.clear();
  for (const Call& call : calls) runs.push_back({call.name, call.input});
}

Side side_of(const Expected& expected) {
  Side side;
  add_parts(expected.parts, side);
  side.error = expected.failure.has_value();
  side.finish = name(expected.finish);
  add_usage(expected.usage, side);
  return side;
}

Side side_of(const Meaning& meaning) {
  Side side;
  add_parts(meaning.parts, side);
  side.error = meaning.error.has_value();
  if (meaning.finish) side.finish = finish_word_of_chat(*meaning.finish);
  add_usage(meaning.usage, side);
  return side;
}

Side side_of_anthropic(const Trace& downstream) {
  const AnthropicMessage message = assemble_anthropic_message(downstream);
  Side side;
  for (const MessageBlock& block : message.blocks) {
    switch (block.kind()) {
      case BlockKind::text:
        side.add_prose(Side::Kind::text, block.text, {});
        break;
      case BlockKind::thinking:
        side.add_prose(Side::Kind::thinking, block.text, block.signature);
        break;
      case BlockKind::tool_use:
        side.add_call(call_of(block.id, block.name, block.arguments));
        break;
      case BlockKind::other:
        side.others.push_back({{"block", block.text}, {"input", input_of(block.arguments)}});
        break;
    }
  }
  for (const ClientRun& run : client_runs(downstream))
    side.runs.push_back({run.name, input_of(run.arguments)});
  if (message.stop_reason) side.finish = finish_word(*message.stop_reason);
  side.error = message.error.has_value() || downstream.message_end == MessageEnd::cut;
  if (message.usage.input) side.input = *message.usage.input;
  if (message.usage.output) side.output = *message.usage.output;
  if (message.usage.cache_read) side.cached = *message.usage.cache_read;
  return side;
}

}  // namespace splitproof::observe
