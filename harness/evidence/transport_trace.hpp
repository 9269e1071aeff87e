#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::evidence {

/// What an exchange looked like from outside the testee, as events that rules of the contract `transport` read. Each
/// event is a JSON document with a `type`; docs/transport.md lists them with their members:
///
///   exchange       what was asked of the testee
///   upstream-call  it called its upstream           head    status and header fields came
///   output         the client had some of the answer  held  a hold of the upstream was released
///   leak           something came that is nobody's business downstream
///   left           the client left                  upstream-left, upstream-kept   what became of the calls then
///   body           all of the body                  end     how the message ended
///
/// They stand in the order in which they happened, as far as that was seen: calls, outputs and holds by what the client
/// had of the body at that moment, a call before the first byte also before the head. Byte ranges are those of the
/// downstream body; of an event without bytes, an empty range at that place.
///
/// `client` is the protocol of the testee's clients. A pure function of its arguments that takes any bytes; the holds'
/// conditions are not asked.
observe::Trace transport_trace(std::string_view client, const testee::Exchange& exchange,
                               const testee::Observation& observation);

/// The head of the downstream message as operands `response.` of rules read it: {"status": 200, "headers": {...}},
/// names in lower case, fields of one name joined by ", ". Null where no head came.
std::shared_ptr<const nlohmann::json> response_document(const testee::Observation& observation);

}  // namespace splitproof::evidence
