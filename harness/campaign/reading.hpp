#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/campaign/deadlines.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/judge.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/normalised_answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::campaign {

/// What a testee passes on whose clients speak the upstream's protocol. To read the upstream's own stream, and to judge it,
/// is put off until something depends on it.
struct UpstreamOwnViolations {
  explicit UpstreamOwnViolations(Upstream of) : upstream(std::move(of)) {}

  const Upstream upstream;
  std::optional<observe::NormalisedAnswer>
      said;  ///< by the upstream's own stream; empty where nobody reads it
  std::optional<observe::NormalisedAnswer>
      completed;                           ///< likewise, as `completed` has it; the same where that has none
  std::optional<observe::Answer> message;  ///< as a client of its own assembles it
  bool judged = false;                     ///< what follows is known

  /// What it said before it first broke the protocol: who gives up there has told at least that. None where it broke it in no
  /// event.
  std::optional<observe::NormalisedAnswer> sound;

  /// How that stream violates obligations, by their ids, and how it does so up to its closing mark: the testee is not
  /// blamed for passing either on.
  std::multimap<std::string, contract::Violation> violations;
  std::string broken;             ///< the first `must` among them: a relay may end such a stream in an error
  std::optional<Upstream> whole;  ///< as `completed` has it
};

/// The upstream's body with the blank line behind its last event, where that event lacks nothing else: a testee may pass
/// it on so, or not at all.
std::optional<Upstream> completed(const Upstream& upstream, const observe::DataKind& kind);

/// What the harness itself reads in an upstream body, however that is cut, and what a testee may be held to.
struct UpstreamReading {
  std::string unread;  ///< why nobody knows what the body says; empty: it was read
  observe::Answer meaning;
  observe::Expected expected;
  std::optional<std::size_t> size;  ///< up to and with the closing mark; none: no such mark came

  std::vector<Milestone> milestones;
  bool broken = false;  ///< the body has a fault, and stands for itself

  std::shared_ptr<UpstreamOwnViolations> relayed;  ///< null: clients speak another protocol

  /// Of all that a verdict depends on, times aside.
  Digest digest;
};

/// What an upstream body says, and what must come of it. Of a protocol that the harness cannot read the reading only says
/// that it is unread. Milestones are not made where `milestones` is null.
UpstreamReading read_upstream(const Upstream& upstream, std::string_view protocol,
                              const observe::Choices& choices,
                              const observe::ClientCapabilities& carries = {},
                              std::vector<Milestone>* milestones = nullptr);

/// The digest of a reading of a body that ended so.
Digest digest_of(const UpstreamReading& reading, recording::End end);

}  // namespace splitproof::campaign
