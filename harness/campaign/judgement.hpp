#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/deadlines.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/anthropic_message.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/meaning.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/generator.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// The recorded body as a split generator takes it.
split::Subject subject_of(const recording::Recording& recording);

/// What the harness itself reads in an upstream body, however that is cut, and what a testee may be held to.
struct Reading {
  observe::Meaning meaning;
  observe::Expected expected;
  std::vector<Milestone> milestones;

  /// What the testee made of the same body as its events arrived; none where it stands for itself (a fault).
  std::optional<std::string> as_arrived;

  /// Of all that is not said of times: readings that agree in it are judged alike.
  Digest digest;
};

/// Judges what one testee makes of one recording: each downstream body for itself by the contracts, held against what
/// the upstream said, and against what the testee made of the same answer when it was cut or dealt out otherwise (META).
class Judge {
 public:
  /// Runs the recording once, as recorded. The references must outlive the judge.
  Judge(const contract::Contracts& contracts, const contract::Profile& profile, const testee::Testee& testee,
        const recording::Recording& recording);

  /// What the recording says.
  const observe::Meaning& recorded() const { return recorded_meaning_; }

  /// Reads an upstream body, cut as its events arrive. Runs the testee on it once, unless it is broken by a fault: such a
  /// body stands for itself.
  Reading read(const Upstream& as_arrived, bool broken) const;

  /// Decodes a downstream body of the testee.
  observe::Trace trace_of(std::string_view body) const;

  /// One entry for each obligation of the contracts for the testee's client protocol, in their order, then META. `late`
  /// is what was held back, if anything was; `timed` says whether the testee lets that be seen.
  std::vector<contract::Judged> judge(const Reading& reading, std::string_view body,
                                      const observe::Trace& trace, bool timed,
                                      const std::optional<Late>& late) const;

  /// The same for one whole observation, of an upstream that says what `reading` read.
  std::vector<contract::Judged> judge(const Reading& reading, const Upstream& upstream,
                                      const testee::Observation& observation,
                                      const observe::Trace& trace) const;

 private:
  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const testee::Testee& testee_;
  const recording::Recording& recording_;
  observe::Choices choices_;
  observe::Meaning recorded_meaning_;
  observe::AnthropicMessage recorded_message_;
};

}  // namespace splitproof::campaign
