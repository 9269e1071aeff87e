#pragma once

#include <string_view>

#include "harness/observe/finish_words.hpp"

namespace splitproof::dialect {

/// Returns the finish of a Chat Completions answer.
inline observe::FinishReason finish_of_word(std::string_view word) {
  return observe::read_finish("openai.chat", word);
}

}  // namespace splitproof::dialect
