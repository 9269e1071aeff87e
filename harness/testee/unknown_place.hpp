#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::testee {

/// The names in braces that a target file may contain.
inline constexpr std::string_view kPlaceNames = "{dir}, {home}, {port}, {upstream} and {upstream_port}";

/// Returns the first name in braces that is none of kPlaceNames, such as "{upstream_url}". A name has only small
/// letters, digits, `_` and `-`. `$` before the brace belongs to a shell or to JavaScript, so it is skipped. Text
/// with white space may be a script, in which braces have another meaning. There only names with the words port,
/// upstream, url or host count.
std::optional<std::string> unknown_place(std::string_view text);

}  // namespace splitproof::testee
