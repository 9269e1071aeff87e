#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace splitproof::wire {

/// A JSON text with some pieces replaced, in order. All other bytes stay.
class JsonSplice {
 public:
  explicit JsonSplice(std::string_view text) : text_(text) {}

  void replace(std::string_view piece, std::string_view by) {
    out_.append(text_.substr(copied_, begin_of(piece) - copied_)).append(by);
    copied_ = begin_of(piece) + piece.size();
  }

  /// Drops the text before `end`.
  void skip_to(const char* end) { copied_ = static_cast<std::size_t>(end - text_.data()); }

  /// Keeps the text before `end`.
  void copy_to(const char* end) {
    const auto at = static_cast<std::size_t>(end - text_.data());
    out_.append(text_.substr(copied_, at - copied_));
    copied_ = at;
  }

  void put(std::string_view text) { out_ += text; }

  std::string done() && { return std::move(out_.append(text_.substr(copied_))); }

 private:
  std::size_t begin_of(std::string_view piece) const {
    return static_cast<std::size_t>(piece.data() - text_.data());
  }

  std::string_view text_;
  std::string out_;
  std::size_t copied_ = 0;  // end of the copied text
};

}  // namespace splitproof::wire
