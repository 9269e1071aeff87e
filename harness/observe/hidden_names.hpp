#pragma once

#include <array>
#include <string_view>

namespace splitproof::observe {

/// Tag names of the request's blocks that an upstream may repeat.
inline constexpr std::array<std::string_view, 4> kHiddenBlocks = {"workspace_information", "workspace_layout",
                                                                  "user_information", "environment_details"};

}  // namespace splitproof::observe
