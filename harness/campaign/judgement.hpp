#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/deadlines.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/standing.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/generator.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// The recorded body as a split generator takes it.
split::Subject subject_of(const recording::Recording& recording);

/// What a testee made of a body as its events arrived.
struct Arrived {
  Standing standing;
  std::string bytes;  ///< as Judge::comparable has them
};

/// What the harness itself reads in an upstream body, however that is cut, and what a testee may be held to.
struct Reading {
  std::string unread;  ///< why nobody knows what the body says; empty: it was read
  observe::Answer meaning;
  observe::Expected expected;
  std::vector<Milestone> milestones;

  bool broken = false;  ///< the body has a fault, and stands for itself

  /// None where it does.
  std::optional<Arrived> as_arrived;

  /// The upstream's own stream, where it speaks the protocol of the testee's clients.
  std::optional<observe::Trace> relayed;

  /// How this stream violates obligations, by their ids: the testee is not blamed for passing that on.
  std::map<std::string, std::string> passed_on;

  /// Of all that is not said of times: readings that agree in it are judged alike.
  Digest digest;
};

/// What an upstream body says, and what must come of it. No testee is asked, and no recording's `expect`. Of a
/// protocol that the harness cannot read the reading only says that it is unread.
Reading read_upstream(const Upstream& upstream, std::string_view protocol, const observe::Choices& choices);

/// Whether what an answer says was out when it was due, as far as that was seen.
struct Punctuality {
  std::string unseen;  ///< why it cannot be told; empty: it was seen
  bool due = false;    ///< anything was due at all, as far as that is known
  std::optional<Late> late;

  auto operator<=>(const Punctuality&) const = default;
};

/// Judges what one testee makes of one recording: each downstream body for itself by the contracts, held against what
/// the upstream said, and against what the testee made of the same answer when it was cut or dealt out otherwise (META).
class Judge {
 public:
  /// Runs the recording once, as recorded. The references must outlive the judge.
  Judge(const contract::Contracts& contracts, const contract::Profile& profile, const testee::Testee& testee,
        const recording::Recording& recording);

  /// What the recording says.
  const observe::Answer& recorded() const { return meaning_; }

  /// What the testee was put through before any case, as the messages of all others are compared with it: the recording
  /// as it was recorded, and in one piece where that came out wrong.
  struct Held {
    Upstream upstream;
    testee::Observation seen;
  };
  const std::vector<Held>& held() const { return held_; }

  /// Why the testee could not even be put through the recording once; empty where it could.
  const std::string& unavailable() const { return unavailable_; }

  /// Whether the upstream's own answer is no event stream, and goes to clients of its own protocol: then no contract has
  /// anything to judge, and to pass it on is right.
  bool passes_no_stream() const { return passes_no_stream_; }

  /// Reads an upstream body, cut as its events arrive. Runs the testee on it once, unless it is broken by a fault: such a
  /// body stands for itself.
  Reading read(const Upstream& as_arrived, bool broken) const;

  /// The exchange of a case, with what is to be held back. The views live as long as `upstream`.
  testee::Exchange exchange(const Reading& reading, const Upstream& upstream) const;

  /// Decodes the downstream body of an observation.
  observe::Trace trace_of(const testee::Observation& observation) const;

  /// When each milestone of a reading is met in a downstream body.
  Deadlines deadlines_of(const Reading& reading, std::string_view body) const;

  /// What was late in an observation, and whether that can be told. `deadlines` are those of its body.
  Punctuality punctuality(const Deadlines& deadlines, const Upstream& upstream,
                          const testee::Observation& observation) const;

  /// The bytes in which answers are compared: as they are, and those of a testee outside this process in their normal
  /// form without keep-alives.
  std::string comparable(std::string_view body) const;

  /// Downstream bodies that agree in this are judged alike. Those of a testee outside this process may differ in the ids
  /// that it chose; which ids come from the upstream is part of it.
  Digest likeness(std::string_view body, const Upstream& upstream) const;

  /// One entry for each obligation of the contracts for the testee's client protocol, in their order, then META, and RUN
  /// for a testee outside this process.
  std::vector<contract::Judged> judge(const Reading& reading, const testee::Observation& observation,
                                      const Standing& standing, const Punctuality& punctuality) const;

  /// One entry for each obligation of the contract `transport`, in their order, of a testee that is reached over HTTP;
  /// of any other, none.
  std::vector<contract::Judged> judge_transport(const Upstream& upstream,
                                                const testee::Observation& observation) const;

  /// All of it for one whole observation, of an upstream that says what `reading` read: transport comes last.
  std::vector<contract::Judged> judge(const Reading& reading, const Upstream& upstream,
                                      const testee::Observation& observation) const;

 private:
  // What a testee made of the recorded body, cut in one way.
  struct Version {
    std::string cut;  // "as recorded"
    Standing standing;
    observe::Answer message;
    std::optional<bool> sound;  // it says what the upstream says; none: nobody knows
  };

  Reading read_body(const Upstream& as_arrived, bool broken) const;
  Version version_of(std::string cut, const Reading& reading, const Upstream& upstream,
                     const testee::Observation& seen) const;
  std::optional<bool> is_sound(const Reading& reading, const observe::Trace& trace) const;
  observe::Documents documents_of(const Reading& reading, const observe::Trace& trace) const;

  std::vector<contract::Judged> judge_stream(const Reading& reading, const observe::Trace& trace,
                                             const nlohmann::json* response) const;
  std::map<std::string, std::string> violations_of(const Reading& reading, const observe::Trace& trace) const;
  std::vector<contract::Judged> transport_rules(const Upstream& upstream,
                                                const testee::Observation& observation) const;
  contract::Judged same_bytes(const Reading& reading, std::string_view body, const Standing& standing,
                              const observe::Trace& trace) const;
  contract::Judged same_meaning(const Reading& reading, std::string_view body, const Standing& standing,
                                const observe::Trace& trace) const;
  const dialect::ChosenFields& chosen() const;
  observe::Answer message_of(std::string_view body, const observe::Trace& trace) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const testee::Testee& testee_;
  const recording::Recording& recording_;
  const dialect::Client* client_;  // null: nobody reads what clients of this protocol are told
  observe::Choices choices_;
  std::shared_ptr<const nlohmann::json> request_;
  std::string unavailable_;
  bool passes_no_stream_;
  observe::Answer meaning_;  // of the recorded body
  std::vector<Held> held_;
  Standing as_recorded_;
  Version known_;  // which messages are compared with
};

}  // namespace splitproof::campaign
