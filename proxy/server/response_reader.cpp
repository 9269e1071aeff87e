#include "proxy/server/response_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "proxy/wire/ascii.hpp"

namespace splitproof::server {
namespace {

constexpr std::size_t kAnswerHeadBytes = 256 * 1024;  // limit, interim answers included
constexpr int kHighestStatus = 599;                   // RFC 9110, 15

constexpr std::string_view kErrorType = "x-amzn-errortype";

// Returns a field's value; empty if it holds more than visible ASCII.
std::string clean_value(std::string_view value) {
  const bool clean = std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return clean ? std::string(value) : std::string();
}

}  // namespace

bool has_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (wire::lowered(trimmed(list.substr(0, comma))) == token) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

ResponseReader::State ResponseReader::take(std::string_view& bytes, std::string& body) {
  while (state_ == State::head && !bytes.empty()) take_line(bytes);
  if (state_ != State::body || bytes.empty()) return state_;
  if (!framed_) {
    body.append(bytes);
    bytes = {};
    return state_;
  }
  switch (framed_->take(bytes, body)) {
    case BodyReader::State::more:
      break;
    case BodyReader::State::whole:
      state_ = State::whole;
      break;
    case BodyReader::State::malformed:
    case BodyReader::State::too_large:
      state_ = State::malformed;
  }
  return state_;
}

ResponseReader::State ResponseReader::close() {
  if (state_ == State::body && !framed_) state_ = State::whole;
  keeps_open_ = false;
  return state_;
}

void ResponseReader::take_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t size = end == std::string_view::npos ? bytes.size() : end + 1;
  head_bytes_ += size;
  if (head_bytes_ > kAnswerHeadBytes) {
    state_ = State::malformed;
    return;
  }
  line_.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  if (end == std::string_view::npos) return;
  line_.pop_back();
  // RFC 9112, 2.2: a recipient may accept a lone LF as the end of a line.
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  if (!read_line(line_)) state_ = State::malformed;
  line_.clear();
}

bool ResponseReader::read_line(std::string_view line) {
  if (code_ == 0) return read_status(line);
  if (line.empty()) return end_head();
  return line.front() == ' ' || line.front() == '\t' ? fold() : read_field(line);
}

bool ResponseReader::read_status(std::string_view line) {
  constexpr std::string_view kVersion = "HTTP/1.";
  constexpr std::size_t kCode = kVersion.size() + 2;  // offset of the status code
  if (line.size() < kCode + 3 || !line.starts_with(kVersion) || line[kCode - 1] != ' ') return false;
  if (line.size() > kCode + 3 && line[kCode + 3] != ' ') return false;
  if (line[kCode - 2] != '0' && line[kCode - 2] != '1') return false;
  const std::string_view digits = line.substr(kCode, 3);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  std::from_chars(digits.data(), digits.data() + digits.size(), code_);
  old_ = line[kCode - 2] == '0';
  keeps_open_ = !old_;
  return code_ >= 100 && code_ <= kHighestStatus;
}

// Continues the last field in this line. Programs interpret such lines differently (RFC 9112, 5.2).
bool ResponseReader::fold() {
  if (field_ == "retry-after") retry_after_.clear();
  if (field_ == kErrorType) error_type_.clear();
  return !field_.empty() && field_ != "content-length" && field_ != "transfer-encoding" &&
         field_ != "connection" && field_ != "content-encoding";
}

bool ResponseReader::read_field(std::string_view line) {
  if (!is_field(line)) return false;
  const std::size_t colon = line.find(':');
  field_ = wire::lowered(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (field_ == "content-length") return read_length(value);
  if (field_ == "transfer-encoding") return read_coding(value);
  if (field_ == "connection" && has_token(value, "close")) keeps_open_ = false;
  if (field_ == "content-encoding") coding_ = wire::lowered(value);
  if (field_ == "retry-after") retry_after_ = clean_value(value);
  if (field_ == kErrorType) error_type_ = clean_value(value.substr(0, value.find(':')));
  if (may_switch_) read_switch(value);
  return true;
}

void ResponseReader::read_switch(std::string_view value) {
  SwitchedHead& head = switched_head_;
  if (field_ == "upgrade") head.upgrade = clean_value(value);
  if (field_ == "connection" && has_token(value, "upgrade")) head.connection = true;
  // Two of them would never be equal to the expected one.
  if (field_ == "sec-websocket-accept") head.accept += clean_value(value);
  if (field_ == "sec-websocket-extensions" || field_ == "sec-websocket-protocol") head.extras = true;
}

// RFC 9112, 6.3: different lengths are an error. A repeated equal length leaves a doubt.
bool ResponseReader::read_length(std::string_view value) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (error != std::errc() || end != value.data() + value.size()) return false;
  if (length_) keeps_open_ = false;
  if (length_ && *length_ != length) return false;
  length_ = length;
  return true;
}

// Accepts the only coding in use. `identity` is HTTP/1.1 before RFC 7230 and means none.
bool ResponseReader::read_coding(std::string_view value) {
  const std::string coding = wire::lowered(value);
  if (coding == "identity") return true;
  if (coding != "chunked" || chunked_) return false;
  chunked_ = true;
  return true;
}

bool ResponseReader::end_head() {
  const int code = std::exchange(code_, 0);
  field_.clear();
  if (code == 101 && may_switch_) {
    status_ = code;
    state_ = State::switched;
    return true;
  }
  if (code == 101) return false;
  if (code < 200) {
    retry_after_.clear();
    error_type_.clear();
    coding_.clear();
    length_.reset();
    chunked_ = false;
    switched_head_ = {};
    return true;
  }
  status_ = code;
  // RFC 9110, 15.3.5 and 15.4.5: these end with their head. If the head announces a body, one may follow nevertheless.
  if (code == 204 || code == 304) {
    if (code == 304 || chunked_ || length_.value_or(0) > 0) keeps_open_ = false;
    state_ = State::whole;
    return true;
  }
  // RFC 9112, 6.1: such an answer may smuggle another one.
  if (chunked_ && (length_ || old_)) keeps_open_ = false;
  state_ = State::body;
  if (!chunked_ && !length_) return true;
  framed_.emplace(chunked_ ? std::nullopt : length_, std::numeric_limits<std::size_t>::max());
  if (framed_->state() == BodyReader::State::whole) state_ = State::whole;
  return true;
}

}  // namespace splitproof::server
