#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/import/exporter.hpp"
#include "harness/json_member.hpp"
#include "harness/recording/base64.hpp"
#include "harness/utf8.hpp"

namespace splitproof::imports {

namespace {

using Ordered = nlohmann::ordered_json;
using Fields = std::vector<std::pair<std::string, std::string>>;

Ordered pairs_of(const Fields& fields) {
  Ordered pairs = Ordered::array();
  for (const auto& [name, value] : fields) pairs.push_back({{"name", name}, {"value", value}});
  return pairs;
}

/// Returns the parameters of a URL. Their escapes stay.
Fields query_of(const std::string& url) {
  Fields fields;
  for (std::size_t at = url.find('?'); at < url.size();) {
    const std::size_t end = std::min(url.find('&', at + 1), url.size());
    const std::size_t equals = std::min(url.find('=', at), end);
    fields.emplace_back(url.substr(at + 1, equals - at - 1),
                        url.substr(std::min(equals + 1, end), end - std::min(equals + 1, end)));
    at = end;
  }
  return fields;
}

}  // namespace

ExportedRecording write_har(const recording::Recording& recording) {
  Ordered headers = Ordered::array();
  std::string type = "text/event-stream";
  for (const auto& [header, value] : recording.headers) {
    headers.push_back({{"name", header}, {"value", value}});
    if (header == "content-type") type = value;
  }
  Ordered content = {{"size", recording.body.size()}, {"mimeType", type}};
  if (find_ill_formed_utf8(recording.body) == recording.body.npos) {
    content["text"] = recording.body;
  } else {
    content["text"] = recording::to_base64(recording.body);
    content["encoding"] = "base64";
  }
  const std::string recorded = recording.provenance ? string_at(*recording.provenance, "captured") : "";
  const std::string asked = request_text(recording);
  Ordered request = {{"method", method_text(recording)},
                     {"url", url_text(recording)},
                     {"httpVersion", "HTTP/1.1"},
                     {"cookies", Ordered::array()},
                     {"headers", pairs_of(request_headers(recording))},
                     {"queryString", pairs_of(query_of(url_text(recording)))},
                     {"headersSize", -1},
                     {"bodySize", asked.size()}};
  if (!asked.empty()) request["postData"] = {{"mimeType", "application/json"}, {"text", asked}};
  const double time = recording.ended_at * 1000;
  Ordered entry = {{"startedDateTime", recorded.empty() ? "1970-01-01T00:00:00.000Z" : recorded},
                   {"time", time},
                   {"request", request},
                   {"response",
                    {{"status", recording.status},
                     {"statusText", ""},
                     {"httpVersion", "HTTP/1.1"},
                     {"cookies", Ordered::array()},
                     {"headers", headers},
                     {"content", content},
                     {"redirectURL", ""},
                     {"headersSize", -1},
                     {"bodySize", recording.body.size()}}},
                   {"cache", Ordered::object()},
                   {"timings", {{"send", 0}, {"wait", time}, {"receive", 0}}}};
  const Ordered har = {{"log",
                        {{"version", "1.2"},
                         {"creator", {{"name", "splitproof"}, {"version", "1"}}},
                         {"entries", Ordered::array({entry})}}}};
  ExportedRecording made{{{"", har.dump(1, ' ', false, Ordered::error_handler_t::replace) + "\n"}},
                         lost_chunks(recording, false)};
  if (recording.end != recording::End::complete)
    made.lost.push_back("the end of the response, which is " + std::string(name(recording.end)));
  return made;
}

}  // namespace splitproof::imports
