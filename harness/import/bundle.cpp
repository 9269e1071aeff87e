#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "harness/import/bundle_format.hpp"
#include "harness/import/collector.hpp"
#include "harness/import/content_coding.hpp"
#include "harness/import/readers.hpp"
#include "harness/json_member.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kBundle = "a LiteLLM bundle";

/// Takes the transfer chunks of a streamed response; false if one is not base64.
bool take_bundle_chunks(const json& chunks, ImportedResponse& response) {
  for (const json& chunk : chunks) {
    const auto bytes = chunk.is_string() ? recording::from_base64(text_of(chunk)) : std::nullopt;
    if (!bytes) return false;
    if (bytes->empty()) continue;
    response.body += *bytes;
    response.arrivals.push_back({0.0, response.body.size()});
  }
  response.segments = Segments::exact;
  return true;
}

void take_interaction_file(const ImportSource& source, const json& interaction, const std::string& place,
                           StreamCollector& streams) {
  const json& answer = member(interaction, "response");
  const json& request = member(interaction, "request");
  ImportedResponse response;
  response.place = place;
  response.url = without_secrets(string_at(request, "path"));
  const json& status = member(answer, "status_code");
  if (status.is_number_integer() && status >= 100 && status <= 599) response.status = status.get<int>();
  if (member(request, "body").is_object()) response.request = written(member(request, "body"));
  const json& chunks = member(answer, "chunks_b64");
  if (chunks.is_array()) {
    if (!take_bundle_chunks(chunks, response))
      return streams.leave(place, {"a chunk that is not base64", "the file is damaged"});
    const std::string truncated = string_at(answer, "truncated");
    if (truncated.starts_with(kDownstreamEnded) && is_stream_of(source.framing, response.body))
      streams.note("the rest of the stream in " + (place.empty() ? "the file" : place) +
                   ", which the client did not read");
    if (!truncated.empty())
      response.end = truncated.starts_with(kUpstreamEnded) ? recording::End::closed : recording::End::reset;
  } else {
    const auto body = recording::from_base64(string_at(answer, "body_b64"));
    const auto content = body ? decoded_content(*body) : std::nullopt;
    if (!content) return streams.leave(place, {"a body that is not base64", "the file is damaged"});
    take_as_one_chunk(response, *content);
  }
  streams.add(std::move(response));
}

Result<std::shared_ptr<const json>> object_in(const std::string& text, const std::string& path) {
  const auto parsed = parse_strict_json(text);
  if (parsed && (*parsed)->is_object()) return *parsed;
  return tl::unexpected(Error{
      parsed ? "is not a JSON object"
             : "is not JSON at byte " + std::to_string(parsed.error().at + 1) + ": " + parsed.error().reason,
      path, 0, "record the bundle again"});
}

Result<std::shared_ptr<const json>> read_json_file(const std::string& path) {
  return read_file(path).and_then([&](const std::string& text) { return object_in(text, path); });
}

/// Checks the version of a bundle's format.
Result<void> check_manifest(const std::string& path) {
  const auto manifest = read_json_file(path);
  if (!manifest) return tl::unexpected(manifest.error());
  const json& version = member(**manifest, "format_version");
  const bool is_known =
      version.is_number_integer() &&
      std::find(kBundleVersions.begin(), kBundleVersions.end(), version) != kBundleVersions.end();
  if (is_known) return {};
  return tl::unexpected(Error{"is the manifest of a bundle, and its format_version is " + written(version),
                              path, 0, "splitproof reads versions 4 and 5; record the bundle again"});
}

/// Returns the files of the interactions, in the order of the calls.
std::vector<fs::path> interaction_files(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code failed;
  fs::directory_options options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(root, options, failed), end; !failed && at != end;
       at.increment(failed))
    if (at.depth() == 1 && at->path().extension() == ".json" && at->is_regular_file(failed))
      files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

Result<ImportedFile> read_folder(const ImportSource& source, const fs::path& root) {
  if (const auto known = check_manifest((root / kBundleManifest).string()); !known)
    return tl::unexpected(known.error());
  StreamCollector streams(source, kBundle);
  for (const fs::path& file : interaction_files(root)) {
    const auto interaction = read_json_file(file.string());
    if (!interaction) return tl::unexpected(interaction.error());
    take_interaction_file(source, **interaction, file.lexically_relative(root).string(), streams);
  }
  return std::move(streams).finish();
}

}  // namespace

bool is_bundle(const ImportSource& source) {
  if (is_folder(source) || fs::path(source.path).filename() == kBundleManifest) return true;
  constexpr std::size_t kLooked = 1 << 16;
  const std::string_view begin = std::string_view(source.bytes).substr(0, kLooked);
  return recording::without_head(begin).starts_with('{') && begin.find("\"response\"") != begin.npos &&
         (begin.find("\"chunks_b64\"") != begin.npos || begin.find("\"body_b64\"") != begin.npos);
}

Result<ImportedFile> read_bundle(const ImportSource& source) {
  if (is_folder(source)) return read_folder(source, source.path);
  if (fs::path(source.path).filename() == kBundleManifest)
    return read_folder(source, fs::path(source.path).parent_path());
  const auto interaction = object_in(source.bytes, source.path);
  if (!interaction) return tl::unexpected(interaction.error());
  StreamCollector streams(source, "an interaction of a LiteLLM bundle");
  take_interaction_file(source, **interaction, "", streams);
  return std::move(streams).finish();
}

}  // namespace splitproof::imports
