#pragma once

#include <memory>
#include <optional>

#include "harness/campaign/case.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/observe/answer.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// The turn behind a recording's answer: the client sends that back as history, with a result for each of its calls, and the
/// upstream answers one word.
struct SecondTurn {
  recording::Recording recording;                   ///< as one of a request, by the id of the first
  std::shared_ptr<const observe::Answer> answered;  ///< what the upstream said in the first
};

/// The turn behind `answer`, which a testee gave to the recording that `first` judges. None where no client goes on from it, and
/// in the reverse order none where there are no two results.
std::optional<SecondTurn> second_turn(Turn turn, const Judge& first, const testee::Observation& answer);

}  // namespace splitproof::campaign
