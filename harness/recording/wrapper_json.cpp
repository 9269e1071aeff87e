#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/recording/quoted_text.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::recording {
namespace {

using nlohmann::json;

constexpr const char* kChunkLines = "a log with a chunk in each line";

// A string in a document: its JSON pointer, and the string.
using PlacedText = std::pair<std::string, std::string>;

void collect_texts(const json& value, const std::string& place, std::vector<PlacedText>& found) {
  if (value.is_string()) found.emplace_back(place, value.get<std::string>());
  if (value.is_object())
    for (const auto& [key, inner] : value.items()) collect_texts(inner, place + "/" + key, found);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      collect_texts(value[i], place + "/" + std::to_string(i), found);
}

// Joins the strings at each place that all elements have. Returns the only joined text that is a stream.
std::optional<std::string> stream_of_chunks(const std::vector<json>& elements) {
  std::map<std::string, std::vector<std::string>> chunks;
  for (const json& element : elements) {
    std::vector<PlacedText> texts;
    collect_texts(element, "", texts);
    for (auto& [place, text] : texts) chunks[place].push_back(std::move(text));
  }
  std::optional<std::string> found;
  for (const auto& [place, all] : chunks) {
    std::string text = joined_chunks(all);
    if (all.size() != elements.size() || !is_stream(without_head(text)) || text == found) continue;
    if (found) return std::nullopt;
    found = std::move(text);
  }
  return found;
}

// True for a place at which HTTP recorders store the body of a response.
bool is_body_place(const std::string& place) {
  const auto part = [&](std::size_t end) {
    const std::size_t begin = place.rfind('/', end - 1) + 1;
    return std::pair(begin, place.substr(begin, end - begin));
  };
  const auto [begin, name] = part(place.size());
  const auto is_one_of = [](const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (is_one_of(name, {"body", "response", "response_body", "responseBody", "raw_response", "rawBody"}))
    return true;
  if (begin <= 1) return false;
  const std::string parent = part(begin - 1).second;
  return (parent == "body" && is_one_of(name, {"string", "text", "content", "data"})) ||
         (parent == "response" && name == "content");
}

Result<Capture> exchange(const CapturedFile& file, const json& value) {
  std::vector<PlacedText> texts;
  collect_texts(value, "", texts);
  std::erase_if(
      texts, [](const PlacedText& one) { return !is_body_place(one.first) || !begins_stream(one.second); });
  if (texts.size() == 1)
    return file.take_bytes(std::move(texts[0].second), "a JSON document (" + texts[0].first + ")");
  if (!texts.empty()) {
    std::string places;
    for (const auto& [place, text] : texts) places += (places.empty() ? "" : ", ") + place;
    return file.refuse("is a JSON document with several event streams, at " + places, kSaveStreamAlone);
  }
  if (value.contains("model") && (value.contains("messages") || value.contains("input")) &&
      !value.contains("id"))
    return file.refuse("is a request, not an event stream",
                       "judge it with --as PROTOCOL, or " + std::string(kCaptureRawBody));
  return file.refuse("is one JSON document, not an event stream",
                     "ask for a stream (\"stream\": true), and " + std::string(kCaptureRawBody));
}

Result<Capture> array(const CapturedFile& file, const json& value) {
  const std::vector<json> elements(value.begin(), value.end());
  if (auto stream = stream_of_chunks(elements))
    return file.take_text(*std::move(stream), "a JSON array of chunks");
  std::vector<PlacedText> texts;
  collect_texts(value, "", texts);
  if (std::any_of(texts.begin(), texts.end(), [](const PlacedText& one) {
        return is_body_place(one.first) && begins_stream(one.second);
      }))
    return exchange(file, value);
  return file.refuse("is a JSON array without the event stream around its elements", kCaptureRawBody);
}

}  // namespace

Found json_document(const CapturedFile& file) {
  if (file.first.empty() || std::string_view("{[\"").find(file.first.front()) == std::string_view::npos)
    return std::nullopt;
  const auto parsed = parse_strict_json(file.text);
  if (!parsed) return std::nullopt;
  const json& value = **parsed;
  if (value.is_string()) return file.take_bytes(text_of(value), "a JSON string");
  if (value.is_array()) return array(file, value);
  if (value.contains("splitproof"))
    return file.refuse("is the head of a recording", "see splitproof replay --help");
  if (auto stream = stream_of_chunks({value})) {
    // A log of one line.
    if (file.lines.size() == 1 && !begins_stream(string_at(value, "body")) && value.contains("log"))
      return file.take_text(*std::move(stream), kChunkLines);
  }
  return exchange(file, value);
}

Found json_lines(const CapturedFile& file) {
  if (!file.first.starts_with('{') && !file.first.starts_with('"')) return std::nullopt;
  if (file.first.starts_with("{\"splitproof\":")) {
    return file.refuse("is a recording, not a captured body",
                       "see splitproof replay --help, or splitproof run --corpus DIR");
  }
  std::vector<json> values;
  bool is_cut = false;
  for (const std::string_view& line : file.lines) {
    if (is_blank(line)) continue;
    const auto value = parse_strict_json(line);
    is_cut = !value && &line == &file.lines.back() && !values.empty();
    if (is_cut) break;
    if (!value || !((*value)->is_object() || (*value)->is_string())) return std::nullopt;
    if ((*value)->contains("done")) return std::nullopt;  // such lines are themselves a stream
    values.push_back(**value);
  }
  if (auto stream = stream_of_chunks(values)) {
    if (!is_cut) return file.take_text(*std::move(stream), kChunkLines);
    return file.refuse(
        std::string("is ") + kChunkLines + ", and its last line breaks off: the capture is cut",
        kCaptureRawBody, file.lines.size());
  }
  return file.refuse("has JSON, one value a line, without the event stream around it", kCaptureRawBody);
}

Found broken_json(const CapturedFile& file) {
  if (file.first.empty() || std::string_view("{[\"").find(file.first.front()) == std::string_view::npos)
    return std::nullopt;
  const auto parsed = parse_strict_json(file.text);
  if (parsed || parsed.error().at < file.text.size()) return std::nullopt;
  return file.refuse("is JSON that breaks off: the capture is cut", kCaptureRawBody, file.lines.size());
}

}  // namespace splitproof::recording
