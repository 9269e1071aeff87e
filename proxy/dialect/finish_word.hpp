#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// A dialect's word for why the model stopped.
struct FinishWord {
  std::string_view said;
  turn::Finish meant;
};

/// What `said` means; of a word that is not among them, that the model stopped of itself.
inline turn::Finish finish_of(std::span<const FinishWord> words, std::string_view said) {
  const auto known =
      std::find_if(words.begin(), words.end(), [&](const FinishWord& word) { return word.said == said; });
  return known == words.end() ? turn::Finish::stop : known->meant;
}

}  // namespace splitproof::proxy::dialect
