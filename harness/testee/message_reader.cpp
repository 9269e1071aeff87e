#include "harness/testee/message_reader.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/testee/http_header.hpp"

namespace splitproof::testee {
namespace {

constexpr std::string_view kVersion = "HTTP/1.";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void MessageReader::feed(std::string_view bytes, double at) {
  const std::size_t before = body().size();
  while (!bytes.empty() && state_ != State::broken) {
    const bool in_head = state_ == State::status_line || state_ == State::fields;
    bytes.remove_prefix(in_head ? take_head(bytes) : take_body(bytes, at));
    if (in_head && has_head_) end_head(at);
  }
  if (has_head_ && body().size() > before) message_.reads.push_back({at, body().size()});
  if (state_ != State::over && message_.reads.size() > kMostReads) fail("its body has too many pieces");
  if (state_ != State::over && body().size() > most_of_body_)
    fail("its body is too long: more than " + std::to_string(most_of_body_) + " bytes");
}

// Takes bytes up to the end of a line. Sets `has_head_` after the last line of a head.
std::size_t MessageReader::take_head(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t taken = end == std::string_view::npos ? bytes.size() : end + 1;
  line_.append(bytes.substr(0, taken));
  raw_head_.append(bytes.substr(0, taken));
  head_ += taken;
  if (state_ == State::status_line) {
    const std::string_view begin = std::string_view(line_).substr(0, kVersion.size());
    if (begin != kVersion.substr(0, begin.size())) {
      raw_head_ += bytes.substr(taken);
      fail("it does not begin like an HTTP response");
      return bytes.size();
    }
  }
  if (head_ > kMostHead) {
    fail("its head is too long");
  } else if (line_.back() == '\n') {
    const std::string line = std::exchange(line_, {});
    if (line.size() < 2 || line[line.size() - 2] != '\r') {
      fail("a line of its head ends without CR");
    } else if (state_ == State::status_line) {
      read_status_line(std::string_view(line).substr(0, line.size() - 2));
    } else if (line.size() > 2) {
      read_field(std::string_view(line).substr(0, line.size() - 2));
    } else if (message_.status >= 200) {
      has_head_ = true;
    } else {
      message_.headers.clear();
      raw_head_.clear();
      state_ = State::status_line;
    }
  }
  return taken;
}

void MessageReader::read_status_line(std::string_view line) {
  line.remove_prefix(kVersion.size());
  const bool shaped = line.size() >= 5 && is_digit(line[0]) && line[1] == ' ' &&
                      std::all_of(line.begin() + 2, line.begin() + 5, is_digit) &&
                      (line.size() == 5 || line[5] == ' ') &&
                      !std::any_of(line.begin(), line.end(), is_control);
  if (!shaped) return fail("its first line is not VERSION STATUS REASON");
  message_.status = 0;
  for (const char digit : line.substr(2, 3)) message_.status = message_.status * 10 + (digit - '0');
  if (message_.status < 100) return fail("its status is below 100");
  if (message_.status == 101) return fail("it switches to another protocol without a request");
  state_ = State::fields;
}

void MessageReader::read_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
    return fail("a line of its head is not a header field");
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (std::any_of(value.begin(), value.end(), is_control))
    return fail("a header field has a control character");
  message_.headers.push_back({std::string(line.substr(0, colon)), std::string(value)});
}

// RFC 9112, 6.3: a transfer coding overrides a length.
void MessageReader::end_head(double at) {
  message_.head_at = at;
  raw_head_.clear();
  if (message_.status == 204 || message_.status == 304) return end_message(at);
  std::string coding;
  const std::string* length = nullptr;
  bool lengths_differ = false;
  for (const Header& header : message_.headers) {
    if (same_name(header.name, "transfer-encoding")) coding += (coding.empty() ? "" : ", ") + header.value;
    if (!same_name(header.name, "content-length")) continue;
    lengths_differ = lengths_differ || (length != nullptr && *length != header.value);
    length = &header.value;
  }
  if (find_header(message_.headers, "transfer-encoding") != nullptr) {
    if (!same_name(coding, "chunked")) return fail("its transfer coding is not chunked");
    message_.chunked = true;
    state_ = State::chunks;
  } else if (length != nullptr) {
    const auto [end, error] = std::from_chars(length->data(), length->data() + length->size(), remaining_);
    if (lengths_differ || error != std::errc() || end != length->data() + length->size())
      return fail("its content-length is not one number");
    state_ = State::counted;
    if (remaining_ == 0) end_message(at);
  } else {
    state_ = State::to_the_end;
  }
}

std::size_t MessageReader::take_body(std::string_view bytes, double at) {
  switch (state_) {
    case State::chunks:
      chunks_.feed(bytes);
      if (!chunks_.broken().empty()) {
        fail("its chunked framing breaks at byte " + std::to_string(chunks_.taken()) +
             " of it: " + chunks_.broken());
      } else if (chunks_.over()) {
        end_message(at);
      }
      return bytes.size();
    case State::counted: {
      const std::string_view counted = bytes.substr(0, remaining_);
      body_ += counted;
      remaining_ -= counted.size();
      if (remaining_ == 0) end_message(at);
      return counted.size();
    }
    case State::to_the_end:
      body_ += bytes;
      return bytes.size();
    default:  // over
      if (chunked()) {
        chunks_.feed(bytes);
      } else {
        message_.trailing += bytes.size();
      }
      return bytes.size();
  }
}

void MessageReader::end_message(double at) {
  message_.ended_at = at;
  state_ = State::over;
}

void MessageReader::fail(std::string why) {
  why_ = std::move(why);
  if (!has_head_ && !ended_early_) body_ = std::exchange(raw_head_, {});
  state_ = State::broken;
}

void MessageReader::finish(bool reset, double at) {
  if (over()) return;
  message_.ended_at = at;
  if (broken()) return;
  if (state_ == State::to_the_end && !reset) return end_message(at);
  ended_early_ = true;
  const std::string how = reset ? "the connection was reset " : "the connection was closed ";
  switch (state_) {
    case State::status_line:
    case State::fields:
      return fail(how + (head_ == 0 ? "before an answer began" : "inside the head of the answer"));
    case State::chunks:
      return fail(how + std::string(chunks_.place()));
    case State::counted:
      return fail(how + std::to_string(remaining_) + " bytes before the end that content-length announces");
    default:
      return fail(how + "before the end of the body");
  }
}

Ending MessageReader::ending() const {
  if (over()) return Ending::complete;
  return broken() && !has_head_ && !ended_early_ ? Ending::garbage : Ending::cut;
}

std::optional<HttpMessage> MessageReader::message() const {
  if (!has_head_) return std::nullopt;
  HttpMessage message = message_;
  if (chunked()) {
    message.chunk_ends = chunks_.chunk_ends();
    message.final_chunks = chunks_.final_chunks();
    message.trailing = chunks_.trailing();
  }
  return message;
}

}  // namespace splitproof::testee
