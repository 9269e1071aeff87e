#pragma once

#include <initializer_list>
#include <string_view>

#include "harness/observe/error_class.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

// Servers of one protocol forward error words of others. So this file has the words of all protocols.

/// Returns the classes of an error with these types, codes or HTTP statuses, from the known ones.
/// `overloaded_error`, `OverloadedError` and `OVERLOADED` are one word.
observe::ErrorClasses classes_of_error(std::initializer_list<std::string_view> words);

/// Returns the classes of an error object by its type, code and status. Returns none for any other value.
observe::ErrorClasses classes_of_error(const observe::WireJson& error);

}  // namespace splitproof::dialect
