#include "harness/observe/read_answer.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "harness/lower_case.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;
using Unreadable = tl::unexpected<std::string>;

// Returns a text of JSON as UTF-8: each half of a pair becomes U+FFFD.
std::string utf8_of(const WireJson& value) { return json::parse(json_string(value.string())); }

// Reads a member that is a string, or absent.
tl::expected<std::string, std::string> text_member(const WireJson& object, std::string_view name) {
  const WireJson& value = object.at(name);
  if (value.absent() || value.kind == WireJson::Kind::null) return std::string();
  if (value.kind != WireJson::Kind::string) return Unreadable("`" + std::string(name) + "` is not a string");
  return utf8_of(value);
}

tl::expected<std::optional<std::uint64_t>, std::string> count_member(const WireJson& usage,
                                                                     std::string_view name) {
  const WireJson& value = usage.at(name);
  if (value.absent() || value.kind == WireJson::Kind::null) return std::nullopt;
  const json number = json::parse(value.raw, nullptr, false);
  if (!number.is_number_unsigned())
    return Unreadable("`" + std::string(name) + "` of the usage is not a whole number");
  return std::optional(number.get<std::uint64_t>());
}

// Reads an object with no other members than these.
tl::expected<WireJson, std::string> checked_object(std::string_view text, const std::string& what,
                                                   std::initializer_list<std::string_view> members) {
  auto object = parse_wire_json(text);
  if (!object || object->kind != WireJson::Kind::object) return Unreadable("`" + what + "` is not an object");
  for (const WireJson& member : object->children)
    if (std::find(members.begin(), members.end(), member.key) == members.end())
      return Unreadable("`" + what + "` has an unknown member `" + member.key + "`");
  return *std::move(object);
}

tl::expected<void, std::string> read_calls(const WireJson& list, ReadAnswer& answer) {
  if (list.absent() || list.kind == WireJson::Kind::null) return {};
  if (list.kind != WireJson::Kind::array) return Unreadable("`calls` is not a list");
  for (const WireJson& one : list.children) {
    const auto object = checked_object(one.raw, "a call", {"id", "name", "arguments"});
    if (!object) return Unreadable(object.error());
    ReadCall call;
    for (const auto& [name, field] :
         {std::pair("id", &call.id), {"name", &call.name}, {"arguments", &call.arguments}}) {
      auto text = text_member(*object, name);
      if (!text) return Unreadable(text.error() + " in a call");
      *field = *std::move(text);
    }
    answer.calls.push_back(std::move(call));
  }
  return {};
}

tl::expected<void, std::string> read_usage(const WireJson& usage, ReadAnswer& answer) {
  if (usage.absent() || usage.kind == WireJson::Kind::null) return {};
  const auto object = checked_object(usage.raw, "usage", {"input", "output"});
  if (!object) return Unreadable(object.error());
  for (const auto& [name, field] : {std::pair("input", &answer.input), {"output", &answer.output}}) {
    const auto count = count_member(*object, name);
    if (!count) return Unreadable(count.error());
    *field = *count;
  }
  return {};
}

json json_of_answer(const ReadAnswer& answer) {
  json calls = json::array();
  for (const ReadCall& call : answer.calls)
    calls.push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  json usage = json::object();
  if (answer.input) usage["input"] = *answer.input;
  if (answer.output) usage["output"] = *answer.output;
  return {{"text", answer.text},       {"thinking", answer.thinking},
          {"calls", std::move(calls)}, {"stop", answer.stop},
          {"usage", std::move(usage)}, {"error", answer.error ? json(*answer.error) : json(nullptr)}};
}

double double_of(const WireJson& value) { return std::strtod(std::string(value.raw).c_str(), nullptr); }

bool are_equal_values(const WireJson& a, const WireJson& b);

// Of members with one name, the last counts.
bool has_members_of(const WireJson& a, const WireJson& b) {
  return std::all_of(a.children.begin(), a.children.end(), [&](const WireJson& member) {
    const WireJson& other = b.at(member.key);
    return !other.absent() && are_equal_values(a.at(member.key), other);
  });
}

bool are_equal_values(const WireJson& a, const WireJson& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case WireJson::Kind::null:
      return true;
    case WireJson::Kind::boolean:
      return a.raw == b.raw;
    case WireJson::Kind::number:
      return double_of(a) == double_of(b);
    case WireJson::Kind::string:
      return json_string(a.string()) == json_string(b.string());
    case WireJson::Kind::array:
      return std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                        are_equal_values);
    case WireJson::Kind::object:
      break;
  }
  return has_members_of(a, b) && has_members_of(b, a);
}

}  // namespace

