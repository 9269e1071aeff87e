#include "harness/import/to_recording.hpp"

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/read_file.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;

/// Returns the head's `requests` with the request in `text`. `path` is for errors.
Result<std::shared_ptr<const json>> requests_of(const std::string& text, const std::string& protocol,
                                                const std::string& path) {
  const auto fail = [&](const std::string& what) { return tl::unexpected(Error{what, path, 0, ""}); };
  const auto request = parse_strict_json(text);
  if (!request) {
    return fail("the request is not JSON at byte " + std::to_string(request.error().at + 1) + ": " +
                request.error().reason);
  }
  if (!(*request)->is_object()) return fail("the request is not a JSON object");
  // The added nesting may exceed the depth limit.
  auto requests = parse_strict_json("{\"" + protocol + "\":" + text + "}");
  if (!requests) return fail("the request is " + requests.error().reason);
  return std::move(*requests);
}

std::shared_ptr<const json> provenance_of(const ImportedResponse& response, const std::string& wrapper) {
  json provenance = {{"source", "imported from " + (wrapper.empty() ? "a raw body" : wrapper)},
                     {"segments", std::string(name(response.segments))}};
  if (!response.url.empty()) provenance["url"] = response.url;
  if (!response.captured.empty()) provenance["captured"] = response.captured;
  return std::make_shared<const json>(std::move(provenance));
}

/// Rounds seconds, as no tool measures more exactly.
double in_microseconds(double seconds) { return std::round(seconds * 1e6) / 1e6; }

}  // namespace

Result<recording::Recording> recording_of(const ImportedResponse& response, const std::string& wrapper,
                                          const RecordingHead& head, const std::string& file) {
  recording::Recording recording;
  recording.id = head.id;
  recording.protocol = head.protocol;
  recording.status = response.status;
  recording.headers = {{"content-type", head.content_type}};
  recording.body = response.body;
  recording.arrivals = response.arrivals;
  for (recording::Arrival& arrival : recording.arrivals) arrival.at = in_microseconds(arrival.at);
  recording.end = response.end;
  recording.ended_at = in_microseconds(response.ended_at);
  recording.provenance = provenance_of(response, wrapper);
  // Detects here, not later, that the recording cannot be written.
  if (const auto text = to_text(recording); !text)
    return tl::unexpected(Error{text.error().what, file, 0, text.error().hint});
  std::string request = response.request;
  if (!head.request_file.empty()) {
    auto text = read_file(head.request_file);
    if (!text) return tl::unexpected(text.error());
    request = *std::move(text);
  }
  if (!request.empty()) {
    auto requests = requests_of(request, head.protocol, head.request_file.empty() ? file : head.request_file);
    if (!requests) return tl::unexpected(requests.error());
    recording.requests = std::move(*requests);
  }
  return recording;
}

}  // namespace splitproof::imports
