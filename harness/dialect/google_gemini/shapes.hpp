#pragma once

#include <string_view>

namespace splitproof::dialect {

/// Features of an answer of Gemini that can confuse a translator; rules ask for them with `given`. Names that Chat
/// Completions has, too, have the same meaning.
struct GeminiShapeEntry {
  std::string_view name;
  std::string_view means;
};

inline constexpr GeminiShapeEntry kGeminiShapes[] = {
    {"id_never", "a call has no id"},
    {"prose_meanwhile", "text or thinking comes after a call that has no id"},
    {"after_finish", "content comes after a finish reason"},
    {"finish_with_content", "a frame has content and the finish reason"},
    {"several_choices", "a candidate other than the first comes"},
    {"no_first_choice", "all candidates end, and the first one is missing"},
    {"ambiguous", "a call in pieces continues in a way that has several readings"},
    {"unknown_block", "a part or a member is of no known kind"},
};

}  // namespace splitproof::dialect
