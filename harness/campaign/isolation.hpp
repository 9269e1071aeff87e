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

/// Stream `number` of a trial with this recording. None where the recording has no text that could be replaced, or does
/// not end well, or of another protocol.
std::optional<dialect::CanaryStream> canary_stream(const recording::Recording& recording, std::size_t number);

/// All text that a stream says to a client of this protocol: the same text may come in other pieces than it was sent in.
std::string joined_text(std::string_view body, const std::string& client);

/// Whether the testee keeps streams apart (META-05). One trial a testee is enough; it needs a recording that has
/// canary_stream() and nothing that the testee does not claim.
///
/// A testee behind HTTP that takes several exchanges at once gets up to four: each is held before the second piece of
/// its text until all clients have the first one, and again before the third, so that the pieces interleave. It must
/// not take more than a few seconds. Any other testee gets two one after the other, of which the first breaks off
/// half-way: its client leaves, or without HTTP its upstream is reset.
///
/// Then the requests: up to four clients ask at once, each with a system prompt and a tool of its own, and behind them one
/// with neither. A testee that only says what it asks is asked by one after the other.
///
/// Violated where a client got a piece of another's text, or not all of its own, or where what one asked for is in the call of
/// the upstream that is another's. Not judged where the streams did not meet, the testee could not be put through them, or its upstream's protocol has no such streams.
contract::Judged judge_isolation(const testee::Testee& testee, const recording::Recording& recording);

}  // namespace splitproof::campaign
