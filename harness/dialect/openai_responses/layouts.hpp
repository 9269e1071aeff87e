#pragma once

#include <string_view>
#include <vector>

#include "harness/dialect/openai_responses/body.hpp"

namespace splitproof::dialect {

/// A way of saying the same that servers of Responses differ in.
struct ResponsesLayout {
  std::string_view label;  ///< "deltas:never"
  FrameReplacements (*deal)(const ResponsesBody& body);
};

/// All there are, in the order in which they are tried.
const std::vector<ResponsesLayout>& all_responses_deals();

}  // namespace splitproof::dialect
