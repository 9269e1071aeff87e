#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "proxy/wire/ascii.hpp"

namespace splitproof::text {

/// Size limit of a call in bytes, and of the white space next to it. A longer call is text.
inline constexpr std::size_t kMostBytes = 65536;

/// White space between the parts of a call.
using wire::is_blank;

/// The one or two spellings of a tag; the second is empty if there is one.
using Spellings = std::array<std::string_view, 2>;

/// Grammar of a call between tags:
///
///     OPEN NAME NAME_END ( KEY_OPEN KEY KEY_END VALUE_OPEN VALUE VALUE_CLOSE )* CLOSE
///
/// with white space before KEY_OPEN, VALUE_OPEN and CLOSE. An object may replace the pairs. Each tag begins with `<`
/// and contains no other. No spelling of a grammar is the beginning of another.
struct Grammar {
  /// End of the name: at `name_end`; at white space or the next tag; at a number and then `name_end`.
  enum class NameEnd : std::uint8_t { tag, blank, number };
  /// Object in place of the pairs: none, the arguments, or a whole call that also replaces the name.
  enum class Object : std::uint8_t { none, arguments, call };

  Spellings open;
  NameEnd name_ends = NameEnd::tag;
  std::string_view name_end;
  Spellings key_open;  ///< empty: no pairs
  std::string_view key_end;
  std::string_view value_open;  ///< empty: the value begins after the key's tag
  Spellings value_close;
  Spellings close;
  Object object = Object::none;
  bool lines = false;  ///< a line feed at either end of a value is not part of it
};

/// Indices of the grammars in their table.
enum class GrammarId : std::uint8_t { invoke, tool, function, pairs, special };
inline constexpr std::size_t kGrammars = 5;
const Grammar& grammar(GrammarId id);

/// Markup around calls of one grammar. Its end has a namespace if its beginning has one.
struct Wrapper {
  std::string_view open;
  std::string_view close;
  GrammarId around = GrammarId::invoke;
};
inline constexpr std::size_t kWrappers = 5;
std::span<const Wrapper, kWrappers> wrappers();

/// Returns the wrapper, of another grammar's calls, with the same opening tag as this grammar's calls.
std::optional<std::uint8_t> wrapper_opened_by(GrammarId id);

/// Matches one of several spellings in a text, byte by byte.
class TagMatch {
 public:
  enum class Is : std::uint8_t { possible, none, whole };

  /// Takes the next byte. After `whole`, `found` is the index of the spelling. After `none` it begins again.
  Is take(std::span<const std::string_view> spellings, char c);

  /// The same for a text with a spelling anywhere: `none` does not end it.
  Is seek(std::span<const std::string_view> spellings, char c);

  std::size_t found() const { return found_; }

  /// True if no byte of a spelling has come.
  bool begins() const { return taken_ == 0; }

  bool operator==(const TagMatch&) const = default;

 private:
  std::uint32_t possible_ = ~std::uint32_t{0};  // a bit for each spelling
  std::size_t taken_ = 0;
  std::size_t found_ = 0;
};

}  // namespace splitproof::text
