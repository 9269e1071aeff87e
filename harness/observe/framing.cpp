#include "harness/observe/framing.hpp"

#include <algorithm>
#include <utility>

#include "harness/utf8.hpp"

namespace splitproof::observe {

void JsonLinesReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.find('\n'), bytes.size());
    line_ += bytes.substr(0, length);
    if (length == bytes.size()) return;
    bytes.remove_prefix(length + 1);
    read_line(line_.size() + 1, true);
  }
}

void JsonLinesReader::finish() {
  if (!line_.empty()) read_line(line_.size(), false);
}

/// Reads `line_`, whose size with its LF is `size` bytes.
void JsonLinesReader::read_line(std::size_t size, bool terminated) {
  std::string_view line = line_;
  if (terminated && line.ends_with('\r')) line.remove_suffix(1);
  std::size_t begin = line_begin_;
  if (begin == 0 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
    begin += kByteOrderMark.size();
  }
  ++lines_;
  if (line.find_first_not_of(" \t\r") != line.npos) {
    SseEvent event;
    event.begin = begin;
    event.end = line_begin_ + size;
    event.line = lines_;
    event.data_at = {begin};
    event.data = decode_utf8(line);
    event.terminated = terminated;
    const std::size_t ill_formed = find_ill_formed_utf8(line);
    event.ill_formed_data = ill_formed != line.npos;
    // A character cut by the end is unterminated, but not invalid.
    const bool cut = event.ill_formed_data && !terminated &&
                     utf8_step(line.substr(ill_formed)).kind == Utf8Step::Kind::truncated;
    if (event.ill_formed_data && !cut) event.ill_formed_at = begin + ill_formed;
    events_.push_back(std::move(event));
  }
  line_begin_ += size;
  line_.clear();
}

void SseOrArrayReader::feed(std::string_view bytes) {
  if (known_) return std::visit([&](auto& reader) { reader.feed(bytes); }, reader_);
  begin_ += bytes;
  std::string_view rest = begin_;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  if (kByteOrderMark.starts_with(rest) || rest.find_first_not_of(" \t\r\n") == rest.npos) return;
  known_ = true;
  if (framing_of(Framing::sse_or_array, begin_) == Framing::json_array) reader_ = JsonArrayReader();
  const std::string begin = std::exchange(begin_, {});
  std::visit([&](auto& reader) { reader.feed(begin); }, reader_);
}

void SseOrArrayReader::finish() {
  std::visit(
      [&](auto& reader) {
        reader.feed(std::exchange(begin_, {}));
        reader.finish();
      },
      reader_);
}

const std::vector<SseEvent>& SseOrArrayReader::events() const {
  return std::visit([](const auto& reader) -> const std::vector<SseEvent>& { return reader.events(); },
                    reader_);
}

std::vector<SseEvent> SseOrArrayReader::take_settled() {
  return std::visit([](auto& reader) { return reader.take_settled(); }, reader_);
}

std::vector<SseEvent> SseOrArrayReader::take_events() && {
  return std::visit([](auto& reader) { return std::move(reader).take_events(); }, reader_);
}

FrameReader::FrameReader(Framing framing) {
  if (framing == Framing::json_lines) reader_ = JsonLinesReader();
  if (framing == Framing::aws_frames) reader_ = AwsFrameReader();
  if (framing == Framing::json_array) reader_ = JsonArrayReader();
  if (framing == Framing::sse_or_array) reader_ = SseOrArrayReader();
}

void FrameReader::feed(std::string_view bytes) {
  std::visit([&](auto& reader) { reader.feed(bytes); }, reader_);
}

void FrameReader::finish() {
  std::visit([](auto& reader) { reader.finish(); }, reader_);
}

const std::vector<SseEvent>& FrameReader::events() const& {
  return std::visit([](const auto& reader) -> const std::vector<SseEvent>& { return reader.events(); },
                    reader_);
}

std::vector<SseEvent> FrameReader::take_settled() {
  return std::visit([](auto& reader) { return reader.take_settled(); }, reader_);
}

std::vector<SseEvent> FrameReader::take_events() && {
  return std::visit([](auto& reader) { return std::move(reader).take_events(); }, reader_);
}

}  // namespace splitproof::observe
