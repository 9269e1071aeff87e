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

/// What a testee made of a body as its events arrived.
struct EventwiseOutput {
  Judgeability judgeability;
  std::string bytes;  ///< as Judge::comparable has them
};

/// What a testee made of the recorded body, cut in one way.
struct KnownMessage {
  std::string cut;  ///< "as recorded"
  Judgeability judgeability;
  observe::Answer message;
  std::optional<bool> sound;  ///< it says what the upstream says; none: nobody knows
};

/// What an answer is held against: the testee's answers to the same upstream in other cuts.
struct Baseline {
  const KnownMessage* recorded = nullptr;  ///< never null
  std::optional<EventwiseOutput>
      arrived;    ///< of the same body; none of one with a fault, which stands for itself
  Digest digest;  ///< of what a verdict depends on in that
};

/// Whether what an answer says was out when it was due, as far as that was seen.
struct Timeliness {
  std::string unseen;  ///< why it cannot be told; empty: it was seen
  bool due = false;    ///< anything was due at all, as far as that is known
  std::optional<Late> late;

  auto operator<=>(const Timeliness&) const = default;
};

/// An answer that is judged.
struct ResponseUnderTest {
  const Judgeability& judgeability;
  std::string_view body;
  observe::EventStream& stream;  ///< of the body
};

/// What keeps an answer from being compared with another of standing `first`, or sets the two apart before a byte is looked
/// at; none: they are to be compared.
std::optional<contract::Judged> set_apart(std::string_view id, const Judgeability& first,
                                          const ResponseUnderTest& answer);

/// META-03: whether the answer has the bytes of the one to the same body as it arrived. `comparable` are the answer's own in
/// the same form, and `original` says where one of them stands in its body.
contract::Judged judge_bytes(const ResponseUnderTest& answer, const Baseline& baseline,
                             const std::string& comparable,
                             const std::function<std::size_t(std::size_t)>& original);

/// META-04: whether a client assembles the message that is known. `sound` says whether `message` is what the upstream says,
/// and is asked where the two differ.
contract::Judged judge_message(const ResponseUnderTest& answer, const KnownMessage& known,
                               const observe::Answer& message,
                               const std::function<std::optional<bool>()>& sound);

/// SSE-15: whether everything was out when it was due.
contract::Judged judge_timeliness(const ResponseUnderTest& answer, const Timeliness& timeliness);

/// RUN-01 to RUN-03, by `id`: whether there is an answer to judge.
contract::Judged judge_run(std::string_view id, const ResponseUnderTest& answer);

/// One of these obligations, where it cannot be judged, and where nothing asked for it.
contract::Judged meta_not_judged(std::string_view id, std::string reason);
contract::Judged meta_not_exercised(std::string_view id, std::string reason);

}  // namespace splitproof::campaign
