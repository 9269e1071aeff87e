#pragma once

#include <memory>
#include <optional>

#include "harness/campaign/case.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/observe/answer.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Another request beside a recording's. In a second turn the client sends the answer back as history, with a result for each
/// of its calls, and the upstream answers one word; in a third it sends that back too, and asks something. Where it asks for an answer in one piece, the upstream's is the recording's.
struct FurtherTurn {
  recording::Recording recording;  ///< with that request, by the id of the first
  std::shared_ptr<const observe::Answer>
      answered{};  ///< of a second turn: what the upstream said in the first
  std::shared_ptr<const StreamedCounterpart> streamed{};  ///< of an answer in one piece: what was streamed
};

/// The turn beside or behind `answer`, which a testee gave to the recording that `first` judges. None where no client goes on
/// from it; neither a third nor one in the reverse order where there are no two results. The one word of a third is as the
/// owner of the client's protocol tells it.
std::optional<FurtherTurn> further_turn(Turn turn, const Judge& first, const testee::Observation& answer);

}  // namespace splitproof::campaign
