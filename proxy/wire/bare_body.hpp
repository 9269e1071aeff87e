#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "proxy/wire/empty.hpp"

namespace splitproof::wire {

/// Keeps a body that is no event stream but one JSON object, as servers send it when they refuse a request: to the
/// event-stream rules it is lines of unknown fields, and says nothing.
class BareBody {
 public:
  /// Keeps at most `limit` bytes; a larger body is forgotten.
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

  /// The body holds events after all: forgets everything.
  void stop() {
    empty(text_);
    over_ = true;
  }

  /// The body is no object, or was too large: nothing is kept any more.
  bool stopped() const { return over_; }

  /// All that came; empty where it is no object.
  const std::string& text() const { return text_; }

  bool operator==(const BareBody&) const = default;

 private:
  std::size_t limit_;
  std::string text_;
  bool over_ = false;
};

}  // namespace splitproof::wire
