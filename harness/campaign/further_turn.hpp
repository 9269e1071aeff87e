#pragma once

#include <memory>
#include <optional>

#include "harness/campaign/case.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/observe/answer.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// A further request of a conversation. In a second turn the client sends the answer back as history, with a
/// result for each of its calls. The upstream answers one word. In a third turn the client also sends that
/// word back, and asks a question. A request for an answer in one piece has the recording's upstream.
struct FurtherTurn {
  recording::Recording recording;                         ///< with that request and the id of the first
  std::shared_ptr<const observe::Answer> answered{};      ///< second turn: the upstream's first answer
  std::shared_ptr<const StreamedCounterpart> streamed{};  ///< answer in one piece: the streamed answer
};

/// Returns the turn after `answer`, the testee's answer to the recording of `first`, or the request for it in
/// one piece. Returns nullopt if no client continues from it, or if `third` or `reversed` lack two results.
/// The third turn repeats the one word in the form of the client protocol's owner.
std::optional<FurtherTurn> further_turn(Turn turn, const Judge& first, const testee::Observation& answer);

}  // namespace splitproof::campaign
