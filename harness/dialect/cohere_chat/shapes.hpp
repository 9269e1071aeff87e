#pragma once

#include <string_view>

namespace splitproof::dialect {

/// Features of a chat stream of Cohere that can confuse a translator; rules ask for them with `given`. Names that
/// Chat Completions has too have the same meaning.
struct CohereShapeEntry {
  std::string_view name;
  std::string_view means;
};

inline constexpr CohereShapeEntry kCohereShapes[] = {
    {"citations", "the answer cites sources"},
    {"error", "the provider reported an error, or something is unreadable"},
    {"id_never", "a call has no id"},
    {"interleaved_blocks", "pieces of one part come after the begin of a later part"},
    {"name_never", "a call has no name"},
    {"no_start", "content comes before message-start"},
    {"parallel_tools", "there are several calls"},
    {"prose_meanwhile", "text or thinking comes after a call that has no id or no name"},
    {"thinking", "there is thinking"},
    {"tool_plan", "there is a plan for the calls"},
    {"tools", "there is a call"},
    {"unknown_keys", "an event is of an unknown type"},
};

}  // namespace splitproof::dialect
