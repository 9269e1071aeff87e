#pragma once

#include <string_view>
#include <vector>

#include "harness/dialect/cohere_chat/body.hpp"

namespace splitproof::dialect {

/// An equivalent form in which servers of Cohere's protocol differ.
struct CohereLayout {
  std::string_view label;  ///< For example "names:never".
  FrameReplacements (*deal)(const CohereBody& body);
};

/// Returns all layouts, in the order in which they are tried.
const std::vector<CohereLayout>& all_cohere_layouts();

}  // namespace splitproof::dialect
