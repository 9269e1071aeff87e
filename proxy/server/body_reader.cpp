#include "proxy/server/body_reader.hpp"

#include <algorithm>
#include <charconv>

namespace splitproof::server {
namespace {

constexpr std::size_t kChunkLineBytes = 1024;  // for a chunk's size and extensions, or a trailer
constexpr std::size_t kTrailers = 32;

}  // namespace

BodyReader::BodyReader(const RequestHead& head, std::size_t most)
    : BodyReader(head.chunked ? std::nullopt : std::optional(head.length.value_or(0)), most) {}

BodyReader::BodyReader(std::optional<std::size_t> length, std::size_t most)
    : most_(most), chunked_(!length), left_(length.value_or(0)) {
  if (chunked_)
    part_ = Part::size_line;
  else if (left_ == 0)
    state_ = State::whole;
  else if (left_ > most_)
    state_ = State::too_large;
}

BodyReader::State BodyReader::take(std::string_view& bytes, std::string& body) {
  while (!bytes.empty() && state_ == State::more) {
    if (part_ == Part::data)
      take_data(bytes, body);
    else
      take_line(bytes, body);
  }
  return state_;
}

void BodyReader::take_data(std::string_view& bytes, std::string& body) {
  const std::size_t size = std::min(left_, bytes.size());
  body.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  left_ -= size;
  if (left_ > 0) return;
  if (chunked_)
    part_ = Part::data_end;
  else
    state_ = State::whole;
}

void BodyReader::take_line(std::string_view& bytes, const std::string& body) {
  const char c = bytes.front();
  bytes.remove_prefix(1);
  const bool after_cr = !line_.empty() && line_.back() == '\r';
  const bool too_much =
      part_ == Part::data_end && line_.empty() && c != '\r';  // the chunk is longer than its size
  if (too_much || line_.size() == kChunkLineBytes || (c == '\n') != after_cr) {
    state_ = State::malformed;
    return;
  }
  line_ += c;
  if (c != '\n') return;
  line_.resize(line_.size() - 2);
  end_line(body);
  line_.clear();
}

void BodyReader::end_line(const std::string& body) {
  if (part_ == Part::data_end) {
    part_ = Part::size_line;
    if (!line_.empty()) state_ = State::malformed;
  } else if (part_ == Part::trailer) {
    if (line_.empty())
      state_ = State::whole;
    else if (!is_field(line_) || ++trailers_ > kTrailers)
      state_ = State::malformed;
  } else {
    const std::string_view digits = std::string_view(line_).substr(0, line_.find_first_of(" \t;"));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), left_, 16);
    // Chunk extensions are unused. They only have to be text.
    const bool read = error == std::errc() && end == digits.data() + digits.size() && digits.front() != '-';
    if (!read || !is_field("x:" + line_))
      state_ = State::malformed;
    else if (left_ > most_ - body.size())
      state_ = State::too_large;
    else
      part_ = left_ > 0 ? Part::data : Part::trailer;
  }
}

}  // namespace splitproof::server
