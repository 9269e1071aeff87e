#include "harness/recording/import_sse.hpp"

#include <charconv>
#include <filesystem>
#include <utility>

#include "harness/read_file.hpp"
#include "harness/recording/capture.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::recording {
namespace {

/// Returns the head's `requests` with the request in `path`.
Result<std::shared_ptr<const nlohmann::json>> read_request(const std::string& path,
                                                           const std::string& protocol) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto fail = [&](const std::string& what) { return tl::unexpected(Error{what, path, 0, ""}); };
  const auto request = parse_strict_json(*text);
  if (!request) {
    return fail("the request is not JSON at byte " + std::to_string(request.error().at + 1) + ": " +
                request.error().reason);
  }
  const std::size_t first = text->find_first_not_of(" \t\r\n");
  if ((*text)[first] != '{') return fail("the request is not a JSON object");
  // The added nesting may exceed the depth limit.
  auto requests = parse_strict_json("{\"" + protocol + "\":" + *text + "}");
  if (!requests) return fail("the request is " + requests.error().reason);
  return std::move(*requests);
}

}  // namespace

Result<std::vector<std::size_t>> parse_chunk_sizes(std::string_view text) {
  std::vector<std::size_t> sizes;
  for (const char *at = text.data(), *end = at + text.size();; ++at) {
    std::size_t size = 0;
    const auto [after, failed] = std::from_chars(at, end, size);
    if (failed != std::errc() || size == 0 || (after != end && *after != ',')) {
      return tl::unexpected(Error{"chunk sizes are whole numbers from 1 up, separated by commas, not `" +
                                      std::string(text.substr(0, 80)) + "`",
                                  "", 0, ""});
    }
    sizes.push_back(size);
    if (after == end) return sizes;
    at = after;
  }
}

Result<Recording> import_sse(const std::string& file, const SseImport& options) {
  auto body = read_file(file);
  if (!body) return tl::unexpected(body.error());
  Recording recording;
  recording.id = std::filesystem::path(file).stem().string();
  recording.protocol = options.protocol;
  recording.title = options.title;
  recording.headers = {{"content-type", "text/event-stream"}};
  if (options.is_sse) {
    auto capture = read_capture(file, *body);
    if (!capture) return tl::unexpected(capture.error());
    if (options.chunk_sizes && !capture->wrapper.empty())
      return tl::unexpected(Error{"chunk sizes need a raw body, and this file is " + capture->wrapper, file,
                                  0, "remove --chunks"});
    if (!capture->wrapper.empty())
      recording.warnings.push_back("found the event stream inside " + capture->wrapper);
    recording.body = std::move(capture->stream);
  } else {
    if (auto packed = refuse_packed(file, *body)) return tl::unexpected(*std::move(packed));
    recording.body = std::move(*body);
  }
  recording.provenance = options.provenance;
  std::size_t rest = recording.body.size();
  const auto sizes = options.chunk_sizes.value_or(std::vector<std::size_t>(rest == 0 ? 0 : 1, rest));
  for (const std::size_t size : sizes) {
    if (size > rest) break;
    rest -= size;
    recording.arrivals.push_back({0.0, recording.body.size() - rest});
  }
  if (rest != 0 || recording.arrivals.size() != sizes.size()) {
    return tl::unexpected(Error{
        "the chunk sizes do not add up to the body's " + std::to_string(recording.body.size()) + " bytes",
        file, 0, ""});
  }
  // Detects here, not later, that the recording cannot be written.
  if (const auto text = to_text(recording); !text) {
    return tl::unexpected(Error{text.error().what, file, 0, text.error().hint});
  }
  if (!options.request_file.empty()) {
    auto requests = read_request(options.request_file, options.protocol);
    if (!requests) return tl::unexpected(requests.error());
    recording.requests = std::move(*requests);
  }
  return recording;
}

}  // namespace splitproof::recording
