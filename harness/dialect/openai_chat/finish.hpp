#pragma once

#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"

namespace splitproof::dialect {

/// What `finish`, a finish_reason in lower case, means.
constexpr observe::FinishKind finish_kind(std::string_view finish) {
  using observe::FinishKind;
  struct Word {
    std::string_view word;
    FinishKind kind;
  };
  constexpr Word kWords[] = {{"stop", FinishKind::stop},
                             {"tool_calls", FinishKind::calls},
                             {"function_call", FinishKind::calls},
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

/// The finish of a Chat Completions answer.
inline observe::FinishReason finish_of_word(std::string word) {
  const observe::FinishKind kind = finish_kind(word);
  return {kind, std::move(word)};
}

}  // namespace splitproof::dialect
