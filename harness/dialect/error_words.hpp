#pragma once

#include <initializer_list>
#include <string_view>

#include "harness/observe/error_class.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

// Servers of one protocol stand in front of those of another and pass on their words for errors, so these are the words
// of all protocols.

/// Whose fault an error is that says so by these types, codes or HTTP statuses: by any of those that are known.
/// `overloaded_error`, `OverloadedError` and `OVERLOADED` are one word.
observe::ErrorClasses classes_of_error(std::initializer_list<std::string_view> words);

/// The same of an error object by its type, code and status. Anything else says nothing.
observe::ErrorClasses classes_of_error(const observe::WireJson& error);

}  // namespace splitproof::dialect
