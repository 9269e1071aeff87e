#pragma once

#include <string_view>

namespace splitproof::dialect {

/// Features of a chat stream of Ollama that can confuse a translator; rules ask for them with `given`. The
/// names have the same meaning as for Chat Completions.
struct OllamaShapeEntry {
  std::string_view name;
  std::string_view means;
};

inline constexpr OllamaShapeEntry kOllamaShapes[] = {
    {"id_never", "a call has no id"},
    {"prose_meanwhile", "text or thinking comes after a call that has no id"},
};

}  // namespace splitproof::dialect
