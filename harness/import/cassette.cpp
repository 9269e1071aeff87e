#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/import/collector.hpp"
#include "harness/import/content_coding.hpp"
#include "harness/import/hexadecimal.hpp"
#include "harness/import/readers.hpp"
#include "harness/import/yaml_value.hpp"
#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;

constexpr const char* kCassette = "a cassette of recorded HTTP";

/// Returns a whole number that is a number in JSON, and a text in YAML.
std::optional<int> whole_number(const json& value) {
  if (value.is_number_integer()) {
    // A conversion would wrap a number that is out of range.
    const double number = value.get<double>();
    constexpr double kMost = std::numeric_limits<int>::max();
    return number >= 0 && number <= kMost ? std::optional(value.get<int>()) : std::nullopt;
  }
  const std::string text = text_of(value);
  int number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Returns the status of a response: `status.code` of vcrpy and VCR, `code` of go-vcr, or a status alone.
std::optional<int> status_of_response(const json& response) {
  for (const json* place : {&member(member(response, "status"), "code"), &member(response, "code"),
                            &member(response, "status_code"), &member(response, "status")}) {
    const auto status = whole_number(*place);
    if (status && *status >= 100 && *status <= 599) return status;
  }
  return std::nullopt;
}

/// Returns the first value of a header, which a cassette has as a text or in a list.
std::string header_in_map(const json& headers, std::string_view name) {
  if (!headers.is_object()) return {};
  for (const auto& [key, value] : headers.items()) {
    if (lower_case(key) != name) continue;
    return value.is_array() && !value.empty() ? text_of(value.front()) : text_of(value);
  }
  return {};
}

/// Takes the chunks of a streamed response, if the cassette has them: a list of strings, or of base64. Returns nullopt if a
/// chunk is damaged.
std::optional<bool> take_cassette_chunks(const json& from, ImportedResponse& response) {
  for (const char* key : {"chunks", "chunks_b64"}) {
    const json& chunks = member(from, key);
    if (!chunks.is_array() || chunks.empty()) continue;
    for (const json& chunk : chunks) {
      const std::string text = text_of(chunk);
      const auto bytes = key == std::string_view("chunks") ? text : recording::from_base64(text);
      if (!bytes || !chunk.is_string()) return std::nullopt;
      response.body += *bytes;
      const std::size_t before = response.arrivals.empty() ? 0 : response.arrivals.back().end;
      if (response.body.size() > before) response.arrivals.push_back({0.0, response.body.size()});
    }
    response.segments = Segments::exact;
    return true;
  }
  return false;
}

/// Returns the stored body, before any content coding is removed, or nullopt if it is damaged.
std::optional<std::string> body_of_response(const json& response) {
  const json& body = member(response, "body");
  if (body.is_string()) return body.get<std::string>();
  const json& packed = member(body, "base64_string");
  if (packed.is_string()) {
    std::string text = packed.get<std::string>();
    std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
    return recording::from_base64(text);
  }
  const json& content = member(response, "content");  // httpx in older versions of vcrpy
  return body.is_object() ? string_at(body, "string") : text_of(content);
}

void take_interaction(const ImportSource& source, const json& interaction, std::size_t number,
                      StreamCollector& streams) {
  const json& request = member(interaction, "request");
  const json& answer = member(interaction, "response");
  ImportedResponse response;
  response.place = "interaction " + std::to_string(number);
  const std::string uri = string_at(request, "uri");
  response.url = without_secrets(uri.empty() ? string_at(request, "url") : uri);
  response.captured = string_at(interaction, "recorded_at");
  const json& body = member(request, "body");
  std::string asked = body.is_object() ? string_at(body, "string") : text_of(body);
  if (const auto parsed = parse_strict_json(asked); parsed && (*parsed)->is_object())
    response.request = std::move(asked);
  bool has_chunks = false;
  for (const json* place : {&answer, &member(answer, "body"), &interaction}) {
    if (has_chunks) break;
    const auto taken = take_cassette_chunks(*place, response);
    if (!taken) return streams.leave(response.place, {"a damaged chunk", kCaptureIsCut});
    has_chunks = *taken;
  }
  if (!has_chunks) {
    const auto stored = body_of_response(answer);
    if (!stored) return streams.leave(response.place, {"a damaged body", kCaptureIsCut});
    auto content = decoded_content(*stored);
    if (!content) return streams.leave(response.place, {"a compressed body that is damaged", kCaptureIsCut});
    take_as_one_chunk(response, *std::move(content));
  }
  const std::string coding = unknown_coding(header_in_map(member(answer, "headers"), "content-encoding"));
  if (!coding.empty() && !is_stream_of(source.framing, response.body)) {
    return streams.leave(response.place,
                         {"a body compressed with " + coding, "record it without that compression"});
  }
  const auto status = status_of_response(answer);
  if (!status && is_stream_of(source.framing, response.body))
    return streams.leave(response.place, {"a response without a status", kCaptureIsCut});
  response.status = status.value_or(200);
  streams.add(std::move(response));
}

constexpr std::array<const char*, 2> kLists = {"interactions", "http_interactions"};

/// Returns the body that nock recorded, or null if it is damaged. nock writes bytes as hexadecimal: a body that is not UTF-8 as
/// one text, and a compressed body as a list. It parses a body of JSON, so that its bytes are lost.
json body_of_nock(const json& call) {
  const json& body = member(call, "response");
  const bool is_hexadecimal = member(call, "responseIsBinary") == true || body.is_array();
  if (!is_hexadecimal) return text_of(body);
  std::string joined;
  for (const json& part : body.is_array() ? body : json::array({body})) {
    if (!part.is_string()) return "";
    const auto bytes = bytes_of_hexadecimal(part.get<std::string>());
    if (!bytes) return nullptr;
    joined += *bytes;
  }
  return joined;
}

/// Returns a call of nock as an interaction of other libraries.
json interaction_of_nock(const json& call) {
  json headers = json::object();
  const json& raw = member(call, "rawHeaders");
  for (std::size_t i = 0; raw.is_array() && i + 1 < raw.size(); i += 2) headers[text_of(raw[i])] = raw[i + 1];
  const json& asked = member(call, "body");
  json response = {{"status", member(call, "status")}, {"headers", std::move(headers)}};
  const json body = body_of_nock(call);
  response["body"] = body.is_null() ? json{{"base64_string", "damaged"}} : body;
  return {{"request",
           {{"url", string_at(call, "scope") + string_at(call, "path")},
            {"body", asked.is_object() ? written(asked) : text_of(asked)}}},
          {"response", std::move(response)}};
}

bool is_of_nock(std::string_view text) {
  constexpr std::size_t kLooked = 4096;
  const std::string_view begin = recording::without_head(text.substr(0, kLooked));
  return begin.starts_with('[') && begin.find("\"scope\"") != begin.npos &&
         begin.find("\"method\"") != begin.npos && begin.find("\"path\"") != begin.npos;
}

}  // namespace

