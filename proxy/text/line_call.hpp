#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proxy/text/call_json.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/held_text.hpp"

namespace splitproof::text {

/// Reads a possible call, one object alone on its lines, byte by byte.
class JsonCall {
 public:
  /// `begin`: of its line. `object`: of the object, the first byte to take.
  JsonCall(std::size_t begin, std::size_t object) : begin_(begin), object_begin_(object), at_(object) {}

  /// Takes the byte at `at()`. A call ends before the byte that decides it.
  Verdict take(char c, const HeldText& text, const Functions& functions);

  /// True if the text may end here.
  bool ends_here() const { return stage_ == Stage::behind; }

  std::size_t at() const { return at_; }
  std::size_t begin() const { return begin_; }
  std::size_t first() const { return object_begin_; }
  const WrittenCall& call() const { return call_; }

  bool operator==(const JsonCall&) const = default;

 private:
  enum class Stage : std::uint8_t { object, behind };

  std::size_t begin_;
  std::size_t object_begin_;
  std::size_t at_;
  Stage stage_ = Stage::object;
  ObjectProgress object_{true};
  std::size_t blanks_ = 0;  // after the object
  WrittenCall call_;
};

/// Reads a possible fenced block that contains only a call, byte by byte.
class FencedCall {
 public:
  /// `begin`: of its first line. `fence`: of its backticks, the first byte to take.
  FencedCall(std::size_t begin, std::size_t fence) : begin_(begin), fence_begin_(fence), at_(fence) {}

  /// Takes the byte at `at()`. A call ends before the byte that decides it.
  Verdict take(char c, const HeldText& text, const Functions& functions);

  /// True if the text may end here.
  bool ends_here() const {
    return stage_ == Stage::closed || (stage_ == Stage::closing && closing_ >= ticks_);
  }

  std::size_t at() const { return at_; }
  std::size_t begin() const { return begin_; }
  std::size_t first() const { return fence_begin_; }
  const WrittenCall& call() const { return call_; }

  bool operator==(const FencedCall&) const = default;

 private:
  enum class Stage : std::uint8_t {
    ticks,
    before_word,
    word,
    behind_word,
    gap,
    object,
    behind,
    line,
    closing,
    closed
  };

  bool take_next(char c, const HeldText& text, const Functions& functions);
  bool take_first_line(char c);
  bool take_closing_line(char c);

  std::size_t begin_;
  std::size_t fence_begin_;
  std::size_t at_;
  Stage stage_ = Stage::ticks;
  std::size_t ticks_ = 0;    // of the opening
  std::size_t closing_ = 0;  // of the possible closing
  std::size_t blanks_ = 0;   // before or after the closing marks
  std::size_t object_begin_ = 0;
  ObjectProgress object_{true};
  WrittenCall call_;
};

}  // namespace splitproof::text
