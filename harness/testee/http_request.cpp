#include "harness/testee/http_request.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace splitproof::testee {
namespace {

constexpr std::size_t kLongestSizeLine = 1024;  // a chunk's size and its extensions
constexpr std::size_t kLargeBody = 65536;       // bytes; a larger body gets all its memory at once

bool has_control(std::string_view text) { return std::any_of(text.begin(), text.end(), is_control); }

// Reads all of `text` as a number without sign. Returns false if it is not a number or too large.
bool read_number(std::string_view text, int base, std::size_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

bool keeps_alive(const UpstreamRequest& request) {
  if (!request.broken.empty() || has_token(request.headers, "connection", "close")) return false;
  return request.version == "HTTP/1.1";
}

std::size_t RequestReader::feed(std::string_view bytes) {
  std::size_t taken = 0;
  while (!done() && taken < bytes.size()) {
    const std::string_view rest = bytes.substr(taken);
    taken += state_ == State::counted || state_ == State::chunk ? take_body(rest) : take_line(rest);
  }
  return taken;
}

void RequestReader::finish() {
  if (begun() && !done()) fail("the connection ended inside the request");
}

bool RequestReader::wants_continue() const {
  return (state_ == State::counted || state_ == State::chunk_size) && request_.body.empty() &&
         request_.version == "HTTP/1.1" && has_token(request_.headers, "expect", "100-continue");
}

std::size_t RequestReader::take_line(std::string_view bytes) {
  // A TLS client sends no line end and waits, so fail at once.
  if (!begun() && bytes[0] != '\r' && bytes[0] != '\n' && !is_token(bytes.substr(0, 1))) {
    fail("it does not begin like a request in plain HTTP");
    return 0;
  }
  const bool size_line = state_ == State::chunk_size || state_ == State::chunk_end;
  const std::size_t room = size_line ? kLongestSizeLine - std::min(kLongestSizeLine, line_.size())
                                     : limits_.head - std::min(limits_.head, head_);
  const std::size_t end = bytes.find('\n');
  const std::size_t taken = std::min(room, end == std::string_view::npos ? bytes.size() : end + 1);
  line_.append(bytes.substr(0, taken));
  head_ += taken;
  if (line_.empty() || line_.back() != '\n') {
    if (taken == room) {
      fail(size_line                  ? "the line of a chunk's size is too long"
           : state_ == State::trailer ? "its trailer is too long"
                                      : "its head is too long");
    }
    return taken;
  }
  const std::string line = std::exchange(line_, {});
  if (line.size() < 2 || line[line.size() - 2] != '\r') {
    fail("a line ends without CR");
  } else {
    read_line(std::string_view(line).substr(0, line.size() - 2));
  }
  return taken;
}

void RequestReader::read_line(std::string_view line) {
  switch (state_) {
    case State::before:
      return line.empty() ? void()
                          : read_request_line(line);  // RFC 9112, 2.2: an empty line before it is ignored
    case State::fields:
      return line.empty() ? end_head() : read_field(line);
    case State::chunk_size:
      return read_chunk_size(line);
    case State::chunk_end:
      if (!line.empty()) return fail("a chunk is longer than its size");
      state_ = State::chunk_size;
      return;
    case State::trailer:
      return line.empty() ? complete() : read_field(line);
    case State::counted:
    case State::chunk:
    case State::over:
      return;
  }
}

void RequestReader::read_request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == last) return fail("its first line is not METHOD TARGET VERSION");
  request_.method = line.substr(0, first);
  request_.target = line.substr(first + 1, last - first - 1);
  request_.version = line.substr(last + 1);
  if (!is_token(request_.method)) return fail("its method is not a word");
  if (request_.target.empty() || request_.target.find(' ') != std::string::npos ||
      request_.target.find('\t') != std::string::npos || has_control(request_.target)) {
    return fail("its target is empty or has blanks or control characters");
  }
  if (request_.version != "HTTP/1.1" && request_.version != "HTTP/1.0")
    return fail("its version is neither HTTP/1.1 nor HTTP/1.0");
  state_ = State::fields;
}

void RequestReader::read_field(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') return fail("a header field continues on the next line");
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return fail("a header field has no colon");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (!is_token(name)) return fail("the name of a header field is not a word");
  if (has_control(value)) return fail("a header field has a control character");
  if (state_ == State::fields) request_.headers.push_back({std::string(name), std::string(value)});
}

void RequestReader::end_head() {
  std::size_t hosts = 0;
  std::string coding;
  const std::string* length = nullptr;
  for (const Header& header : request_.headers) {
    if (same_name(header.name, "host")) ++hosts;
    if (same_name(header.name, "transfer-encoding")) coding += (coding.empty() ? "" : ", ") + header.value;
    if (same_name(header.name, "content-length")) {
      if (length != nullptr && *length != header.value) return fail("it has two lengths");
      length = &header.value;
    }
  }
  if (hosts > 1 || (hosts == 0 && request_.version == "HTTP/1.1"))
    return fail("it does not have exactly one host");
  const bool coded = find_header(request_.headers, "transfer-encoding") != nullptr;
  if (coded && length != nullptr) return fail("it has both a length and a transfer coding");
  head_ = 0;
  if (coded) {
    if (!same_name(coding, "chunked") || request_.version != "HTTP/1.1")
      return fail("its transfer coding is not chunked in HTTP/1.1");
    request_.chunked = true;
    state_ = State::chunk_size;
    return;
  }
  if (length != nullptr) return read_length(*length);
  complete();
}

void RequestReader::read_length(const std::string& text) {
  if (!read_number(text, 10, remaining_)) return fail("its length is not a number");
  if (remaining_ > limits_.body) return fail("its body is too long");
  if (remaining_ == 0) return complete();
  state_ = State::counted;
}

void RequestReader::read_chunk_size(std::string_view line) {
  if (!read_number(without_blanks(line.substr(0, line.find(';'))), 16, remaining_))
    return fail("the size of a chunk is not a number");
  if (remaining_ > limits_.body - request_.body.size()) return fail("its body is too long");
  state_ = remaining_ == 0 ? State::trailer : State::chunk;
  head_ = 0;
}

std::size_t RequestReader::take_body(std::string_view bytes) {
  const std::string_view taken = bytes.substr(0, remaining_);
  // A string that grows step by step needs up to three times its size.
  if (state_ == State::counted && request_.body.size() + taken.size() > kLargeBody)
    request_.body.reserve(request_.body.size() + remaining_);
  request_.body.append(taken);
  remaining_ -= taken.size();
  if (remaining_ > 0) return taken.size();
  if (state_ == State::chunk) {
    state_ = State::chunk_end;
  } else {
    complete();
  }
  return taken.size();
}

void RequestReader::complete() {
  request_.complete = true;
  state_ = State::over;
}

void RequestReader::fail(std::string why) {
  request_.broken = std::move(why);
  state_ = State::over;
}

}  // namespace splitproof::testee
