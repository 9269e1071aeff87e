#include "harness/import/importer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "harness/aws_frame.hpp"
#include "harness/import/collector.hpp"
#include "harness/import/readers.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {

std::span<const Importer> importers() {
  static constexpr std::array<Importer, 12> kAll = {{
      {"litellm", "a LiteLLM bundle, or one file of it", "transfer chunks", is_bundle, read_bundle},
      {"har", "a HAR file of a browser, Playwright, Polly or Charles", "none, or events with their times",
       is_har, read_har},
      {"curl", "the output of curl -i, -v, --trace or --trace-ascii", "reads with their times, from a trace",
       is_curl, read_curl},
      {"vcr", "a cassette of vcrpy, go-vcr, VCR or nock, in YAML or JSON", "none, or its chunks", is_cassette,
       read_cassette},
      {"mitm", "a file of mitmproxy flows", "none", is_mitm, read_mitm},
      {"pcap", "TCP segments, as tshark writes them", "segments with their times", is_packet_capture,
       read_segments},
      {"aimock", "nothing: fixtures of aimock have no stream", "none", is_mock_fixture, read_mock_fixture},
      {"sse", "a raw body of server-sent events, or its text in a wrapper", "none, or --chunks", nullptr,
       read_any},
      {"aws", "a raw body of an AWS event stream", "none, or --chunks", nullptr, read_raw_body},
      {"json-lines", "a raw body of JSON lines", "none, or --chunks", nullptr, read_raw_body},
      {"json-array", "an array of events", "events", nullptr, read_json_array},
      {"map", "JSON lines of any other tool, with a mapping file", "as the mapping says", nullptr,
       read_mapped},
  }};
  return kAll;
}

const Importer* importer_of(std::string_view kind) {
  const auto all = importers();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Importer& one) { return one.kind == kind; });
  return found == all.end() ? nullptr : &*found;
}

bool is_folder(const ImportSource& source) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(source.path) / "manifest.json", ignored);
}

Result<ImportSource> open_source(const std::string& path) {
  ImportSource source;
  source.path = path;
  if (is_folder(source)) return source;
  auto bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  source.bytes = *std::move(bytes);
  return source;
}

Result<ImportedFile> read_any(const ImportSource& source) {
  for (const Importer& importer : importers())
    if (importer.recognises != nullptr && importer.recognises(source)) return importer.read(source);
  return read_raw_body(source);
}

Result<ImportedFile> read_with(const Importer* importer, const ImportSource& source) {
  auto found = importer == nullptr ? read_any(source) : importer->read(source);
  if (found && source.chunk_sizes && !found->wrapper.empty())
    return refuse(source, "chunk sizes need a raw body, and this file is " + found->wrapper,
                  "remove --chunks");
  return found;
}

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

bool is_stream_of(Framing framing, std::string_view body) {
  switch (framing) {
    case Framing::sse:
      return recording::begins_stream(body);
    case Framing::json_lines: {
      const std::string_view line = recording::without_head(body);
      const auto first = parse_strict_json(line.substr(0, line.find('\n')));
      return first && (*first)->is_object();
    }
    case Framing::sse_or_array:
      return framing_of(framing, body) == Framing::json_array || recording::begins_stream(body);
    case Framing::json_array:
      return framing_of(Framing::sse_or_array, body) == framing;
    case Framing::aws_frames:
      return body.size() >= kAwsPrelude && read_aws_prelude(body).fault.empty();
  }
  return false;
}

}  // namespace splitproof::imports
