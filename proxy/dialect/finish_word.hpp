#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// An upstream's word for why the model stopped: a row of contracts/vocabulary/finish.yaml.
struct FinishWord {
  std::string_view dialect;
  std::string_view said;              ///< in lower case; a `*` at its end stands for any rest
  std::optional<turn::Finish> meant;  ///< nothing: generation failed
};

/// All rows.
std::span<const FinishWord> finish_words();

/// What `said` means in upstreams of a dialect, without regard to case: why the model stopped, or a failure. A word that no
/// row has is Finish::unknown. `stopped_at` is the text that stopped it, if the upstream names one.
turn::Event finish_of(std::string_view dialect, std::string_view said, std::string stopped_at = {});

}  // namespace splitproof::proxy::dialect
