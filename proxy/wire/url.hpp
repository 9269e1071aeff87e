#pragma once

#include <string>
#include <string_view>

namespace splitproof::wire {

/// Replaces each `%` and two hexadecimal digits by their byte. Other bytes stay.
std::string percent_decoded(std::string_view text);

/// Returns the decoded value of the first member of this name in a query such as `a=1&b=2`; empty without it.
std::string query_member(std::string_view query, std::string_view name);

}  // namespace splitproof::wire
