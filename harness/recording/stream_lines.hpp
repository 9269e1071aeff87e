#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::recording {

/// Returns the lines of `text` without their ends, which are LF or CRLF.
std::vector<std::string_view> lines_of(std::string_view text);

/// Returns the lines, each with LF behind it.
std::string joined(const std::vector<std::string_view>& lines);

/// Returns `text` without the line ends that it begins with.
std::string_view without_head(std::string_view text);

bool is_blank(std::string_view text);

/// True for a line of an event stream that is not blank: a field of the standard, or a comment.
bool is_field(std::string_view line);

bool has_data(std::string_view line);

/// True if every line is one of an event stream, and some have data. The last line may be cut off.
bool is_stream(std::string_view text);

/// True if the first line that is not blank is one of an event stream, and some lines have data. Later lines may be wrong:
/// a broken stream is a stream.
bool begins_stream(std::string_view text);

/// True if `text` has several lines of data and no blank line between any: no event of it ends.
bool lacks_blank_lines(std::string_view text);

/// True if the last line of the text is blank, a comment, or data that is not cut off inside JSON.
bool ends_in_whole_line(std::string_view text);

}  // namespace splitproof::recording
