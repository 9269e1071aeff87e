#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/observe/functions.hpp"
#include "harness/observe/markup_json.hpp"
#include "harness/observe/markup_words.hpp"

namespace splitproof::observe {

/// Longer calls are text.
inline constexpr std::size_t kMostCallBytes = 65536;

/// Further white space next to a call is text.
inline constexpr std::size_t kMostSpaceBytes = 65536;

/// Result of reading a call at a place in a text.
struct MarkupAttempt {
  enum class State : std::uint8_t {
    none,  ///< No call, whatever comes.
    open,  ///< May become a call with more text.
    call
  };

  State state = State::none;
  bool named = false;     ///< It has the shape of a call, but of an undeclared function.
  bool unclosed = false;  ///< It begins as a call of a declared function, without the closing tag.
  std::size_t end = 0;    ///< Calls only: one past the last byte.
  std::string name = {};
  std::string arguments = {};
};

/// Reads the call of this grammar that begins at `begin`.
MarkupAttempt tag_call_at(JsonSpans& spans, std::size_t begin, TagGrammar grammar,
                          const DeclaredFunctions& functions);

/// True if `text` has `word` at `begin`. `may_yet`: the text ends too early to decide.
bool has_word(std::string_view text, std::size_t begin, std::string_view word, bool& may_yet);

/// Returns the offset after the white space at `begin`.
std::size_t skip_markup_space(std::string_view text, std::size_t begin);

/// True if markup can contain a function of this name.
bool can_stand_in_markup(std::string_view name);

}  // namespace splitproof::observe
