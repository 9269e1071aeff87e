#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/campaign/deadlines.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/contract/judge.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/event_stream.hpp"

namespace splitproof::campaign {

/// The testee's output for a body with the chunks of its events.
struct EventwiseOutput {
  Judgeability judgeability;
  std::string bytes;  ///< in the form of Judge::comparable
};

/// The testee's output for the recorded body in one split.
struct KnownMessage {
  std::string cut;  ///< "as recorded"
  Judgeability judgeability;
  observe::Answer message;
  std::optional<bool> sound;  ///< it matches the upstream's content; nullopt: unknown
};

/// The testee's answers to the same upstream in other splits.
struct Baseline {
  const KnownMessage* recorded = nullptr;  ///< never null
  /// Same body, event by event; nullopt for a body with a fault, which is not compared.
  std::optional<EventwiseOutput> arrived;
  Digest digest;  ///< digest of all that a verdict depends on here
};

/// Timeliness of an answer's content, as far as it was observed.
struct Timeliness {
  std::string unseen;  ///< reason why it is unknown; empty: it was observed
  bool due = false;    ///< some content had a deadline
  std::optional<Late> late;

  auto operator<=>(const Timeliness&) const = default;
};

/// An answer to judge.
struct ResponseUnderTest {
  const Judgeability& judgeability;
  std::string_view body;
  observe::EventStream& stream;  ///< of the body
};

/// Returns the verdict if an answer cannot be compared with another of standing `first`, or already differs
/// from it. nullopt: compare the bytes.
std::optional<contract::Judged> set_apart(std::string_view id, const Judgeability& first,
                                          const ResponseUnderTest& answer);

/// META-03: the answer has the same bytes as the answer to the same body, event by event. `comparable` is the
/// answer's body in that form. `original` maps an offset in it to the body.
contract::Judged judge_bytes(const ResponseUnderTest& answer, const Baseline& baseline,
                             const std::string& comparable,
                             const std::function<std::size_t(std::size_t)>& original);

/// META-04: a client assembles the known message. `sound` returns true if `message` matches the upstream, and
/// is called only if the two differ.
contract::Judged judge_message(const ResponseUnderTest& answer, const KnownMessage& known,
                               const observe::Answer& message,
                               const std::function<std::optional<bool>()>& sound);

/// SSE-15: all content was sent in time.
contract::Judged judge_timeliness(const ResponseUnderTest& answer, const Timeliness& timeliness);

/// RUN-01 to RUN-03, by `id`: the testee answered.
contract::Judged judge_run(std::string_view id, const ResponseUnderTest& answer);

/// The verdicts for an obligation that cannot be judged, or does not apply.
contract::Judged meta_not_judged(std::string_view id, std::string reason);
contract::Judged meta_not_exercised(std::string_view id, std::string reason);

}  // namespace splitproof::campaign
