#pragma once

#include <string_view>
#include <vector>

#include "harness/dialect/openai_responses/body.hpp"

namespace splitproof::dialect {

/// An equivalent form in which servers of Responses differ.
struct ResponsesLayout {
  std::string_view label;  ///< For example "deltas:never".
  FrameReplacements (*deal)(const ResponsesBody& body);
};

/// Returns all deals, in the order in which they are tried.
const std::vector<ResponsesLayout>& all_responses_deals();

}  // namespace splitproof::dialect
