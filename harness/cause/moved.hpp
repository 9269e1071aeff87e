#pragma once

#include <string_view>

#include "harness/contract/verdict.hpp"

namespace splitproof::cause {

/// True if content that the first violation lacks is too much in the second one: thinking that was sent as text. `lost`
/// and `gained` may lack and have more than that, such as tags around it.
bool is_moved(const contract::Violation& lost, const contract::Violation& gained);

}  // namespace splitproof::cause
