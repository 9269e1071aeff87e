#pragma once

#include <string>
#include <string_view>

namespace splitproof::shrink {

/// Returns a string literal in double quotes that Python, JavaScript, TypeScript and Go all read as `text`.
/// Ill-formed UTF-8 becomes U+FFFD. The literal is one line of visible characters.
std::string string_literal(std::string_view text);

/// Returns `text` for the rest of a line that began as a comment of one of these languages. The text cannot
/// end the line or act as a directive of a tool.
std::string comment_text(std::string_view text);

}  // namespace splitproof::shrink
