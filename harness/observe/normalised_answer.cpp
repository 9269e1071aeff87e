#include "harness/observe/normalised_answer.hpp"

#include <algorithm>
#include <string_view>

#include "harness/observe/call_arguments.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

NormalisedAnswer::Kind prose_kind(PartKind kind, bool refusals) {
  if (kind == PartKind::thinking) return NormalisedAnswer::Kind::thinking;
  return kind == PartKind::refusal && refusals ? NormalisedAnswer::Kind::refusal
                                               : NormalisedAnswer::Kind::text;
}

void add_parts(const std::vector<Part>& parts, bool refusals, NormalisedAnswer& side) {
  for (const Part& part : parts) {
    if (part.kind == PartKind::call) {
      NormalisedAnswer::Call call = call_of(part.id, part.name, part.arguments, part.custom);
      call.rank = part.rank;
      call.begun = part.begun;
      side.add_call(std::move(call));
    } else {
      side.add_prose(prose_kind(part.kind, refusals), part.text, part.signature);
    }
  }
  side.run_each_call();
}

void add_usage(const Tokens& usage, NormalisedAnswer& side) {
  if (usage.completion) side.output = *usage.completion;
  if (usage.reasoning) side.reasoning = *usage.reasoning;
  if (usage.total) side.total = *usage.total;
  if (!usage.prompt) return;
  const std::uint64_t of_caches = usage.cached.value_or(0) + usage.written.value_or(0);
  if (of_caches > *usage.prompt || usage.unclear.value_or(0) > 0) {
    side.most_input = *usage.prompt + of_caches + usage.unclear.value_or(0);
    return;
  }
  if (usage.cached) side.cached = *usage.cached;
  if (usage.written) side.written = *usage.written;
  side.input = *usage.prompt - of_caches;
}

/// Returns JSON as written, without white space between its tokens.
std::string without_blanks_between_tokens(std::string_view text) {
  std::string kept;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n';
    if (!in_string && is_blank) continue;
    kept += text[i];
    if (text[i] == '"') in_string = !in_string;
    if (in_string && text[i] == '\\' && i + 1 < text.size()) kept += text[++i];
  }
  return kept;
}

}  // namespace

NormalisedAnswer renamed(const Renaming& renaming, NormalisedAnswer side) {
  if (!renaming.any()) return side;
  for (NormalisedAnswer::Call& call : side.calls) {
    if (call.custom || !renaming.knows(Towards::client, call.name)) continue;
    side.was_renamed = true;
    call.arguments = renaming.arguments(Towards::client, call.name, call.arguments);
    call.name = renaming.name(Towards::client, call.name);
    call.input = input_of(call.arguments);
  }
  for (NormalisedAnswer::Run& run : side.runs) {
    if (run.input.is_object())
      run.input = input_of(renaming.arguments(Towards::client, run.name, run.input.dump()));
    run.name = renaming.name(Towards::client, run.name);
  }
  return side;
}

std::string finish_word(const FinishReason& finish) {
  switch (finish.kind) {
    case FinishKind::stop:
      return std::string(name(Finish::stop));
    case FinishKind::calls:
      return std::string(name(Finish::calls));
    case FinishKind::length:
      return std::string(name(Finish::length));
    case FinishKind::filter:
      return std::string(name(Finish::filter));
    case FinishKind::breakdown:
    case FinishKind::paused:
    case FinishKind::unknown:
      break;
  }
  return finish.word;
}

json input_of(std::string_view arguments) {
  switch (kind_of_arguments(arguments)) {
    case Arguments::none:
      return json::object();
    case Arguments::object:
      // Half a surrogate pair and a number beyond a double are JSON, but no value here. So their text is
      // used.
      if (const auto input = parse_strict_json(arguments)) return **input;
      return without_blanks_between_tokens(arguments);
    case Arguments::fragment:
    case Arguments::foreign:
      break;
  }
  return std::string(arguments.substr(leading_blanks(arguments)));
}

NormalisedAnswer::Call call_of(const std::string& id, std::string name, std::string arguments, bool custom) {
  NormalisedAnswer::Call call;
  if (!id.empty()) call.id = id;
  call.name = std::move(name);
  call.custom = custom;
  call.input = custom ? json(arguments) : input_of(arguments);
  call.arguments = std::move(arguments);
  return call;
}

std::string NormalisedAnswer::prose(Kind kind) const {
  std::string joined;
  for (const Item& item : items) {
    if (item.kind == kind) joined += item.text;
  }
  return joined;
}

void NormalisedAnswer::add_prose(Kind kind, std::string text, std::string signature) {
  if (!text.empty() || !signature.empty()) items.push_back({kind, std::move(text), std::move(signature)});
}

void NormalisedAnswer::add_call(Call call) {
  items.push_back({Kind::call, {}, {}, calls.size()});
  calls.push_back(std::move(call));
}

void NormalisedAnswer::add_other(json other) {
  std::size_t bytes = 0;
  for (const Item& item : items) bytes += item.text.size();
  others.push_back(std::move(other));
  places.push_back("after " + std::to_string(bytes) + " bytes and " + std::to_string(calls.size()) +
                   " calls");
}

void NormalisedAnswer::remove_call(std::size_t place) {
  calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(place));
  std::erase_if(items, [&](const Item& item) { return item.kind == Kind::call && item.call == place; });
  for (Item& item : items) {
    if (item.kind == Kind::call && item.call > place) --item.call;
  }
}

void NormalisedAnswer::run_each_call() {
  runs.clear();
  for (const Call& call : calls) runs.push_back({call.name, call.input});
}

bool NormalisedAnswer::begins_as(const NormalisedAnswer& begun) const {
  const auto continues = [](const Call& one, const Call& call) {
    return call.name == one.name && call.arguments.starts_with(one.arguments);
  };
  const auto prose_continues = [&](Kind kind) { return prose(kind).starts_with(begun.prose(kind)); };
  return prose_continues(Kind::text) && prose_continues(Kind::thinking) && prose_continues(Kind::refusal) &&
         calls.size() >= begun.calls.size() &&
         std::equal(begun.calls.begin(), begun.calls.end(), calls.begin(), continues);
}

NormalisedAnswer side_of(const Expected& expected) {
  NormalisedAnswer side;
  add_parts(expected.parts, expected.refusals, side);
  side.error = expected.failure.has_value();
  side.was_renamed = expected.shapes.contains("names_known");
  side.error_classes = expected.error_classes;
  side.finish = name(expected.finish);
  add_usage(expected.usage, side);
  return side;
}

NormalisedAnswer side_of(const Answer& meaning) {
  NormalisedAnswer side;
  add_parts(meaning.parts, true, side);
  side.error = meaning.error.has_value();
  side.error_classes = meaning.error_classes;
  if (meaning.finish) side.finish = finish_word(*meaning.finish);
  add_usage(meaning.usage, side);
  if (side.input.is_number() && side.cached.is_null()) side.cached = 0;  // for clients, a missing count is 0
  return side;
}

}  // namespace splitproof::observe
