#pragma once

#include <string_view>

namespace splitproof::dialect {

/// Features of a stream of Kiro that can confuse a translator; rules ask for them with `given`. The names
/// have the same meaning as for Chat Completions.
struct KiroShapeEntry {
  std::string_view name;
  std::string_view means;
};

inline constexpr KiroShapeEntry kKiroShapes[] = {
    {"broken_frame", "a frame cannot be read"},
    {"error", "an error is reported, or something cannot be read"},
    {"id_never", "a call has no id"},
    {"name_never", "a call has no name"},
    {"prose_meanwhile", "text or thinking comes after a call that has no id or no name yet"},
};

}  // namespace splitproof::dialect