tl::expected<ReadAnswer, std::string> read_answer(std::string_view text) {
  const auto object = checked_object(text, "answer", {"text", "thinking", "calls", "stop", "usage", "error"});
  if (!object) return Unreadable(object.error());
  ReadAnswer answer;
  std::string error;
  for (const auto& [name, field] : {std::pair("text", &answer.text),
                                    {"thinking", &answer.thinking},
                                    {"stop", &answer.stop},
                                    {"error", &error}}) {
    auto value = text_member(*object, name);
    if (!value) return Unreadable(value.error());
    *field = *std::move(value);
  }
  answer.stop = lower_case(answer.stop);
  if (object->at("error").is(WireJson::Kind::string)) answer.error = std::move(error);
  if (const auto added = read_calls(object->at("calls"), answer); !added) return Unreadable(added.error());
  if (const auto added = read_usage(object->at("usage"), answer); !added) return Unreadable(added.error());
  return answer;
}

tl::expected<std::size_t, std::string> read_told(std::string_view text) {
  const auto object = checked_object(text, "told", {"text", "thinking", "calls"});
  if (!object) return Unreadable(object.error());
  return text_member(*object, "text").map([](const std::string& told) { return told.size(); });
}

std::string line_of(const ReadAnswer& answer) {
  json line = {{"answer", json_of_answer(answer)}};
  if (!answer.unreported.empty()) line["cannot"] = answer.unreported;
  return line.dump() + "\n";
}

std::string line_of_told(std::size_t text) { return json{{"told", text}}.dump() + "\n"; }

std::string_view answer_line(std::string_view lines) {
  if (lines.empty()) return lines;
  const std::size_t before = lines.rfind('\n', lines.size() - 2);
  return before == lines.npos || lines.size() < 2 ? lines : lines.substr(before + 1);
}

std::optional<ReadAnswer> reported_answer(std::string_view lines) {
  const std::string_view last = answer_line(lines);
  const auto line = parse_wire_json(last.substr(0, last.find('\n')));
  if (!line || !line->at("answer").is(WireJson::Kind::object)) return std::nullopt;
  auto answer = read_answer(line->at("answer").raw);
  if (!answer) return std::nullopt;
  for (const WireJson& member : line->at("cannot").children) answer->unreported.emplace(member.string());
  return *std::move(answer);
}

std::optional<std::size_t> told_in(std::string_view lines) {
  std::size_t end = lines.rfind('\n');
  while (end != lines.npos) {
    const std::size_t before = end == 0 ? lines.npos : lines.rfind('\n', end - 1);
    const std::size_t begin = before == lines.npos ? 0 : before + 1;
    const auto line = parse_wire_json(lines.substr(begin, end - begin));
    if (line && line->at("told").is(WireJson::Kind::number))
      return json::parse(line->at("told").raw).get<std::size_t>();
    end = before;
  }
  return std::nullopt;
}

DemandedAnswer demanded_answer(const Answer& meaning) {
  DemandedAnswer demanded;
  ReadAnswer& answer = demanded.answer;
  for (const Part& part : meaning.parts) {
    if (part.kind == PartKind::text) answer.text += part.text;
    if (part.kind == PartKind::thinking) answer.thinking += part.text;
    if (part.kind == PartKind::text || part.kind == PartKind::thinking) demanded.prose += part.text;
    if (part.kind == PartKind::text || part.kind == PartKind::refusal) demanded.said += part.text;
    if (part.kind != PartKind::call) continue;
    answer.calls.push_back({part.id, part.name, part.arguments});
    demanded.has_open_arguments.push_back(!part.custom && !part.arguments.empty() &&
                                          !parse_wire_json(part.arguments));
  }
  if (meaning.finish) answer.stop = meaning.finish->word;
  if (!meaning.usage.unclear) answer.input = meaning.usage.prompt;
  // Some servers do not count thinking as output.
  if (!meaning.shapes.contains("reasoning_beside_completion")) answer.output = meaning.usage.completion;
  return demanded;
}

bool are_equal_arguments(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto first = parse_wire_json(a.empty() ? "{}" : std::string_view(a));
  const auto second = parse_wire_json(b.empty() ? "{}" : std::string_view(b));
  return first && second && are_equal_values(*first, *second);
}

}  // namespace splitproof::observe
