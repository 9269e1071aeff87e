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
#include "harness/observe/read_answer.hpp"
#include "harness/observe/read_event.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::campaign {

/// The upstream's own stream, if clients speak its protocol. It is read and judged only when needed.
struct UpstreamOwnViolations {
  explicit UpstreamOwnViolations(Upstream of) : upstream(std::move(of)) {}

  const Upstream upstream;
  std::optional<observe::NormalisedAnswer>
      said;  ///< Content of the upstream's stream; empty without a reader.
  std::optional<observe::NormalisedAnswer> completed;  ///< Content of `whole`; equal to `said` without it.
  std::optional<observe::Answer> message;              ///< Message that a direct client assembles.
  bool judged = false;                                 ///< The members below are set.

  /// Content before the first violation: a testee that gives up there has sent at least this. nullopt if no
  /// event violates the protocol.
  std::optional<observe::NormalisedAnswer> sound;

  /// The upstream's violations, by obligation id, also of the stream up to its closing mark. The testee is
  /// not blamed for passing them on.
  std::multimap<std::string, contract::Violation> violations;
  std::string broken;             ///< The first `must` among them; a relay may end such a stream in an error.
  std::optional<Upstream> whole;  ///< Result of `completed`.
};

/// Returns the upstream with the missing blank line after its last event, if only that is missing. A testee
/// may pass that event on or drop it.
std::optional<Upstream> completed(const Upstream& upstream, const observe::DataKind& kind);

/// The harness's reading of an upstream body, independent of its split, and the requirements for the testee.
struct UpstreamReading {
  /// Reason why the body cannot be read, or why an edited body has no certain meaning; empty: it was read.
  std::string unread;
  observe::Answer meaning;
  observe::Expected expected;
  std::optional<std::size_t> size;  ///< Up to and including the closing mark; nullopt without a mark.

  std::vector<Milestone> milestones;
  bool broken = false;  ///< The body has a fault and is not compared.
  bool edited = false;  ///< The body has edits: it is not compared with the recorded one.

  /// Events that a testee must report that reads event streams; null for another testee.
  std::shared_ptr<const std::vector<observe::DemandedEvent>> demanded;

  /// The answer that a testee must report that reads one; null for another testee.
  std::shared_ptr<const observe::DemandedAnswer> demanded_answer;

  std::shared_ptr<UpstreamOwnViolations> relayed;  ///< null: clients speak another protocol.

  /// Digest of all that a verdict depends on, except times.
  Digest digest;
};

/// Reads an upstream body and derives the requirements. For an unknown protocol it only sets `unread`. Makes
/// milestones only if `milestones` is not null.
UpstreamReading read_upstream(const Upstream& upstream, std::string_view protocol,
                              const observe::Choices& choices,
                              const observe::ClientCapabilities& carries = {},
                              std::vector<Milestone>* milestones = nullptr);

/// Returns the digest of a reading of a body with this end.
Digest digest_of(const UpstreamReading& reading, recording::End end);

}  // namespace splitproof::campaign
