#pragma once

#include <string>
#include <string_view>

namespace splitproof::report::markdown {

// Pieces of a page in GitHub's dialect of Markdown. Whatever the bytes they are given, what a piece shows is those bytes
// as `visible` writes them, and nothing after the piece reads otherwise than without it: no markup, HTML, entity,
// link or column begins or ends in them.

/// As words of a paragraph, heading or cell, behind other words of the same line.
std::string text(std::string_view bytes);

/// As a code span. Not for cells: a `|` ends a cell there too.
std::string code(std::string_view bytes);

/// As a code span in a cell; as words where it has a `|`.
std::string code_cell(std::string_view bytes);

/// As a code block of that language, in lines of its own. A line ends behind every `\n`, which is shown.
std::string block(std::string_view bytes, std::string_view language = "text");

/// As a code block of lines that hold nothing but what `visible` leaves as it is.
std::string lines_block(std::string_view lines, std::string_view language = "text");

/// The fragment under which a heading can be linked: `ant-05` for "ANT-05".
std::string fragment(std::string_view heading);

}  // namespace splitproof::report::markdown
