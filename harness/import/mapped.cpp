#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/contract/yaml_node.hpp"
#include "harness/import/capture_time.hpp"
#include "harness/import/collector.hpp"
#include "harness/import/readers.hpp"
#include "harness/json_member.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/strict_json.hpp"
#include "harness/visible.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;

/// The place of each part of a recording in the lines of a dump: JSON pointers, empty if the dump lacks it.
struct DumpMapping {
  std::string body;
  std::string encoding = "text";
  std::string call;
  std::string time;
  std::string unit = "s";
  std::string url;
  std::string before;
  std::string after;
  std::map<std::string, std::string> where;
  Segments segments = Segments::frames;
};

std::string pointer_of(const contract::YamlNode& node, std::string_view key) {
  const std::string& text = contract::scalar_text(node, key);
  if (!text.starts_with('/'))
    contract::refuse(node.line, std::string(key) + " must be a JSON pointer, not `" + text + "`",
                     "for example /data");
  return text;
}

std::string choice_of(const contract::YamlNode& node, std::string_view key,
                      std::initializer_list<std::string_view> words) {
  const std::string& text = contract::scalar_text(node, key);
  std::string list;
  for (const std::string_view word : words) {
    if (word == text) return text;
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  contract::refuse(node.line, std::string(key) + " cannot be `" + text + "`", "use one of " + list);
}

DumpMapping mapping_of(const contract::YamlNode& root) {
  const contract::YamlMap map(
      root, "a mapping",
      {"body", "encoding", "call", "time", "unit", "url", "before", "after", "where", "segments"});
  DumpMapping mapping;
  mapping.body = pointer_of(map.need("body"), "body");
  if (const auto* node = map.find("encoding"))
    mapping.encoding = choice_of(*node, "encoding", {"text", "base64", "json"});
  if (const auto* node = map.find("call")) mapping.call = pointer_of(*node, "call");
  if (const auto* node = map.find("time")) mapping.time = pointer_of(*node, "time");
  if (const auto* node = map.find("unit"))
    mapping.unit = choice_of(*node, "unit", {"s", "ms", "us", "ns", "date"});
  if (const auto* node = map.find("url")) mapping.url = pointer_of(*node, "url");
  if (const auto* node = map.find("before")) mapping.before = contract::scalar_text(*node, "before");
  if (const auto* node = map.find("after")) mapping.after = contract::scalar_text(*node, "after");
  if (const auto* node = map.find("segments")) {
    const std::string word = choice_of(*node, "segments", {"exact", "frames", "body"});
    mapping.segments = word == "exact"    ? Segments::exact
                       : word == "frames" ? Segments::frames
                                          : Segments::body;
  }
  if (const auto* node = map.find("where")) {
    if (!node->is_map()) contract::refuse(node->line, "where must be a map", "for example {/kind: chunk}");
    for (std::size_t i = 0; i < node->keys.size(); ++i)
      mapping.where[node->keys[i].name] = contract::scalar_text(node->items[i], "a value of where");
  }
  return mapping;
}

/// Returns the value at a pointer, or null.
const json& value_at(const json& line, const std::string& pointer) {
  static const json kNull;
  const json* at = &line;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    const std::string key = pointer.substr(begin, end - begin);
    std::size_t index = 0;
    const auto [stop, failed] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (at->is_array() && failed == std::errc() && stop == key.data() + key.size() && index < at->size()) {
      at = &(*at)[index];
    } else {
      at = &member(*at, key.c_str());
    }
    begin = end + 1;
  }
  return pointer.empty() ? kNull : *at;
}

std::string scalar_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : written(value);
}

std::optional<double> seconds_of(const json& value, const std::string& unit) {
  if (unit == "date") return value.is_string() ? seconds_of_date(value.get<std::string>()) : std::nullopt;
  if (!value.is_number()) return std::nullopt;
  const double scale = unit == "s" ? 1 : unit == "ms" ? 1e3 : unit == "us" ? 1e6 : 1e9;
  return value.get<double>() / scale;
}

/// Returns the piece of a body in one line, or nullopt.
std::optional<std::string> piece_of(const json& line, const DumpMapping& mapping) {
  const json& value = value_at(line, mapping.body);
  if (mapping.encoding == "json") return value.is_null() ? std::nullopt : std::optional(written(value));
  if (!value.is_string()) return std::nullopt;
  if (mapping.encoding == "text") return value.get<std::string>();
  return recording::from_base64(value.get<std::string>());
}

/// A call of the dump while its lines are read.
struct DumpedCall {
  ImportedResponse response;
  std::optional<double> first;
};

Result<ImportedFile> read_dump(const ImportSource& source, const DumpMapping& mapping) {
  std::vector<DumpedCall> calls;
  std::map<std::string, std::size_t> by_name;
  std::size_t number = 0;
  std::size_t others = 0;
  for (const std::string_view text : recording::lines_of(source.bytes)) {
    ++number;
    if (recording::is_blank(text)) continue;
    const auto line = parse_strict_json(text);
    if (!line)
      return refuse(source, "has a line that is not JSON: " + line.error().reason,
                    "remove the line if it is cut", number);
    const bool is_wanted = std::all_of(mapping.where.begin(), mapping.where.end(), [&](const auto& one) {
      return scalar_of(value_at(**line, one.first)) == one.second;
    });
    const auto piece = is_wanted ? piece_of(**line, mapping) : std::nullopt;
    const bool is_damaged = is_wanted && !piece && value_at(**line, mapping.body).is_string();
    if (is_damaged) return refuse(source, "has damaged base64 at " + visible(mapping.body), "", number);
    others += piece ? 0 : 1;
    if (!piece) continue;
    const std::string name = scalar_of(value_at(**line, mapping.call));
    const auto [known, is_new] = by_name.emplace(name, calls.size());
    if (is_new) calls.emplace_back().response.place = name.empty() ? "" : "call " + visible(name);
    DumpedCall& call = calls[known->second];
    if (is_new) call.response.url = without_secrets(scalar_of(value_at(**line, mapping.url)));
    call.response.segments = mapping.segments;
    const auto at = seconds_of(value_at(**line, mapping.time), mapping.unit);
    if (!mapping.time.empty() && !at)
      return refuse(source, "has no time at " + visible(mapping.time) + " in the unit " + mapping.unit,
                    "change `time` or `unit`", number);
    if (!call.first) call.first = at;
    call.response.body += mapping.before + *piece + mapping.after;
    auto& arrivals = call.response.arrivals;
    const double since =
        std::max(at.value_or(0) - call.first.value_or(0), arrivals.empty() ? 0.0 : arrivals.back().at);
    if (call.response.body.size() > (arrivals.empty() ? 0 : arrivals.back().end))
      arrivals.push_back({since, call.response.body.size()});
    call.response.ended_at = since;
  }
  StreamCollector streams(source, "a dump in JSON lines");
  for (DumpedCall& call : calls) streams.add(std::move(call.response));
  if (others > 0)
    streams.note(std::to_string(others) + (others == 1 ? " line" : " lines") +
                 " that the mapping does not select");
  return std::move(streams).finish();
}

}  // namespace

Result<ImportedFile> read_mapped(const ImportSource& source) {
  if (source.mapping.empty())
    return refuse(source, "needs a mapping", "splitproof import map MAPPING.yaml " + source.path);
  try {
    return read_dump(source, mapping_of(contract::read_yaml(source.mapping)));
  } catch (contract::Mistake& mistake) {
    if (mistake.error.file.empty()) mistake.error.file = source.mapping;
    return tl::unexpected(std::move(mistake.error));
  }
}

}  // namespace splitproof::imports
