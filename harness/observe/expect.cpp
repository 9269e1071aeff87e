#include "harness/observe/expect.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace splitproof::observe {
namespace {

using nlohmann::json;

/// Thrown only inside this file.
struct ExpectMistake {
  std::string what;
  std::string hint;
};

/// Values at one level of `expect`.
struct Overrides {
  std::optional<std::vector<Part>> parts;
  std::optional<std::string> text;
  std::optional<std::string> thinking;
  std::optional<std::vector<Part>> calls;
  std::optional<Finish> finish;
  std::optional<bool> error;
  std::optional<Tokens> usage;
};

void check_members(const json& object, const std::string& where,
                   std::initializer_list<std::string_view> known) {
  if (!object.is_object()) throw ExpectMistake{"`" + where + "` is no object", ""};
  for (const auto& member : object.items()) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    std::string names;
    for (const std::string_view name : known) names += (names.empty() ? "" : ", ") + std::string(name);
    throw ExpectMistake{"`" + where + "` has the unknown member `" + member.key() + "`",
                        "known are " + names};
  }
}

std::string text_of(const json& value, const std::string& where) {
  if (!value.is_string()) throw ExpectMistake{"`" + where + "` is no text", ""};
  return value.get<std::string>();
}

std::uint64_t count_of(const json& value, const std::string& where) {
  if (!value.is_number_unsigned()) throw ExpectMistake{"`" + where + "` is no whole number from 0 on", ""};
  return value.get<std::uint64_t>();
}

Part read_call(const json& value, const std::string& where) {
  check_members(value, where, {"name", "id", "arguments", "input"});
  if (!value.contains("name")) throw ExpectMistake{"`" + where + "` has no `name`", ""};
  if (value.contains("arguments") && value.contains("input")) {
    throw ExpectMistake{"`" + where + "` has both `arguments` and `input`",
                        "give the text, or the object that it is"};
  }
  Part call;
  call.kind = PartKind::call;
  call.name = text_of(value["name"], where + "/name");
  if (value.contains("id")) call.id = text_of(value["id"], where + "/id");
  if (value.contains("arguments")) call.arguments = text_of(value["arguments"], where + "/arguments");
  if (value.contains("input")) {
    if (!value["input"].is_object()) throw ExpectMistake{"`" + where + "/input` is no object", ""};
    call.arguments = value["input"].dump();
  }
  return call;
}

Part prose_of(PartKind kind, std::string text) {
  Part part;
  part.kind = kind;
  part.text = std::move(text);
  return part;
}

Part part_of(const json& value, const std::string& where) {
  check_members(value, where, {"text", "thinking", "call"});
  if (value.size() != 1) throw ExpectMistake{"`" + where + "` is not one of text, thinking and call", ""};
  const auto member = value.begin();
  const std::string inner = where + "/" + member.key();
  if (member.key() == "call") return read_call(*member, inner);
  const PartKind kind = member.key() == "text" ? PartKind::text : PartKind::thinking;
  Part part = prose_of(kind, text_of(*member, inner));
  if (part.text.empty()) throw ExpectMistake{"`" + inner + "` is empty", "leave the part out"};
  return part;
}

template <class Read>
std::vector<Part> list_of(const json& value, const std::string& where, const Read& read) {
  if (!value.is_array()) throw ExpectMistake{"`" + where + "` is no list", ""};
  std::vector<Part> parts;
  for (const json& element : value)
    parts.push_back(read(element, where + "/" + std::to_string(parts.size())));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == PartKind::call) parts[i].rank = i;
  }
  return parts;
}

Finish finish_of(const json& value, const std::string& where) {
  const std::string word = text_of(value, where);
  std::string words;
  for (const Finish finish : {Finish::stop, Finish::length, Finish::calls, Finish::filter}) {
    if (word == name(finish)) return finish;
    words += (words.empty() ? "" : ", ") + std::string(name(finish));
  }
  throw ExpectMistake{"`" + where + "` cannot be `" + word + "`", "there are " + words};
}

Tokens usage_of(const json& value, const std::string& where) {
  check_members(value, where, {"input", "cached", "written", "output"});
  Tokens usage;
  if (value.contains("cached")) usage.cached = count_of(value["cached"], where + "/cached");
  if (value.contains("written")) usage.written = count_of(value["written"], where + "/written");
  if (value.contains("input"))
    usage.prompt =
        count_of(value["input"], where + "/input") + usage.cached.value_or(0) + usage.written.value_or(0);
  if (value.contains("output")) usage.completion = count_of(value["output"], where + "/output");
  return usage;
}

