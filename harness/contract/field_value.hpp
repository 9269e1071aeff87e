#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "harness/contract/json_value.hpp"

namespace splitproof::contract {

/// A value that a rule reads: in an event's JSON, or text outside of it, such as the `event:` line. It is not
/// copied, so its source must outlive it.
class FieldValue {
 public:
  /// A JSON value; null if absent.
  explicit FieldValue(const Json* found) : found_(found) {}
  explicit FieldValue(JsonPtr made) : found_(made.get()), made_(std::move(made)) {}

  /// A text, treated as a JSON string.
  explicit FieldValue(std::string_view text) : text_(text) {}

  bool present() const { return found_ != nullptr || text_.has_value(); }

  /// Returns the text of a string; nullopt for other values.
  std::optional<std::string_view> text() const {
    if (text_ || found_ == nullptr) return text_;
    return text_of(*found_);
  }

  /// Returns the value as JSON, made for a text on first use; null if absent.
  const Json* get() const {
    if (text_ && found_ == nullptr) {
      made_ = json_string(*text_);
      found_ = made_.get();
    }
    return found_;
  }

  /// Returns the same value without references.
  FieldValue owned() const {
    return !present() || (made_ != nullptr && !text_) ? *this
           : text_                                    ? FieldValue(json_string(*text_))
                                                      : FieldValue(json_copy(*found_));
  }

 private:
  mutable const Json* found_ = nullptr;
  mutable JsonPtr made_;  ///< owns JSON made here
  std::optional<std::string_view> text_;
};

/// JSON equality; absent equals only absent.
inline bool same(const FieldValue& a, const FieldValue& b) {
  if (const auto text = a.text()) return text == b.text();
  return same(a.get(), b.get());
}

}  // namespace splitproof::contract
