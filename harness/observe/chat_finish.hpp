#pragma once

#include <cstdint>
#include <string_view>

namespace splitproof::observe {

/// What providers mean by their finish reasons.
enum class FinishKind : std::uint8_t { stop, tool_calls, length, filter, breakdown, other };

/// What `finish`, in lower case, means. A breakdown is an error: the provider says that generation failed.
constexpr FinishKind finish_kind(std::string_view finish) {
  struct Word {
    std::string_view word;
    FinishKind kind;
  };
  constexpr Word kWords[] = {{"stop", FinishKind::stop},
                             {"tool_calls", FinishKind::tool_calls},
                             {"function_call", FinishKind::tool_calls},
                             {"length", FinishKind::length},
                             {"max_tokens", FinishKind::length},
                             {"model_length", FinishKind::length},
                             {"content_filter", FinishKind::filter},
                             {"sensitive", FinishKind::filter},
                             {"error", FinishKind::breakdown},
                             {"network_error", FinishKind::breakdown},
                             {"insufficient_system_resource", FinishKind::breakdown},
                             {"abort", FinishKind::breakdown}};
  for (const Word& known : kWords) {
    if (known.word == finish) return known.kind;
  }
  return FinishKind::other;
}

/// Whether the answer was cut short.
constexpr bool cuts_short(FinishKind kind) {
  return kind == FinishKind::length || kind == FinishKind::filter;
}

}  // namespace splitproof::observe
