#include "harness/observe/json_array_reader.hpp"

#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

bool is_white(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

}  // namespace

void JsonArrayReader::feed(std::string_view bytes) {
  for (const char byte : bytes) {
    if (place_ == Place::broken) return;
    take(byte);
    ++at_;
    if (byte == '\n') ++line_;
  }
}

void JsonArrayReader::finish() {
  if (place_ == Place::broken || place_ == Place::after_array || at_ == 0) return;
  if (place_ != Place::in_element) {
    begin_ = at_;
    begun_ = line_;
  }
  keep_element(false);
}

void JsonArrayReader::take(char byte) {
  if (place_ == Place::in_element) return take_inside(byte);
  const bool is_mark = at_ < kByteOrderMark.size() && byte == kByteOrderMark[at_];
  if (is_white(byte) || (place_ == Place::before_array && is_mark)) return;
  take_between(byte);
}

void JsonArrayReader::take_between(char byte) {
  switch (place_) {
    case Place::before_array:
      if (byte != '[') return fail("the body does not begin an array");
      place_ = Place::before_first;
      return;
    case Place::before_first:
      if (byte != ']') return begin_element(byte);
      place_ = Place::after_array;
      return;
    case Place::before_next:
      return begin_element(byte);
    case Place::after_element:
      if (byte != ',' && byte != ']')
        return fail("neither a comma nor the end of the array follows an element");
      place_ = byte == ',' ? Place::before_next : Place::after_array;
      return;
    case Place::after_array:
      return fail("bytes follow the end of the array");
    case Place::in_element:
    case Place::broken:
      return;
  }
}

void JsonArrayReader::begin_element(char byte) {
  if (byte == ',' || byte == ']') return fail("an element is missing");
  place_ = Place::in_element;
  begin_ = at_;
  begun_ = line_;
  take_inside(byte);
}

void JsonArrayReader::take_inside(char byte) {
  const bool is_scalar = depth_ == 0 && !element_.empty() && !in_string_;
  if (is_scalar && (is_white(byte) || byte == ',' || byte == ']')) {
    keep_element(true);
    place_ = Place::after_element;
    if (!is_white(byte)) take_between(byte);
    return;
  }
  element_ += byte;
  if (in_string_) {
    if (!escaped_ && byte == '"') in_string_ = false;
    escaped_ = !escaped_ && byte == '\\';
    return;
  }
  if (byte == '"') in_string_ = true;
  if (byte == '{' || byte == '[') ++depth_;
  if (depth_ == 0 || (byte != '}' && byte != ']') || --depth_ > 0) return;
  ++at_;
  keep_element(true);
  --at_;
  place_ = Place::after_element;
}

/// Keeps the element, which ends before byte `at_`.
void JsonArrayReader::keep_element(bool terminated) {
  SseEvent event;
  event.begin = begin_;
  event.end = at_;
  event.line = begun_;
  event.data_at = {begin_};
  event.data = decode_utf8(element_);
  event.terminated = terminated;
  const std::size_t ill_formed = find_ill_formed_utf8(element_);
  event.ill_formed_data = ill_formed != std::string::npos;
  // A character cut by the end is unterminated, but not invalid.
  const bool cut = event.ill_formed_data && !terminated &&
                   utf8_step(std::string_view(element_).substr(ill_formed)).kind == Utf8Step::Kind::truncated;
  if (event.ill_formed_data && !cut) event.ill_formed_at = begin_ + ill_formed;
  events_.push_back(std::move(event));
  element_.clear();
  depth_ = 0;
  in_string_ = false;
  escaped_ = false;
}

/// Keeps the byte that is taken as a frame that cannot be read.
void JsonArrayReader::fail(std::string reason) {
  SseEvent event;
  event.begin = at_;
  event.end = at_ + 1;
  event.line = line_;
  event.broken = std::move(reason);
  events_.push_back(std::move(event));
  place_ = Place::broken;
}

}  // namespace splitproof::observe
