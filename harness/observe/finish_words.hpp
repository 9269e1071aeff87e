#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"

namespace splitproof::observe {

/// A row of contracts/vocabulary/finish.yaml.
struct FinishWord {
  std::string_view dialect;
  std::string_view word;  ///< In lower case; a trailing `*` matches any rest.
  FinishKind means;
};

/// Returns all rows, in the order of the file.
std::span<const FinishWord> finish_words();

/// Returns what a word means to upstreams of a dialect, without regard to case; FinishKind::unknown if no row has it.
FinishReason read_finish(std::string_view dialect, std::string_view word);

}  // namespace splitproof::observe
