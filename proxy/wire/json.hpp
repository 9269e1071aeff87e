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

/// A value in a JsonDocument, or nothing. What is asked of nothing, or of a value of another kind, is nothing or empty.
/// Valid as long as the document and its text.
class Json {
 public:
  Json() = default;

  JsonKind kind() const;
  bool is(JsonKind kind) const { return this->kind() == kind; }
  explicit operator bool() const { return document_ != nullptr; }

  /// Its bytes as they stand in the text, without white space around.
  std::string_view raw() const;

  /// What a string says, in WTF-8: UTF-8, in which the escape of a lone surrogate stands as the
  /// three bytes that UTF-8's rule would give (`\ud83d`: ED A0 BD).
  std::string text() const;

  /// A whole number from 0 to 2^64 - 1, written without fraction and exponent.
  std::optional<std::uint64_t> count() const;

  /// Member `key` of an object; of repeated keys the last.
  Json operator[](std::string_view key) const;

  /// An array or object without anything in it; also what is neither.
  bool empty() const { return child() == 0; }

  /// The first element of an array.
  Json first() const;

  /// The first key of an object, a string.
  Json first_key() const;

  /// What stands under this key. Only of an object's keys.
  Json value() const { return Json(document_, node_ + 1); }

  /// The element, or key, after this one. Only of an array's elements and an object's keys.
  Json next() const;

 private:
  friend class JsonDocument;
  Json(const JsonDocument* document, std::size_t node) : document_(document), node_(node) {}
  std::size_t child() const;
  bool says(std::size_t node, std::string_view key) const;

  const JsonDocument* document_ = nullptr;
  std::size_t node_ = 0;
};

/// One JSON text (RFC 8259), checked and indexed in one pass that does not recurse. A library's tree would not do: it
/// has no place for a lone surrogate and loses how numbers were written, and both must go through unchanged.
///
/// What the grammar allows is taken, a number beyond the range of a double included. A byte order mark, a NUL and
/// bytes that are not UTF-8 are not JSON.
class JsonDocument {
 public:
  /// Values and keys that a text may hold: so many take 12 MB of index.
  static constexpr std::size_t kMostNodes = std::size_t{1} << 20;

  /// Reads `text`, which has to outlive this. More than `depth` levels of arrays and objects are a fault, and so are more
  /// than kMostNodes values and keys.
  JsonDocument(std::string_view text, std::size_t depth);
  JsonDocument(const JsonDocument&) = delete;  // values point here
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonFault fault() const { return fault_; }

  /// The value; nothing if there is a fault.
  Json root() const { return fault_ == JsonFault::none ? Json(this, 0) : Json(); }

  // Where a value or a key stands in the text. What it holds follows it in the index.
  struct Node {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t next = 0;  // the element, or key, after it in the same array or object; 0 after the last
  };

 private:
  friend class Json;

  std::string_view text_;
  std::vector<Node> nodes_;
  JsonFault fault_ = JsonFault::none;
  bool escaped_keys_ = false;  // some key is written with an escape
};

/// Whether `text` is JSON as JsonDocument has it. Keeps nothing.
JsonFault check_json(std::string_view text, std::size_t depth);

}  // namespace splitproof::wire
