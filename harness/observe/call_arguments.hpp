#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// What a call's arguments are, as they stand: pieces joined, nothing repaired.
enum class Arguments : unsigned char {
  none,      ///< empty, blank, or the word null: a call without arguments
  object,    ///< one whole JSON object
  fragment,  ///< begins an object that is not whole, or not JSON
  foreign    ///< begins something else, whole or not
};

/// Reads `arguments` as strict JSON. Linear.
Arguments kind_of_arguments(std::string_view arguments);

/// Whether the first byte that is not white space begins an object.
bool begins_object(std::string_view arguments);

/// How many bytes of JSON white space stand before the rest.
std::size_t leading_blanks(std::string_view arguments);

/// Whether `arguments` is one JSON value, whole, of any type. Linear.
bool is_whole_json(std::string_view arguments);

}  // namespace splitproof::observe
