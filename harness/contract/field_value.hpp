#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "harness/contract/json_value.hpp"

namespace splitproof::contract {

/// A value that a rule looks at: one in an event's JSON, or a text that stands outside of it, as the `event:` line does.
/// Neither is copied to be tested, so what the value was found in must outlive it.
class FieldValue {
 public:
  /// A JSON value; null where there is none.
  explicit FieldValue(const Json* found) : found_(found) {}
  explicit FieldValue(JsonPtr made) : found_(made.get()), made_(std::move(made)) {}

  /// A text, which counts as a JSON string.
  explicit FieldValue(std::string_view text) : text_(text) {}

  bool present() const { return found_ != nullptr || text_.has_value(); }

  /// The text of a string; nothing for anything else.
  std::optional<std::string_view> text() const {
    if (text_ || found_ == nullptr) return text_;
    return text_of(*found_);
  }

  /// The value as JSON, made for a text when first asked for; null where there is none.
  const Json* get() const {
    if (text_ && found_ == nullptr) {
      made_ = json_string(*text_);
      found_ = made_.get();
    }
    return found_;
  }

  /// The same value, which needs nothing else to outlive it.
  FieldValue owned() const {
    return !present() || (made_ != nullptr && !text_) ? *this
           : text_                                    ? FieldValue(json_string(*text_))
                                                      : FieldValue(json_copy(*found_));
  }

 private:
  mutable const Json* found_ = nullptr;
  mutable JsonPtr made_;  ///< owns what is made on the spot
  std::optional<std::string_view> text_;
};

/// JSON equality; absent equals only absent.
inline bool same(const FieldValue& a, const FieldValue& b) {
  if (const auto text = a.text()) return text == b.text();
  return same(a.get(), b.get());
}

}  // namespace splitproof::contract
