#pragma once

#include <string_view>
#include <vector>

#include "harness/dialect/anthropic_messages/body.hpp"

namespace splitproof::dialect {

/// An equivalent form in which servers of Anthropic Messages differ.
struct AnthropicLayout {
  std::string_view label;  ///< For example "ping:everywhere".
  FrameReplacements (*deal)(const AnthropicBody& body);
};

/// Returns all deals, in the order in which they are tried.
const std::vector<AnthropicLayout>& all_anthropic_deals();

}  // namespace splitproof::dialect