bool is_cassette(const ImportSource& source) {
  const std::string_view text = source.bytes;
  if (is_of_nock(text)) return true;
  constexpr std::size_t kLooked = 400;
  const std::string_view begin = text.substr(0, kLooked);
  const bool is_json = recording::without_head(begin).starts_with('{');
  for (const std::string name : kLists) {
    if (is_json && begin.find("\"" + name + "\"") != begin.npos) return true;
    if (!is_json && (begin.starts_with(name + ":") || begin.find("\n" + name + ":") != begin.npos))
      return true;
  }
  return false;
}

Result<ImportedFile> read_cassette(const ImportSource& source) {
  std::shared_ptr<const json> root;
  const std::string_view begin = recording::without_head(source.bytes);
  if (begin.starts_with('{') || is_of_nock(begin)) {
    const auto parsed = parse_strict_json(source.bytes);
    if (!parsed) {
      const bool is_cut = parsed.error().at >= source.bytes.size();
      return refuse(source,
                    std::string("is ") + kCassette +
                        (is_cut ? " that breaks off: the capture is cut"
                                : " that is not JSON: " + parsed.error().reason),
                    recording::kCaptureRawBody);
    }
    root = *parsed;
  } else {
    YamlValue read = read_yaml_value(source.bytes);
    if (!read.value) {
      return refuse(source, std::string("is ") + kCassette + " that breaks off or is damaged: " + read.fault,
                    recording::kCaptureRawBody, read.line);
    }
    root = std::move(read.value);
  }
  StreamCollector streams(source, kCassette);
  for (const char* name : kLists) {
    const json& list = member(*root, name);
    for (std::size_t i = 0; list.is_array() && i < list.size(); ++i)
      take_interaction(source, list[i], i + 1, streams);
  }
  for (std::size_t i = 0; root->is_array() && i < root->size(); ++i)
    take_interaction(source, interaction_of_nock((*root)[i]), i + 1, streams);
  return std::move(streams).finish();
}

}  // namespace splitproof::imports
