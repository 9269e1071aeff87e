#pragma once

#include <string>
#include <string_view>

namespace splitproof::report::markdown {

// Pieces of a page in GitHub's dialect of Markdown. For any bytes, a piece shows them in the form of
// `visible`. It does not affect the text after it: no markup, HTML, entity, link or column begins or ends in
// the bytes.

/// Words of a paragraph, heading or cell, after other words of the line.
std::string text(std::string_view bytes);

/// A code span. Not for cells: a `|` ends a cell there too.
std::string code(std::string_view bytes);

/// A code span in a cell; words if it has a `|`.
std::string code_cell(std::string_view bytes);

/// A code block of that language, on separate lines. A line ends after every `\n`, which is shown.
std::string block(std::string_view bytes, std::string_view language = "text");

/// A code block of lines that `visible` does not change.
std::string lines_block(std::string_view lines, std::string_view language = "text");

/// Returns the fragment for links to a heading: `ant-05` for "ANT-05".
std::string fragment(std::string_view heading);

}  // namespace splitproof::report::markdown
