#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "proxy/wire/ascii.hpp"

namespace splitproof::text {

/// More bytes than this from its first to its last make a call text, and so does as much white space beside one.
inline constexpr std::size_t kMostBytes = 65536;

/// What may stand between the parts of a call.
using wire::is_blank;

/// How a tag may be written: once or twice, the second one empty where there is one way.
using Spellings = std::array<std::string_view, 2>;

/// How a call is written between tags:
///
///   OPEN NAME NAME_END ( KEY_OPEN KEY KEY_END VALUE_OPEN VALUE VALUE_CLOSE )* CLOSE
///
/// with white space before KEY_OPEN, VALUE_OPEN and CLOSE. Or there is an object in place of the pairs of key and value.
/// Each tag begins with `<`, which stands nowhere else in it. No spelling begins another one of the same grammar.
struct Grammar {
  /// Where the name ends: at what `name_end` says; at white space or the next tag; at a number and then at `name_end`.
  enum class NameEnd : std::uint8_t { tag, blank, number };
  /// What may stand behind the name in place of pairs: nothing, the arguments; or, in place of the name too, a whole call.
  enum class Object : std::uint8_t { none, arguments, call };

  Spellings open;
  NameEnd name_ends = NameEnd::tag;
  std::string_view name_end;
  Spellings key_open;  ///< empty: there are no pairs
  std::string_view key_end;
  std::string_view value_open;  ///< empty: the value begins where the key's tag ends
  Spellings value_close;
  Spellings close;
  Object object = Object::none;
  bool lines = false;  ///< a line feed at either end of a value is not of it
};

/// The numbers of the grammars in their table.
enum class GrammarId : std::uint8_t { invoke, tool, function, pairs, special };
inline constexpr std::size_t kGrammars = 5;
const Grammar& grammar(GrammarId id);

/// What stands around one or more calls of one grammar. It ends as it began, with the namespace or without.
struct Wrapper {
  std::string_view open;
  std::string_view close;
  GrammarId around = GrammarId::invoke;
};
inline constexpr std::size_t kWrappers = 5;
std::span<const Wrapper, kWrappers> wrappers();

/// The wrapper of calls of another grammar whose opening tag is that of this one's calls: its number.
std::optional<std::uint8_t> wrapper_opened_by(GrammarId id);

/// Finds out which of some spellings stands in a text, byte by byte.
class TagMatch {
 public:
  enum class Is : std::uint8_t { possible, none, whole };

  /// Takes the next byte. After `whole`, `found` is the number of the spelling. After `none` it begins anew.
  Is take(std::span<const std::string_view> spellings, char c);

  /// The same in a text that the spellings may begin anywhere in: `none` is not an end.
  Is seek(std::span<const std::string_view> spellings, char c);

  std::size_t found() const { return found_; }

  /// No byte of a spelling has come.
  bool begins() const { return taken_ == 0; }

  bool operator==(const TagMatch&) const = default;

 private:
  std::uint32_t possible_ = ~std::uint32_t{0};  // a bit for each spelling
  std::size_t taken_ = 0;
  std::size_t found_ = 0;
};

}  // namespace splitproof::text
