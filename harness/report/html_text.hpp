#pragma once

#include <string>
#include <string_view>

#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns text as HTML, for elements and for attributes in double quotes. Invisible characters become escapes.
std::string html(std::string_view text);

/// Returns a command with a button that copies it. `does` is the sentence before it, "Run the case again".
std::string command_html(std::string_view does, const std::string& line);

/// Returns `text` as the id of an element: letters, digits, `.` and `-`.
std::string html_id(std::string_view text);

/// Returns an upstream stream, an item for each event, with its cuts marked. Shows at most `most` bytes.
std::string upstream_html(const results::Upstream& upstream, std::size_t most);

/// Returns a downstream stream, an item for each event, with the place of the violation marked.
std::string downstream_html(const results::Reproducer& shown);

/// Returns "1 cut", or "cut after every byte".
std::string cut_count(const results::Upstream& upstream);

}  // namespace splitproof::report
