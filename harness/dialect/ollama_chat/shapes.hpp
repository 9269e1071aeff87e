#pragma once

#include <string_view>

namespace splitproof::dialect {

/// What a chat stream of Ollama may have that a translator can trip over, as rules ask for it by `given`. The names mean
/// what they mean of Chat Completions.
struct OllamaShapeEntry {
  std::string_view name;
  std::string_view means;
};

inline constexpr OllamaShapeEntry kOllamaShapes[] = {
    {"id_never", "a call has no id"},
    {"prose_meanwhile", "text or thinking comes after a call that has no id"},
};

}  // namespace splitproof::dialect
