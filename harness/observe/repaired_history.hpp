#pragma once

#include <utility>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// Returns both requests without the proxy's repairs of the history. Servers refuse a call without a result,
/// or a result without its call. So a proxy may invent a result, or omit the call or the result. Everything
/// that was neither invented nor omitted stays in both.
std::pair<AskedRequest, AskedRequest> without_mending(const AskedRequest& asked, const AskedRequest& got);

}  // namespace splitproof::observe
