#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// Kind of a call's arguments: pieces joined, nothing repaired.
enum class Arguments : unsigned char {
  none,      ///< Empty, blank, or the word null: a call without arguments.
  object,    ///< One whole JSON object.
  fragment,  ///< Begins an object, but is incomplete or invalid JSON.
  foreign    ///< Begins something other than an object, complete or not.
};

/// Reads `arguments` as strict JSON. Linear.
Arguments kind_of_arguments(std::string_view arguments);

/// True if the first byte after white space begins an object.
bool begins_object(std::string_view arguments);

/// Returns the number of leading bytes of JSON white space.
std::size_t leading_blanks(std::string_view arguments);

/// True if `arguments` is one complete JSON value of any type. Linear.
bool is_whole_json(std::string_view arguments);

}  // namespace splitproof::observe
