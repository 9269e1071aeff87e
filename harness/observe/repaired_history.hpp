#pragma once

#include <utility>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// A client's request and the upstream's, where the client's history has a call without a result, or a result without its
/// call, which servers refuse: what the proxy did to mend that is undone. It may make up a result, or leave the call or the
/// result out. All that was neither made up nor left out stays, in both.
std::pair<AskedRequest, AskedRequest> without_mending(const AskedRequest& asked, const AskedRequest& got);

}  // namespace splitproof::observe
