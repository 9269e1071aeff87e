#include "harness/dialect/request_recordings.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {

using nlohmann::json;

namespace {

/// Returns the recording of the shortest answer of each upstream with readable requests.
std::vector<recording::Recording> one_word_each() {
  std::vector<recording::Recording> words;
  for (const Dialect& dialect : all()) {
    if (request_reader_of(std::string(dialect.protocol) + std::string(kUpstreamSide)) == nullptr) continue;
    recording::Recording& recording = words.emplace_back();
    recording.protocol = dialect.protocol;
    recording.headers["content-type"] = dialect.upstream->content_type();
    for (const std::string& piece : dialect.upstream->tiny_answer()) {
      recording.body += piece;
      recording.arrivals.push_back({recording.ended_at, recording.body.size()});
    }
    recording.features = {kRequestFeature};
  }
  return words;
}

}  // namespace

const std::vector<recording::Recording>& answered_in_one_word() {
  static const std::vector<recording::Recording> kWords = one_word_each();
  return kWords;
}

std::vector<std::string> recording_ids_of_request(const std::string& id) {
  const std::size_t name = id.rfind('/') + 1;  // the whole id without a slash
  std::vector<std::string> ids;
  for (const recording::Recording& one : answered_in_one_word())
    ids.push_back(id.substr(0, name) + one.protocol + "/" + id.substr(name));
  return ids;
}

Result<std::vector<recording::Recording>> recordings_of_request(const std::string& id,
                                                                const std::string& path,
                                                                std::string_view text) {
  const auto refuse = [&path](const std::string& what) {
    return tl::unexpected(
        Error{what, path, 1, "write {\"client\": PROTOCOL, \"title\": TEXT, \"body\": {..}}"});
  };
  const auto read = parse_strict_json(text);
  if (!read)
    return refuse("is not JSON at byte " + std::to_string(read.error().at + 1) + ": " + read.error().reason);
  const json& file = **read;
  if (!file.is_object() || file.size() != 3 || !member(file, "body").is_object() ||
      string_at(file, "title").empty())
    return refuse("has no request of a client");
  const std::string client = string_at(file, "client");
  const Client* of = client_of(client);
  if (of == nullptr) return refuse("the client cannot be '" + client + "'");
  const std::vector<std::string> ids = recording_ids_of_request(id);
  std::vector<recording::Recording> recordings = answered_in_one_word();
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    recording::Recording& one = recordings[i];
    one.id = ids[i];
    one.path = path;
    one.title = string_at(file, "title");
    one.requests = std::make_shared<const json>(json{{client, of->streamed_request(file["body"])}});
  }
  return recordings;
}

}  // namespace splitproof::dialect
