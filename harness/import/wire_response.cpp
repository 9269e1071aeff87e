#include "harness/import/wire_response.hpp"

#include <algorithm>
#include <charconv>

#include "harness/lower_case.hpp"
#include "harness/recording/stream_lines.hpp"

namespace splitproof::imports {

std::string header_of(std::string_view head, std::string_view name) {
  for (const std::string_view line : recording::lines_of(head)) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos || lower_case(std::string(line.substr(0, colon))) != name) continue;
    const std::size_t begin = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
    return std::string(line.substr(begin));
  }
  return {};
}

std::optional<int> status_of_line(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (!line.starts_with("HTTP/") || space == line.npos) return std::nullopt;
  int status = 0;
  const auto [end, failed] = std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
  if (failed != std::errc() || status < 100 || status > 599) return std::nullopt;
  return status;
}

void WireResponse::take_head(std::string_view lines) {
  if (lines.starts_with("HTTP/")) {
    head_.clear();
    reads_.clear();
    status_ = status_of_line(lines.substr(0, lines.find('\r'))).value_or(status_);
  }
  head_ += lines;
}

void WireResponse::take_body(double at, std::string_view bytes) {
  reads_.push_back({std::max(at, reads_.empty() ? 0.0 : reads_.back().at), std::string(bytes)});
}

std::string WireResponse::coding() const {
  const std::string coding = lower_case(header_of(head_, "content-encoding"));
  return coding == "identity" ? "" : coding;
}

WireResponse::Body WireResponse::finish() {
  Body body;
  // Some versions of curl trace the body after its chunks are decoded.
  const bool chunked = lower_case(header_of(head_, "transfer-encoding")).ends_with("chunked");
  const std::string length = header_of(head_, "content-length");
  const bool has_chunks = chunked && !(reads_.empty() || recording::begins_stream(reads_.front().bytes));
  testee::ChunkedBody chunks;
  for (const WireRead& read : reads_) {
    if (has_chunks) {
      chunks.feed(read.bytes);
    } else {
      body.bytes += read.bytes;
    }
    const std::size_t size = has_chunks ? chunks.body().size() : body.bytes.size();
    if (size > (body.arrivals.empty() ? 0 : body.arrivals.back().end))
      body.arrivals.push_back({read.at, size});
  }
  if (has_chunks) body.bytes = chunks.body();
  body.fault = chunks.broken();
  std::size_t announced = 0;
  std::from_chars(length.data(), length.data() + length.size(), announced);
  body.needs_end = has_chunks || !length.empty();
  body.is_over = has_chunks ? chunks.over() : !length.empty() && body.bytes.size() >= announced;
  return body;
}

}  // namespace splitproof::imports
