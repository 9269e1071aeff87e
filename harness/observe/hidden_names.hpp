#pragma once

#include <array>
#include <string_view>

namespace splitproof::observe {

/// The blocks of the request that an upstream may repeat, by the names of their tags.
inline constexpr std::array<std::string_view, 4> kHiddenBlocks = {"workspace_information", "workspace_layout",
                                                                  "user_information", "environment_details"};

}  // namespace splitproof::observe
