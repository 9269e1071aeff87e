#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/anthropic_message.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/generator.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// The recorded body as a split generator takes it.
split::Subject subject_of(const recording::Recording& recording);

/// Judges what one testee makes of one recording: each downstream body for itself by the contracts, then
/// against what the testee made of the body as it was recorded (META).
class Judge {
 public:
  /// Runs the recording once, as recorded. The references must outlive the judge.
  Judge(const contract::Contracts& contracts, const contract::Profile& profile, const testee::Testee& testee,
        const recording::Recording& recording);

  /// One entry for each obligation of the contracts for the testee's client protocol, in their order, then
  /// META.
  std::vector<contract::Judged> judge(std::string_view body, const observe::Trace& trace) const;

  /// Decodes a downstream body of the testee.
  observe::Trace trace_of(std::string_view body) const;

 private:
  contract::Judged same_bytes(std::string_view body, const observe::Trace& trace) const;
  contract::Judged same_meaning(const observe::Trace& trace) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  std::string client_;
  std::string recorded_body_;
  observe::AnthropicMessage recorded_message_;
};

}  // namespace splitproof::campaign
