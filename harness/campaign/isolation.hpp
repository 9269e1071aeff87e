#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/contract/judge.hpp"
#include "harness/dialect/canary.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Returns stream `number` of a trial with this recording. Returns nullopt if the recording has no
/// replaceable text, does not end well, or has an unsupported protocol.
std::optional<dialect::CanaryStream> canary_stream(const recording::Recording& recording, std::size_t number);

/// Returns all text of a stream for a client of this protocol. Its pieces may differ from those that were
/// sent.
std::string joined_text(std::string_view body, const std::string& client);

/// True if a client of this protocol gets an error in an answer with this body. A member `error` that is null is none.
bool reports_error(std::string_view body, const std::string& client);

/// Result of one stream of a recording that a testee gets alone.
struct AloneResult {
  std::string wrong;  ///< Its defect. Such a recording cannot show that streams are mixed up. Empty: none.
  bool fits = true;   ///< A provider sends such a stream for the testee's request.
  testee::Observation seen = {};
};

/// Sends the testee one stream of the recording, which must have canary_stream().
AloneResult try_alone(const testee::Testee& testee, const recording::Recording& recording);

/// Checks that the testee separates streams (META-05). One trial for a testee is enough. The recording must
/// have canary_stream() and be within the testee's claims.
///
/// A concurrent testee over HTTP gets up to four streams. Each waits before the second piece of its text
/// until all clients have the first, and again before the third. So the pieces interleave. This may take only
/// a few seconds. Any other testee gets two streams in sequence. The first breaks off half-way: its client
/// leaves, or without HTTP its upstream resets.
///
/// Then up to four clients send requests at once, each with its own system prompt and tool. One after them
/// has neither. A testee that only reports requests gets them in sequence.
///
/// Violated if a client got a piece of another's text or lacks its own. Also violated if an upstream call
/// contains another client's content. Not judged if the streams did not overlap, the testee could not run
/// them, or the upstream protocol has no such streams.
contract::Judged judge_isolation(const testee::Testee& testee, const recording::Recording& recording);

}  // namespace splitproof::campaign
