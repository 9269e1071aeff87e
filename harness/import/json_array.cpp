#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/import/collector.hpp"
#include "harness/import/readers.hpp"
#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

/// Returns the elements of an array as they are written, without white space outside of strings. `text` is valid JSON.
std::vector<std::string> elements_of(std::string_view text) {
  std::vector<std::string> elements;
  bool in_string = false;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!in_string && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) continue;
    const bool closes = !in_string && (c == '}' || c == ']');
    if (closes && depth == 1) break;
    const bool divides = !in_string && depth == 1 && c == ',';
    if (depth == 1 && (elements.empty() || divides)) elements.emplace_back();
    if (depth > 0 && !divides) elements.back() += c;
    if (in_string && c == '\\') elements.back() += text[++i];
    if (c == '"') in_string = !in_string;
    if (!in_string && (c == '{' || c == '[')) ++depth;
    if (closes) --depth;
  }
  return elements;
}

}  // namespace

Result<ImportedFile> read_json_array(const ImportSource& source) {
  const auto parsed = parse_strict_json(source.bytes);
  const bool is_list = parsed && (*parsed)->is_array() && !(*parsed)->empty() &&
                       std::all_of((*parsed)->begin(), (*parsed)->end(),
                                   [](const nlohmann::json& element) { return element.is_object(); });
  if (!is_list) {
    return refuse(source,
                  parsed ? "is not a JSON array of events"
                         : "is not JSON at byte " + std::to_string(parsed.error().at + 1) + ": " +
                               parsed.error().reason,
                  "an array of events is [{...}, {...}]");
  }
  if (source.framing == Framing::aws_frames)
    return refuse(source, "is JSON, and events of an AWS event stream are frames", "capture the raw body");
  const bool has_types = std::all_of((*parsed)->begin(), (*parsed)->end(), [](const nlohmann::json& element) {
    return member(element, "type").is_string();
  });
  ImportedFile file;
  file.wrapper = "a JSON array of events";
  file.left = {"the bytes between events, which are framed anew"};
  ImportedResponse response;
  const std::vector<std::string> elements = elements_of(source.bytes);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (framing_of(source.framing, {}) == Framing::sse) {
      if (has_types) response.body += "event: " + text_of((**parsed)[i]["type"]) + "\n";
      response.body += "data: " + elements[i] + "\n\n";
    } else {
      response.body += elements[i] + "\n";
    }
    response.arrivals.push_back({0.0, response.body.size()});
  }
  response.segments = Segments::frames;
  file.streams.push_back(std::move(response));
  return file;
}

}  // namespace splitproof::imports
