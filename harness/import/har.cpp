#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/import/browser_text.hpp"
#include "harness/import/capture_time.hpp"
#include "harness/import/collector.hpp"
#include "harness/import/content_coding.hpp"
#include "harness/import/har_messages.hpp"
#include "harness/import/readers.hpp"
#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;

constexpr const char* kHar = "a HAR file";

/// The stored body of a response, or its defect.
struct HarContent {
  std::string text;
  std::optional<UnusableBody> defect;
};

/// Decodes base64, or an array of base64 chunks as Polly stores compressed bodies.
HarContent from_base64_content(const std::string& text) {
  if (text.starts_with("[")) {
    const auto chunks = parse_strict_json(text);
    HarContent content;
    if (!chunks || !(*chunks)->is_array()) return {{}, UnusableBody{"base64 that breaks off", kCaptureIsCut}};
    for (const json& chunk : **chunks) {
      const auto bytes = recording::from_base64(text_of(chunk));
      if (!chunk.is_string() || !bytes) return {{}, UnusableBody{"a chunk of damaged base64", kCaptureIsCut}};
      content.text += *bytes;
    }
    return content;
  }
  HarContent content;
  if (text.size() % 4 != 0) content.defect = UnusableBody{"base64 that breaks off", kCaptureIsCut};
  auto bytes = recording::from_base64(std::string_view(text).substr(0, text.size() / 4 * 4));
  if (!bytes) return {{}, UnusableBody{"damaged base64", kCaptureIsCut}};
  content.text = *std::move(bytes);
  return content;
}

/// Returns a body that Playwright stored in a file next to the HAR file.
std::string attached_body(const ImportSource& source, const std::string& name) {
  if (name.empty() || name.find_first_of("/\\") != name.npos || name == ".." || source.path == "-") return {};
  return read_file((std::filesystem::path(source.path).parent_path() / name).string()).value_or("");
}

HarContent content_of(const ImportSource& source, const json& content) {
  HarContent found{string_at(content, "text"), {}};
  if (string_at(content, "encoding") == "base64") found = from_base64_content(found.text);
  if (found.text.empty()) found.text = attached_body(source, string_at(content, "_file"));
  auto decoded = decoded_content(found.text);
  if (!decoded) return {{}, UnusableBody{"a compressed body that is damaged", kCaptureIsCut}};
  found.text = *std::move(decoded);
  const json& size = member(content, "size");
  if (!found.defect && size.is_number_unsigned() && found.text.size() < size.get<std::size_t>()) {
    found.defect = UnusableBody{std::to_string(found.text.size()) + " of the " +
                                    std::to_string(size.get<std::size_t>()) + " bytes of a body",
                                kCaptureIsCut};
  }
  return found;
}

/// True if a file's writer gets the text of a body from Chromium.
bool is_of_chromium(const json& log) {
  const std::string creator = string_at(member(log, "creator"), "name");
  const std::string browser = string_at(member(log, "browser"), "name");
  return creator == "WebInspector" ||
         (creator == "Playwright" && browser != "firefox" && browser != "webkit");
}

/// True if the response names a charset.
bool has_charset(const json& answer) {
  const json& headers = member(answer, "headers");
  const auto names_one = [](const json& header) {
    return lower_case(string_at(header, "name")) == "content-type" &&
           lower_case(string_at(header, "value")).find("charset") != std::string::npos;
  };
  return headers.is_array() && std::any_of(headers.begin(), headers.end(), names_one);
}

/// Returns the end of a response. Browsers write the error of a failed one.
recording::End end_of(const json& answer) {
  std::string error = string_at(answer, "_error");
  if (error.empty()) error = string_at(answer, "_failureText");
  if (error.empty()) return recording::End::complete;
  const bool is_closed = error.find("INCOMPLETE_CHUNKED_ENCODING") != error.npos ||
                         error.find("CONTENT_LENGTH_MISMATCH") != error.npos;
  return is_closed ? recording::End::closed : recording::End::reset;
}

/// Returns the request's body if it is a JSON object.
std::string request_of(const ImportSource& source, const json& request) {
  const json& posted = member(request, "postData");
  std::string text = string_at(posted, "text");
  if (text.empty()) text = attached_body(source, string_at(posted, "_file"));
  const auto parsed = parse_strict_json(text);
  return parsed && (*parsed)->is_object() ? text : std::string();
}

void take_entry(const ImportSource& source, const json& entry, std::size_t number, bool of_chromium,
                StreamCollector& streams) {
  const json& request = member(entry, "request");
  const json& answer = member(entry, "response");
  ImportedResponse response;
  response.place = "entry " + std::to_string(number);
  response.url = without_secrets(string_at(request, "url"));
  response.captured = string_at(entry, "startedDateTime");
  const double status = number_at(answer, "status");
  if (status >= 100 && status <= 599) response.status = static_cast<int>(status);
  response.request = request_of(source, request);
  response.end = end_of(answer);
  const double started = seconds_of_date(response.captured).value_or(0);
  const json& messages = member(entry, "_eventSourceMessages");
  HarContent content = content_of(source, member(answer, "content"));
  if (content.text.empty() && messages.is_array() && !messages.empty()) {
    take_messages(messages, started, response);
    return streams.add(std::move(response));
  }
  if (content.defect && (content.text.empty() || is_stream_of(source.framing, content.text)))
    return streams.leave(response.place, *content.defect);
  // A browser writes the status 0 if it knows none.
  const bool has_wrong_status = status != 0 && (status < 100 || status > 599);
  if (has_wrong_status && is_stream_of(source.framing, content.text))
    return streams.leave(response.place, kWrongStatus);
  if (of_chromium && !has_charset(answer) && is_stream_of(source.framing, content.text)) {
    if (auto bytes = without_windows_1252(content.text)) {
      content.text = *std::move(bytes);
      streams.note("the decoding of " + response.place +
                   " as Windows-1252, which Chromium uses without a charset");
    }
  }
  const double time = number_at(entry, "time") / 1000;
  take_as_one_chunk(response, std::move(content.text), std::isfinite(time) && time > 0 ? time : 0);
  take_times_of_messages(messages, started, response);
  streams.add(std::move(response));
}

}  // namespace

bool is_har(const ImportSource& source) {
  std::string_view text = source.bytes;
  const auto take = [&](std::string_view expected) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(expected.size());
    return true;
  };
  return take("{") && take("\"log\"") && take(":") && take("{");
}

Result<ImportedFile> read_har(const ImportSource& source) {
  std::string_view text = source.bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto parsed = parse_strict_json(text);
  if (!parsed) {
    if (parsed.error().at >= text.size())
      return refuse(source, "is a HAR file that breaks off: the capture is cut", recording::kCaptureRawBody,
                    recording::lines_of(text).size());
    return refuse(source,
                  "is a HAR file that is not JSON at byte " + std::to_string(parsed.error().at + 1) + ": " +
                      parsed.error().reason,
                  recording::kCaptureRawBody);
  }
  const json& entries = member(member(**parsed, "log"), "entries");
  if (!entries.is_array())
    return refuse(source, "is not a HAR file: it has no log.entries", recording::kCaptureRawBody);
  const bool of_chromium = is_of_chromium(member(**parsed, "log"));
  StreamCollector streams(source, kHar);
  for (std::size_t i = 0; i < entries.size(); ++i)
    take_entry(source, entries[i], i + 1, of_chromium, streams);
  return std::move(streams).finish();
}

}  // namespace splitproof::imports
