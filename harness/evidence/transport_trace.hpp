#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::evidence {

/// Returns an exchange as seen from outside the testee, as events for the rules of the contract `transport`.
/// Each event is a JSON document with a `type`; contracts/specifications/transport.md lists the members:
///
///   exchange       the request to the testee
///   upstream-call  a call of its upstream           head    status and header fields
///   output         first output at the client       held    release of a hold of the upstream
///   leak           private text sent downstream
///   left           the client left                  upstream-left, upstream-kept   later state of the calls
///   body           the whole body                   end     end of the message
///
/// Events are in order of occurrence, as far as it is known. Calls, outputs and holds are ordered by the
/// bytes that the client had received. A call before the first byte comes before the head. Byte ranges refer
/// to the downstream body. An event without bytes has an empty range at its place.
///
/// `client` is the protocol of the testee's clients. A pure function of its arguments. It takes any bytes and
/// ignores the conditions of holds.
observe::Trace transport_trace(std::string_view client, const testee::Exchange& exchange,
                               const testee::Observation& observation);

/// Returns the head of the downstream message for operands `response.` of rules: {"status": 200, "headers":
/// {...}}. Names are in lower case, repeated fields joined by ", ". Null if no head came.
std::shared_ptr<const nlohmann::json> response_document(const testee::Observation& observation);

}  // namespace splitproof::evidence
