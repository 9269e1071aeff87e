#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// Maximum nesting of calls and their arguments; deeper text is no JSON here. `{}` is one level.
inline constexpr std::size_t kMostCallLevels = 32;

/// One JSON object or array in a text.
struct JsonSpan {
  enum class State : std::uint8_t {
    broken,  ///< Invalid, whatever comes.
    open,    ///< The text ends within it.
    whole
  };

  State state = State::broken;
  std::size_t end = 0;  ///< If whole: one past its last byte.

  bool operator==(const JsonSpan&) const = default;
};

/// Finds the objects and arrays of a text. Remembers inner ones, so that all calls together read each byte
/// about once.
class JsonSpans {
 public:
  explicit JsonSpans(std::string_view text) : text_(text) {}

  /// Returns the span that begins at `begin`.
  JsonSpan at(std::size_t begin);

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::map<std::size_t, JsonSpan> known_;
};

/// The top level of an object.
struct JsonMembers {
  struct Member {
    std::string key;         ///< Decoded.
    std::string_view value;  ///< As written.
  };

  std::vector<Member> members;    ///< Members with a complete value.
  std::vector<std::string> keys;  ///< Also the last key, even if its value is open.
  bool has_twice = false;         ///< A key occurs twice.
};

/// Returns the members of the whole or open object at `begin`.
JsonMembers members_at(JsonSpans& spans, std::size_t begin);

/// Returns the text of a JSON string. Returns nullopt for other values and for an escaped lone surrogate.
std::optional<std::string> json_text(std::string_view value);

/// True if `text` is one object without a repeated key at its top level.
bool is_object_of_calls(std::string_view text);

/// A call that a model wrote as JSON.
struct JsonCall {
  std::string name;
  std::string arguments;
};

/// Returns the call in a whole object, whatever its name, or nullopt.
std::optional<JsonCall> json_call_at(JsonSpans& spans, std::size_t begin);

/// True if an open object may become a call.
bool may_become_json_call(JsonSpans& spans, std::size_t begin);

/// Returns arguments in one form: sorted keys, no white space, one spelling of strings. Returns invalid JSON
/// unchanged.
std::string canonical_arguments(std::string_view arguments);

}  // namespace splitproof::observe
