#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// An upstream's word for the reason of the end: a row of contracts/vocabulary/finish.yaml.
struct FinishWord {
  std::string_view dialect;
  std::string_view said;              ///< in lower case; a `*` at its end matches any rest
  std::optional<turn::Finish> meant;  ///< nothing: generation failed
};

/// Returns all rows.
std::span<const FinishWord> finish_words();

/// Returns the meaning of `said` in a dialect, ignoring case: the reason of the end, or a failure. An unknown word is
/// Finish::unknown. `stopped_at` is the stop text, if the upstream names it.
turn::Event finish_of(std::string_view dialect, std::string_view said, std::string stopped_at = {});

}  // namespace splitproof::proxy::dialect
