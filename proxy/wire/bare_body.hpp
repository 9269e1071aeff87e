#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "proxy/wire/empty.hpp"

namespace splitproof::wire {

/// Keeps a body that is one JSON object instead of an event stream. Servers send it when they refuse a request. As an
/// event stream it would be empty.
class BareBody {
 public:
  /// Keeps at most `limit` bytes. A larger body is dropped.
  explicit BareBody(std::size_t limit) : limit_(limit) {}

  /// Takes any bytes.
  void feed(std::string_view bytes) {
    if (over_) return;
    if (text_.empty()) {
      bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
      if (bytes.empty()) return;
      if (bytes.front() != '{') return stop();
    }
    if (bytes.size() > limit_ - text_.size()) return stop();
    text_ += bytes;
  }

  /// The body holds events after all. Drops everything.
  void stop() {
    empty(text_);
    over_ = true;
  }

  /// True if the body is not an object, or too large, and nothing is kept any more.
  bool stopped() const { return over_; }

  /// Returns the body so far; empty if it is not an object.
  const std::string& text() const { return text_; }

  bool operator==(const BareBody&) const = default;

 private:
  std::size_t limit_;
  std::string text_;
  bool over_ = false;
};

}  // namespace splitproof::wire
