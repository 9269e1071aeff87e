#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::recording {

/// Returns the lines of `text` without their ends, which are LF or CRLF.
std::vector<std::string_view> lines_of(std::string_view text);

/// Joins the lines, each followed by LF.
std::string joined(const std::vector<std::string_view>& lines);

/// Returns `text` without its leading line ends.
std::string_view without_head(std::string_view text);

bool is_blank(std::string_view text);

/// True for a non-blank line of an event stream: a field of the standard, or a comment.
bool is_field(std::string_view line);

bool has_data(std::string_view line);

/// True if every line belongs to an event stream and some have data. The last line may be truncated.
bool is_stream(std::string_view text);

/// True if the first non-blank line belongs to an event stream and some lines have data. Later lines may be
/// invalid, because a broken stream is a stream.
bool begins_stream(std::string_view text);

/// True if `text` has several lines of data and no blank line between them, so that no event ends.
bool lacks_blank_lines(std::string_view text);

/// Returns the number of the first line of data that a log shortened, or 0. Such a line ends inside its JSON, with an
/// ellipsis or at the length of the longest line, which several lines have. `whole` are the lines before anything
/// was taken off them.
std::size_t shortened_line(const std::vector<std::string_view>& lines,
                           const std::vector<std::string_view>& whole);

/// True if the last line of the text is blank, a comment, or data that is not truncated inside JSON.
bool ends_in_whole_line(std::string_view text);

}  // namespace splitproof::recording
