#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// So deep may calls and their arguments be; what is deeper is no JSON here. `{}` is one level.
inline constexpr std::size_t kMostCallLevels = 32;

/// One JSON object or array in a text, as far as that goes.
struct JsonSpan {
  enum class State : std::uint8_t {
    broken,  ///< whatever comes, it is none
    open,    ///< the text ends within it
    whole
  };

  State state = State::broken;
  std::size_t end = 0;  ///< of a whole one, one past its last byte

  bool operator==(const JsonSpan&) const = default;
};

/// Finds the objects and arrays of a text. What was read within one is known when it is asked for, so that all
/// questions together read each byte about once.
class JsonSpans {
 public:
  explicit JsonSpans(std::string_view text) : text_(text) {}

  /// The one that begins at `begin`.
  JsonSpan at(std::size_t begin);

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::map<std::size_t, JsonSpan> known_;
};

/// The top level of an object.
struct JsonMembers {
  struct Member {
    std::string key;         ///< as it reads
    std::string_view value;  ///< as written
  };

  std::vector<Member> members;    ///< those whose value is whole
  std::vector<std::string> keys;  ///< also that of the last one, whose value may be open
  bool has_twice = false;         ///< a key occurs twice
};

/// The members of the object that begins at `begin`, which is whole or open.
JsonMembers members_at(JsonSpans& spans, std::size_t begin);

/// What the text of a JSON string says; nothing for any other value, and for the escape of a lone surrogate.
std::optional<std::string> json_text(std::string_view value);

/// Whether all of `text` is one object in which no key occurs twice at its top level.
bool is_object_of_calls(std::string_view text);

/// A call that a model wrote as JSON.
struct JsonCall {
  std::string name;
  std::string arguments;
};

/// The call that a whole object is, whatever its name; none where it is none.
std::optional<JsonCall> json_call_at(JsonSpans& spans, std::size_t begin);

/// Whether an object that is not whole may become one.
bool may_become_json_call(JsonSpans& spans, std::size_t begin);

/// What arguments say, in one form: keys in order, no white space, one way to write a string. Of what is no JSON, the text.
std::string canonical_arguments(std::string_view arguments);

}  // namespace splitproof::observe
