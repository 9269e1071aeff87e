#pragma once

#include <string_view>
#include <vector>

#include "harness/dialect/anthropic_messages/body.hpp"

namespace splitproof::dialect {

/// A way of saying the same that servers of Anthropic Messages differ in.
struct AnthropicLayout {
  std::string_view label;  ///< "ping:everywhere"
  FrameReplacements (*deal)(const AnthropicBody& body);
};

/// All there are, in the order in which they are tried.
const std::vector<AnthropicLayout>& all_anthropic_deals();

}  // namespace splitproof::dialect
