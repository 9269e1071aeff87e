#pragma once

#include <set>
#include <string>
#include <string_view>

#include "harness/campaign/judgeability.hpp"
#include "harness/contract/judge.hpp"
#include "harness/dialect/client.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/normalised_answer.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// The testee's answer to a client that asked for a stream.
struct StreamedCounterpart {
  observe::NormalisedAnswer side;
  Judgeability judgeability;
  /// Members of its document that differ from the upstream, or that the upstream lacks; other rules report
  /// them.
  std::set<std::string> wrong;
  /// The upstream's answer to a request without streaming; empty: it streams.
  std::string whole;
};

/// Returns the difference between the streamed answer and the answer in one piece, one clause, or "". Ignores
/// members in `left_out`.
std::string difference_of_whole(const dialect::Client& client, const observe::NormalisedAnswer& streamed,
                                const observe::NormalisedAnswer& whole,
                                const std::set<std::string>& left_out = {});

/// Returns what differs by such a text: "error", "finish", "usage", or "content" for all other parts. "" for any
/// other text.
std::string part_that_differs(std::string_view difference);

/// Returns the members in which two documents differ (observe/documents.hpp).
std::set<std::string> differing(const observe::Documents& documents);

/// META-01: an answer in one piece has the same content as the streamed answer, if that is correct. Not
/// judged if the testee does not offer it. Also not judged if it asks its upstream for one piece, and that
/// cannot express the recording.
contract::Judged judge_whole(const StreamedCounterpart& streamed, const testee::Observation& whole,
                             const Judgeability& judgeability, const testee::Traits& testee,
                             const observe::DataKind& kind);

}  // namespace splitproof::campaign
