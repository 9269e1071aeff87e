#include <utility>

#include "harness/import/collector.hpp"
#include "harness/import/curl_blocks.hpp"
#include "harness/import/readers.hpp"
#include "harness/recording/capture.hpp"
#include "harness/recording/wrappers.hpp"

namespace splitproof::imports {
namespace {

/// Divides a body into chunks of these sizes.
Result<void> take_in_chunks(const ImportSource& source, ImportedResponse& response) {
  std::size_t rest = response.body.size();
  response.arrivals.clear();
  for (const std::size_t size : *source.chunk_sizes) {
    if (size > rest) break;
    rest -= size;
    response.arrivals.push_back({0.0, response.body.size() - rest});
  }
  response.segments = Segments::exact;
  if (rest == 0 && response.arrivals.size() == source.chunk_sizes->size()) return {};
  return refuse(
      source,
      "the chunk sizes do not add up to the body's " + std::to_string(response.body.size()) + " bytes", "");
}

}  // namespace

Result<ImportedFile> read_raw_body(const ImportSource& source) {
  if (source.bytes.empty())
    return refuse(source, "is empty, so it has no stream", recording::kCaptureRawBody);
  ImportedFile file;
  ImportedResponse response;
  if (framing_of(source.framing, source.bytes) == Framing::sse) {
    auto capture = recording::read_capture(source.path, source.bytes);
    if (!capture) return tl::unexpected(capture.error());
    take_as_one_chunk(response, std::move(capture->stream));
    file.wrapper = std::move(capture->wrapper);
    if (!file.wrapper.empty()) response.end = end_in_log(source.bytes);
  } else {
    if (auto packed = recording::refuse_packed(source.path, source.bytes))
      return tl::unexpected(*std::move(packed));
    take_as_one_chunk(response, source.bytes);
  }
  if (source.chunk_sizes && file.wrapper.empty())
    if (const auto taken = take_in_chunks(source, response); !taken) return tl::unexpected(taken.error());
  file.streams.push_back(std::move(response));
  return file;
}

}  // namespace splitproof::imports
