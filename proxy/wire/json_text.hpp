#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::wire {

/// Appends `text` as a JSON string, quotes included (RFC 8259, section 7). `text` is valid UTF-8, which stays
/// as it is.
void append_quoted(std::string& out, std::string_view text);

/// The deepest nesting of arrays and objects in `json`, valid or not: a parser that recurses over the tree
/// later must not be given more than it can bear. One pass.
std::size_t nesting(std::string_view json);

/// False for what the JSON library takes although it is not JSON: a byte order mark before the text, and
/// anything behind a NUL.
bool plain(std::string_view json);

/// One step into a JSON value: a member's name, or an element's number when `name` is empty.
struct JsonStep {
  std::string_view name;
  std::size_t element = 0;
};

/// The bytes of the value that `path` leads to in `json`, white space around it dropped; empty where there is
/// none. `json` is known to be valid. Numbers, key order and repeated keys survive in it, as they do not in a
/// parsed tree; of repeated keys on the path the last counts, as it does there. A key written with escapes is
/// not found.
std::string_view raw_value(std::string_view json, const std::vector<JsonStep>& path);

/// The bytes of an array's elements, one after the other, in one pass over the array for all of them. It is
/// known to be valid JSON; anything but an array has no elements.
class RawElements {
 public:
  explicit RawElements(std::string_view array);

  /// The next element; empty after the last.
  std::string_view next();

 private:
  std::string_view array_;
  std::size_t at_ = 0;
};

}  // namespace splitproof::wire
