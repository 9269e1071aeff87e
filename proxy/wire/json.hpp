#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::wire {

enum class JsonKind : std::uint8_t { nothing, null, boolean, number, string, array, object };

enum class JsonFault : std::uint8_t { none, not_json, too_deep, too_much };

class JsonDocument;

/// A value in a JsonDocument, or nothing. Functions for another kind of value return nothing or empty. Valid as long as
/// the document and its text.
class Json {
 public:
  Json() = default;

  JsonKind kind() const;
  bool is(JsonKind kind) const { return this->kind() == kind; }
  explicit operator bool() const { return document_ != nullptr; }

  /// Returns its bytes in the text, without white space around.
  std::string_view raw() const;

  /// Returns a decoded string in WTF-8: UTF-8, with a lone surrogate as the three bytes by UTF-8's rule (`\ud83d`: ED
  /// A0 BD).
  std::string text() const;

  /// Returns a whole number from 0 to 2^64 - 1, without fraction and exponent.
  std::optional<std::uint64_t> count() const;

  /// Returns member `key` of an object; the last of repeated keys.
  Json operator[](std::string_view key) const;

  /// True for an empty array or object, and for other values.
  bool empty() const { return child() == 0; }

  /// Returns the first element of an array.
  Json first() const;

  /// Returns the first key of an object, a string.
  Json first_key() const;

  /// Returns the value of this key. Only for an object's keys.
  Json value() const { return Json(document_, node_ + 1); }

  /// Returns the next element or key. Only for an array's elements and an object's keys.
  Json next() const;

 private:
  friend class JsonDocument;
  Json(const JsonDocument* document, std::size_t node) : document_(document), node_(node) {}
  std::size_t child() const;
  bool says(std::size_t node, std::string_view key) const;

  const JsonDocument* document_ = nullptr;
  std::size_t node_ = 0;
};

/// One JSON text (RFC 8259), checked and indexed in one pass without recursion. A library's tree cannot hold a lone
/// surrogate and loses the form of numbers, and both must pass unchanged.
///
/// Accepts all of the grammar, also numbers beyond the range of a double. Refuses a byte order mark, a NUL and bytes
/// that are not UTF-8.
class JsonDocument {
 public:
  /// Most values and keys of a text: their index takes 12 MB.
  static constexpr std::size_t kMostNodes = std::size_t{1} << 20;

  /// Reads `text`, which has to outlive this object. More than `depth` levels of arrays and objects are a fault, and so
  /// are more than kMostNodes values and keys.
  JsonDocument(std::string_view text, std::size_t depth);
  JsonDocument(const JsonDocument&) = delete;  // values point here
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonFault fault() const { return fault_; }

  /// Returns the value; nothing after a fault.
  Json root() const { return fault_ == JsonFault::none ? Json(this, 0) : Json(); }

  // Position of a value or key in the text. Its content follows it in the index.
  struct Node {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t next = 0;  // next element or key in the same array or object; 0 after the last
  };

 private:
  friend class Json;

  std::string_view text_;
  std::vector<Node> nodes_;
  JsonFault fault_ = JsonFault::none;
  bool escaped_keys_ = false;  // some key has an escape
};

/// Checks `text` as JsonDocument does. Keeps nothing.
JsonFault check_json(std::string_view text, std::size_t depth);

}  // namespace splitproof::wire
