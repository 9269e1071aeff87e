#pragma once

#include <vector>

#include "harness/observe/misreading.hpp"
#include "harness/observe/read_event.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::evidence {

/// Returns what a reader of event streams reported, as events for the rules of the contract `library`. Each event is a
/// JSON document with a `type`; contracts/specifications/library.md lists the members:
///
///   trap    a known error that would change the events of this stream, and if the reader made it
///   pair    an event of the stream and its report, or one of the two
///   error   an error that the reader reported
///
/// Byte ranges refer to the report. `demanded` are the events of the body. `original` are the events that the same
/// reader reported for the body in its original chunks, or null if they are unknown. A pure function of its arguments.
observe::Trace reader_trace(const observe::ReadBody& stream, recording::End end,
                            const std::vector<observe::DemandedEvent>& demanded,
                            const testee::Observation& observation,
                            const std::vector<observe::ReadEvent>* original);

}  // namespace splitproof::evidence
