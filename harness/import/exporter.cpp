#include "harness/import/exporter.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"

namespace splitproof::imports {

namespace {

/// Returns the request that `record` wrote, or null.
const nlohmann::json& recorded_request(const recording::Recording& recording) {
  static const nlohmann::json kNull;
  return recording.provenance ? member(*recording.provenance, "request") : kNull;
}

}  // namespace

std::span<const Exporter> exporters() {
  static constexpr std::array<Exporter, 4> kAll = {{
      {"har", "a HAR file with one entry", false, write_har},
      {"curl", "a trace of curl, with every read and its time", false, write_curl_trace},
      {"sse", "the bare body", false, write_body},
      {"litellm", "a LiteLLM bundle, with every chunk", true, write_bundle},
  }};
  return kAll;
}

const Exporter* exporter_of(std::string_view kind) {
  const auto all = exporters();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Exporter& one) { return one.kind == kind; });
  return found == all.end() ? nullptr : &*found;
}

ExportedRecording write_body(const recording::Recording& recording) {
  ExportedRecording made{{{"", recording.body}}, lost_chunks(recording, false)};
  if (recording.status != 200) made.lost.push_back("the status " + std::to_string(recording.status));
  if (recording.end != recording::End::complete)
    made.lost.push_back("the end of the response, which is " + std::string(name(recording.end)));
  if (recorded_request(recording).is_object() || !request_text(recording).empty())
    made.lost.push_back("the request");
  return made;
}

std::vector<std::string> lost_chunks(const recording::Recording& recording, bool keeps_ends) {
  std::vector<std::string> lost;
  const auto& arrivals = recording.arrivals;
  if (!keeps_ends && arrivals.size() > 1)
    lost.push_back("the boundaries of " + std::to_string(arrivals.size()) + " chunks");
  if (std::any_of(arrivals.begin(), arrivals.end(), [](const auto& arrival) { return arrival.at > 0; }))
    lost.push_back("the times of the chunks");
  return lost;
}

std::string method_text(const recording::Recording& recording) {
  const std::string method = string_at(recorded_request(recording), "method");
  return method.empty() ? "POST" : method;
}

std::vector<std::pair<std::string, std::string>> request_headers(const recording::Recording& recording) {
  std::vector<std::pair<std::string, std::string>> headers;
  const nlohmann::json& recorded = member(recorded_request(recording), "headers");
  if (!recorded.is_object()) return headers;
  for (const auto& [name, value] : recorded.items()) headers.emplace_back(name, text_of(value));
  return headers;
}

std::string request_text(const recording::Recording& recording) {
  if (const std::string body = string_at(member(recorded_request(recording), "body"), "text"); !body.empty())
    return body;
  if (!recording.requests) return {};
  const nlohmann::json& request = member(*recording.requests, recording.protocol.c_str());
  return request.is_object() ? written(request) : std::string();
}

std::string url_text(const recording::Recording& recording) {
  const std::string recorded = recording.provenance ? string_at(*recording.provenance, "url") : "";
  if (recorded.find("://") != recorded.npos) return recorded;
  const std::string path = string_at(recorded_request(recording), "path");
  if (recording.provenance && path.starts_with('/')) {
    // A recording does not have the scheme.
    const std::string host = string_at(*recording.provenance, "provider");
    const bool is_local =
        host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("[::1]");
    return (is_local ? "http://" : "https://") + host + path;
  }
  return "http://localhost/" + (recorded.empty() ? recording.id : recorded);
}

}  // namespace splitproof::imports
