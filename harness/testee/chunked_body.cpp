#include "harness/testee/chunked_body.hpp"

#include <algorithm>
#include <charconv>

#include "harness/testee/http_header.hpp"

namespace splitproof::testee {
namespace {

constexpr std::string_view kFinalChunk = "0\r\n\r\n";

}  // namespace

void ChunkedBody::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (state_ == State::broken) return;
    if (state_ == State::over) return take_trailing(bytes);
    std::size_t taken = 1;
    if (state_ == State::data) {
      taken = take_data(bytes);
    } else {
      take_byte(bytes.front());
    }
    if (state_ != State::broken) taken_ += taken;
    bytes.remove_prefix(taken);
  }
}

std::size_t ChunkedBody::take_data(std::string_view bytes) {
  const std::string_view data = bytes.substr(0, remaining_);
  body_ += data;
  remaining_ -= data.size();
  if (remaining_ == 0) {
    chunk_ends_.push_back(body_.size());
    state_ = State::data_end;
  }
  return data.size();
}

void ChunkedBody::take_byte(char c) {
  const bool after_cr = !line_.empty() && line_.back() == '\r';
  if (after_cr) {
    if (c != '\n') return fail("a line has a CR without LF");
    line_.pop_back();
    read_line();
    line_.clear();
    return;
  }
  if (state_ == State::data_end && c != '\r') return fail("a chunk is longer than its size");
  if (c == '\n') return fail("a line ends without CR");
  if (c != '\r' && is_control(c)) return fail("a line of the framing has a control character");
  if (line_.size() == kLongestLine) return fail("a line of the framing is too long");
  if (state_ == State::trailer && ++trailer_ > kLongestTrailer) return fail("the trailer is too long");
  line_.push_back(c);
}

void ChunkedBody::read_line() {
  switch (state_) {
    case State::size:
      return read_size();
    case State::data_end:
      state_ = State::size;
      return;
    case State::trailer:
      if (line_.empty()) {
        state_ = State::over;
      } else if (const std::size_t colon = line_.find(':');
                 colon == std::string::npos || !is_token(std::string_view(line_).substr(0, colon))) {
        fail("a field of the trailer has no name");
      }
      return;
    case State::data:
    case State::over:
    case State::broken:
      return;
  }
}

void ChunkedBody::read_size() {
  std::string_view size = line_;
  if (const std::size_t extension = size.find(';'); extension != std::string_view::npos) {
    size = size.substr(0, extension);
    size = size.substr(0, size.find_last_not_of(" \t") + 1);  // only blanks before an extension are allowed
  }
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), remaining_, 16);
  if (error != std::errc() || end != size.data() + size.size())
    return fail("the size of a chunk is not a number");
  if (remaining_ == 0) {
    ++final_chunks_;
    state_ = State::trailer;
  } else if (chunk_ends_.size() == kMostChunks) {
    fail("there are too many chunks");
  } else {
    state_ = State::data;
  }
}

void ChunkedBody::take_trailing(std::string_view bytes) {
  trailing_ += bytes.size();
  for (const char c : bytes) {
    if (!only_final_chunks_) return;
    only_final_chunks_ = c == kFinalChunk[final_matched_];
    if (!only_final_chunks_ || ++final_matched_ < kFinalChunk.size()) continue;
    final_matched_ = 0;
    ++final_chunks_;
  }
}

void ChunkedBody::fail(std::string_view why) {
  broken_ = why;
  state_ = State::broken;
}

std::string_view ChunkedBody::place() const {
  switch (state_) {
    case State::size:
      return line_.empty() ? "before the final chunk" : "inside the size of a chunk";
    case State::data:
      return "inside a chunk";
    case State::data_end:
      return "before the line end of a chunk";
    case State::trailer:
      return "between the final chunk and the empty line after it";
    case State::over:
    case State::broken:
      break;
  }
  return "after its end";
}

}  // namespace splitproof::testee
