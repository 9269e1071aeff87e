#include <nlohmann/json.hpp>
#include <utility>

#include "harness/import/collector.hpp"
#include "harness/import/content_coding.hpp"
#include "harness/import/readers.hpp"
#include "harness/import/tnetstring.hpp"
#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;

double time_at(const json& message, const char* key) {
  const json& value = member(message, key);
  return value.is_number() ? value.get<double>() : 0.0;
}

std::string header_in_pairs(const json& headers, std::string_view name) {
  if (!headers.is_array()) return {};
  for (const json& pair : headers)
    if (pair.is_array() && pair.size() == 2 && lower_case(text_of(pair[0])) == name) return text_of(pair[1]);
  return {};
}

void take_flow(const ImportSource& source, const json& flow, std::size_t number, StreamCollector& streams) {
  const json& request = member(flow, "request");
  const json& answer = member(flow, "response");
  if (!request.is_object() || !answer.is_object()) return streams.add({});
  ImportedResponse response;
  response.place = "flow " + std::to_string(number);
  response.url = without_secrets(string_at(request, "scheme") + "://" + string_at(request, "host") +
                                 string_at(request, "path"));
  const double status = time_at(answer, "status_code");
  const bool has_status = status >= 100 && status <= 599;
  if (has_status) response.status = static_cast<int>(status);
  std::string asked = string_at(request, "content");
  if (const auto parsed = parse_strict_json(asked); parsed && (*parsed)->is_object())
    response.request = std::move(asked);
  const std::string type = header_in_pairs(member(answer, "headers"), "content-type");
  if (!member(answer, "content").is_string()) {
    if (type.find("event-stream") == type.npos) return streams.add({});
    return streams.leave(response.place, {"a body that mitmproxy streamed and did not store",
                                          "set store_streamed_bodies, or do not stream it"});
  }
  auto content = decoded_content(string_at(answer, "content"));
  if (!content) return streams.leave(response.place, {"a compressed body that is damaged", kCaptureIsCut});
  const std::string coding = unknown_coding(header_in_pairs(member(answer, "headers"), "content-encoding"));
  if (!coding.empty() && !is_stream_of(source.framing, *content)) {
    return streams.leave(response.place, {"a body compressed with " + coding,
                                          "let the client ask for gzip or no compression"});
  }
  if (!has_status && is_stream_of(source.framing, *content))
    return streams.leave(response.place, kWrongStatus);
  const double took = time_at(answer, "timestamp_end") - time_at(request, "timestamp_start");
  take_as_one_chunk(response, *std::move(content), took > 0 ? took : 0);
  if (member(flow, "error").is_object()) {
    response.end = recording::End::reset;
    if (is_stream_of(source.framing, response.body))
      streams.note("the end of the stream in " + response.place + ", which failed");
  }
  streams.add(std::move(response));
}

}  // namespace

bool is_mitm(const ImportSource& source) {
  // A flow is a map, so that its size precedes the size and the name of a key.
  std::string_view text = std::string_view(source.bytes).substr(0, 64);
  for (int numbers = 0; numbers < 2; ++numbers) {
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == 0 || digits == text.npos || text[digits] != ':') return false;
    text.remove_prefix(digits + 1);
  }
  const std::size_t name = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return name != text.npos && name > 0 && (text[name] == ';' || text[name] == ',');
}

Result<ImportedFile> read_mitm(const ImportSource& source) {
  StreamCollector streams(source, "a file of mitmproxy flows");
  std::string_view text = source.bytes;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto flow = take_tnetstring(text);
    if (!flow) {
      return refuse(
          source,
          "is a file of mitmproxy flows that breaks off or is damaged in flow " + std::to_string(number),
          "save the flows again, for example with mitmdump -w FILE");
    }
    take_flow(source, *flow, number, streams);
  }
  return std::move(streams).finish();
}

}  // namespace splitproof::imports
