#pragma once

#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Returns the error status that is the whole answer, or 0. Over HTTP it is the status of the message. Over a WebSocket
/// it is the `status` of a lone error message (contracts/specifications/websocket.md).
int refused_status(const testee::Observation& observation);

}  // namespace splitproof::campaign
