#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "harness/import/bundle_format.hpp"
#include "harness/import/exporter.hpp"
#include "harness/json_member.hpp"
#include "harness/recording/base64.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

using Ordered = nlohmann::ordered_json;
using recording::End;

/// Returns the reason for a truncated stream, or null.
Ordered truncation_of(End end) {
  switch (end) {
    case End::complete:
      return nullptr;
    case End::closed:
      return std::string(kUpstreamEnded) + " closed";
    case End::reset:
      return std::string(kUpstreamEnded) + " reset";
    case End::stall:
      return std::string(kUpstreamEnded) + " stall";
  }
  return nullptr;
}

/// Returns the text with a dash in place of each character that a file name should not have.
std::string slug_of(std::string text) {
  for (char& c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '.' || c == '_' || c == '-';
    if (!is_plain) c = '-';
  }
  return text.substr(0, 60);
}

}  // namespace

ExportedRecording write_bundle(const recording::Recording& recording) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const Ordered manifest = {{"format_version", kBundleVersion},
                            {"recorded_at", fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(now))},
                            {"harness_version", "splitproof"}};
  Ordered chunks = Ordered::array();
  std::size_t begin = 0;
  for (const recording::Arrival& arrival : recording.arrivals) {
    chunks.push_back(
        recording::to_base64(std::string_view(recording.body).substr(begin, arrival.end - begin)));
    begin = arrival.end;
  }
  Ordered body = nullptr;
  if (const std::string asked = request_text(recording); !asked.empty()) {
    body = Ordered::parse(asked, nullptr, false);
    if (body.is_discarded()) body = asked;
  }
  Ordered headers = Ordered::object();
  for (const auto& [name, value] : request_headers(recording)) headers[name] = value;
  const std::string url = url_text(recording);
  const std::size_t host = url.find("://") + 3;
  const std::size_t path = std::min(url.find('/', host), url.size());
  const Ordered interaction = {{"request",
                                {{"method", method_text(recording)},
                                 {"path", url.substr(path)},
                                 {"headers", headers},
                                 {"body", body}}},
                               {"response",
                                {{"kind", "streamed"},
                                 {"status_code", recording.status},
                                 {"headers", recording.headers},
                                 {"chunks_b64", chunks},
                                 {"truncated", truncation_of(recording.end)}}}};
  ExportedRecording made;
  const auto text_of_file = [](const Ordered& value) {
    return value.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
  };
  made.files.push_back({kBundleManifest, text_of_file(manifest)});
  made.files.push_back({slug_of(recording.id) + "/0000-POST.json", text_of_file(interaction)});
  made.lost = lost_chunks(recording, true);
  if (recording.end == End::reset || recording.end == End::stall)
    made.lost.push_back("the kind of the end, which is " + std::string(name(recording.end)));
  return made;
}

}  // namespace splitproof::imports