Overrides overrides_of(const json& value, const std::string& where) {
  Overrides overrides;
  for (const auto& member : value.items()) {
    const std::string inner = where + "/" + member.key();
    if (member.key() == "parts") overrides.parts = list_of(member.value(), inner, part_of);
    if (member.key() == "text") overrides.text = text_of(member.value(), inner);
    if (member.key() == "thinking") overrides.thinking = text_of(member.value(), inner);
    if (member.key() == "calls") overrides.calls = list_of(member.value(), inner, read_call);
    if (member.key() == "finish") overrides.finish = finish_of(member.value(), inner);
    if (member.key() == "usage") overrides.usage = usage_of(member.value(), inner);
    if (member.key() != "error") continue;
    if (!member.value().is_boolean()) throw ExpectMistake{"`" + inner + "` is neither true nor false", ""};
    overrides.error = member.value().get<bool>();
  }
  if (overrides.parts && (overrides.text || overrides.thinking || overrides.calls)) {
    throw ExpectMistake{"`" + where + "` has `parts` beside text, thinking or calls",
                        "leave out what `parts` says already"};
  }
  return overrides;
}

/// Replaces all parts of a kind by `instead`. Their place among the other parts is then unknown.
void replace(Expected& expected, bool (*is_kind)(PartKind), std::vector<Part> instead) {
  auto& parts = expected.parts;
  parts.erase(
      std::remove_if(parts.begin(), parts.end(), [&](const Part& part) { return is_kind(part.kind); }),
      parts.end());
  expected.order_open = expected.order_open || (!parts.empty() && !instead.empty());
  parts.insert(parts.end(), instead.begin(), instead.end());
}

void apply(const Overrides& overrides, const ClientCapabilities& carries, Expected& expected) {
  const auto prose = [](PartKind kind, const std::string& text) {
    return text.empty() ? std::vector<Part>() : std::vector<Part>{prose_of(kind, text)};
  };
  if (overrides.parts) {
    expected.parts = *overrides.parts;
    expected.order_open = false;
  }
  if (overrides.text) {
    replace(
        expected, [](PartKind kind) { return kind == PartKind::text || kind == PartKind::refusal; },
        prose(PartKind::text, *overrides.text));
  }
  if (overrides.thinking) {
    replace(
        expected, [](PartKind kind) { return kind == PartKind::thinking; },
        prose(PartKind::thinking, *overrides.thinking));
  }
  if (overrides.calls) {
    replace(
        expected, [](PartKind kind) { return kind == PartKind::call; }, *overrides.calls);
  }
  if (overrides.parts || overrides.calls) expected.unsettled.clear();
  if (overrides.finish) {
    const bool untold = *overrides.finish == Finish::calls && !carries.calls;
    expected.finish = untold ? Finish::stop : *overrides.finish;
    expected.finish_unknown = false;
  }
  if (overrides.error && *overrides.error != expected.failure.has_value()) {
    expected.failure = *overrides.error ? std::optional(Failure::demanded) : std::nullopt;
  }
  if (overrides.usage) expected.usage = *overrides.usage;
}

}  // namespace

Result<void> apply_expect(const recording::Recording& recording, std::string_view profile, Expected& expected,
                          const ClientCapabilities& carries) {
  if (!recording.expect) return {};
  try {
    const json& expect = *recording.expect;
    check_members(expect, "expect",
                  {"parts", "text", "thinking", "calls", "finish", "error", "usage", "profiles"});
    std::vector<Overrides> levels = {overrides_of(expect, "expect")};
    if (expect.contains("profiles")) {
      const json& profiles = expect["profiles"];
      if (!profiles.is_object())
        throw ExpectMistake{"`expect/profiles` is no object", "its members are names of profiles"};
      for (const auto& member : profiles.items()) {
        const std::string where = "expect/profiles/" + member.key();
        check_members(member.value(), where,
                      {"parts", "text", "thinking", "calls", "finish", "error", "usage"});
        Overrides overrides = overrides_of(member.value(), where);
        if (member.key() == profile) levels.push_back(std::move(overrides));
      }
    }
    for (const Overrides& overrides : levels) apply(overrides, carries, expected);
    return {};
  } catch (const ExpectMistake& mistake) {
    return tl::make_unexpected(Error{mistake.what, recording.path, 1, mistake.hint});
  }
}

}  // namespace splitproof::observe
