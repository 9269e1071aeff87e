#pragma once

#include <string>

#include "harness/dialect/client.hpp"
#include "harness/observe/normalised_answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::dialect {

/// Returns a client's reading of a body in its own protocol, with the notes that a relay has to pass on.
inline observe::NormalisedAnswer relayed_side(const Client& client, const std::string& body) {
  const observe::Trace trace = observe::read_trace(body, observe::DataKind::json);
  observe::NormalisedAnswer side = client.side(trace);
  observe::TraceStream stream(trace);
  side.notes = client.notes(stream);
  return side;
}

}  // namespace splitproof::dialect
