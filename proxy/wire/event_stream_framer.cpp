#include "proxy/wire/event_stream_framer.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "proxy/wire/json.hpp"
#include "proxy/wire/json_text.hpp"
#include "proxy/wire/network_order.hpp"

namespace splitproof::wire {
namespace {

constexpr std::size_t kPrelude = 12;
constexpr std::size_t kCrc = 4;
constexpr std::size_t kMostHeaders = std::size_t{128} << 10;  // AWS's own limit

std::size_t u32(std::string_view bytes, std::size_t at) { return number_at(bytes, at, 4); }

std::uint32_t crc_of(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// Takes the first `size` bytes off; nothing if there are fewer.
std::optional<std::string_view> taken(std::string_view& bytes, std::size_t size) {
  if (bytes.size() < size) return std::nullopt;
  const std::string_view first = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return first;
}

// Takes a header's value of this type, without its length.
std::optional<std::string_view> taken_value(std::string_view& bytes, std::size_t type) {
  constexpr std::array<std::size_t, 10> kSizes = {0, 0, 1, 2, 4, 8, 0, 0, 8, 16};
  if (type >= kSizes.size()) return std::nullopt;
  const bool sized = type == 6 || type == 7;  // bytes, and text
  if (!sized) return taken(bytes, kSizes[type]);
  const auto size = taken(bytes, 2);
  return size ? taken(bytes, number_at(*size, 0, 2)) : std::nullopt;
}

// The headers of a frame that matter. Each is empty if absent or not a text.
struct Headers {
  std::string_view message_type, event_type, exception_type, error_code, error_message;

  std::string_view* find(std::string_view name) {
    if (name == ":message-type") return &message_type;
    if (name == ":event-type") return &event_type;
    if (name == ":exception-type") return &exception_type;
    if (name == ":error-code") return &error_code;
    if (name == ":error-message") return &error_message;
    return nullptr;
  }
};

std::optional<Headers> read_headers(std::string_view bytes) {
  constexpr std::size_t kText = 7;
  Headers headers;
  while (!bytes.empty()) {
    const std::size_t name_size = number_at(*taken(bytes, 1), 0, 1);
    const auto name = taken(bytes, name_size);
    const auto type = taken(bytes, 1);
    if (name_size == 0 || !name || !type) return std::nullopt;
    const std::size_t kind = number_at(*type, 0, 1);
    const auto value = taken_value(bytes, kind);
    if (!value) return std::nullopt;
    if (std::string_view* known = headers.find(*name)) *known = kind == kText ? *value : std::string_view();
  }
  return headers;
}

// Returns a header's text; empty if it is not UTF-8.
std::string text_of(std::string_view value) {
  return check_json(quoted(value), 1) == JsonFault::none ? std::string(value) : std::string();
}

Frame error_frame(const Headers& headers, std::string_view payload) {
  Frame frame{"error", std::string(payload)};
  frame.error = text_of(headers.exception_type.empty() ? headers.error_code : headers.exception_type);
  if (payload.empty()) frame.data = "{\"message\":" + quoted(text_of(headers.error_message)) + "}";
  return frame;
}

}  // namespace

void EventStreamFramer::feed(std::string_view bytes, std::vector<Frame>& frames) {
  while (!over_ && !bytes.empty()) {
    // As the length of a frame, each of these bytes would exceed the limit.
    if (!begun_ && std::string_view("{ \t\r\n").find(bytes.front()) != std::string_view::npos)
      bare_.emplace(limit_);
    begun_ = true;
    if (bare_) {
      bare_->feed(bytes);
      if (bare_->stopped()) give_up("has a length that cannot be", frames);
      return;
    }
    const std::size_t size = std::min(next_stop() - held_.size(), bytes.size());
    take(bytes.substr(0, size));
    bytes.remove_prefix(size);
    if (held_.size() == kPrelude) read_prelude(frames);
    if (!over_ && held_.size() > kPrelude && held_.size() == u32(held_, 0)) read_frame(frames);
  }
}

void EventStreamFramer::finish(std::vector<Frame>& frames) {
  if (over_) return;
  const std::string_view bare = bare_ ? std::string_view(bare_->text()) : std::string_view();
  if (!bare.empty()) {
    frames.push_back({{}, std::string(bare), true, false, true});
  } else if (bare_ || !held_.empty()) {
    frames.push_back({{}, {}, false});
  }
  stop();
}

void EventStreamFramer::stop() {
  *this = EventStreamFramer(limit_);
  over_ = true;
}

// Returns how many bytes to collect before the next part can be read.
std::size_t EventStreamFramer::next_stop() const {
  if (held_.size() < kPrelude) return kPrelude;
  const std::size_t all = u32(held_, 0);
  return held_.size() < all - kCrc ? all - kCrc : all;
}

void EventStreamFramer::take(std::string_view bytes) {
  const bool counts = held_.size() >= kPrelude && held_.size() < u32(held_, 0) - kCrc;
  held_ += bytes;
  if (counts) crc_ = crc_of(bytes, crc_);
}

void EventStreamFramer::read_prelude(std::vector<Frame>& frames) {
  const std::string_view prelude = held_;
  const std::size_t all = u32(prelude, 0);
  const std::size_t headers = u32(prelude, 4);
  if (u32(prelude, 8) != crc_of(prelude.substr(0, 8), 0)) return give_up("has a wrong checksum", frames);
  if (all < kPrelude + kCrc || headers > all - kPrelude - kCrc || headers > kMostHeaders)
    return give_up("has a length that cannot be", frames);
  if (all > limit_) {
    stop();
    frames.push_back({{}, {}, true, true});
    return;
  }
  crc_ = crc_of(prelude, 0);
}

void EventStreamFramer::read_frame(std::vector<Frame>& frames) {
  const std::string_view all = held_;
  if (u32(all, all.size() - kCrc) != crc_) return give_up("has a wrong checksum", frames);
  const std::size_t header_bytes = u32(all, 4);
  const auto headers = read_headers(all.substr(kPrelude, header_bytes));
  if (!headers) return give_up("has headers that cannot be read", frames);
  std::string_view payload = all.substr(kPrelude + header_bytes);
  payload.remove_suffix(kCrc);
  const std::string_view type = headers->message_type;
  if (type == "exception" || type == "error") {
    frames.push_back(error_frame(*headers, payload));
  } else if (type.empty() || type == "event") {
    frames.push_back({std::string(headers->event_type), std::string(payload)});
  } else {
    return give_up("is no event, exception or error", frames);
  }
  held_.clear();
  crc_ = 0;
}

void EventStreamFramer::give_up(std::string_view damage, std::vector<Frame>& frames) {
  Frame frame;
  frame.damage = damage;
  stop();
  frames.push_back(std::move(frame));
}

}  // namespace splitproof::wire
