#include "harness/import/exporter.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"

namespace splitproof::imports {

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

std::string request_text(const recording::Recording& recording) {
  if (!recording.requests) return {};
  const nlohmann::json& request = member(*recording.requests, recording.protocol.c_str());
  return request.is_object() ? written(request) : std::string();
}

std::string url_text(const recording::Recording& recording) {
  const std::string recorded = recording.provenance ? string_at(*recording.provenance, "url") : "";
  if (recorded.find("://") != recorded.npos) return recorded;
  return "http://localhost/" + (recorded.empty() ? recording.id : recorded);
}

}  // namespace splitproof::imports
