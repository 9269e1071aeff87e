#pragma once

#include "harness/observe/misreading.hpp"
#include "harness/observe/read_answer.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::evidence {

/// Returns the answer that a client reported, as events for the rules of the contract `sdk`. Each event is a JSON
/// document with a `type`, such as `text`, `outcome` or `split`. contracts/specifications/sdk.md lists their members.
/// `original` is the answer of the same client for the stream in its original chunks, or null if it is unknown. A pure
/// function of its arguments.
observe::Trace answer_trace(const observe::ReadBody& stream, const observe::DemandedAnswer& demanded,
                            const testee::Observation& observation, const observe::ReadAnswer* original);

}  // namespace splitproof::evidence
