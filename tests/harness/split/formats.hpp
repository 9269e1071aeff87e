#pragma once

#include "harness/framing.hpp"

namespace splitproof::split {

inline const BodyFormat kEvents = {Framing::sse, "[DONE]"};
inline const BodyFormat kLines = {Framing::json_lines, {}};

}  // namespace splitproof::split
