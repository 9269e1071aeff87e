#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/comparison.hpp"
#include "harness/campaign/deadlines.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/campaign/transport.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/campaign/whole_answer.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Judges what one testee made of one recording: each downstream body for itself by the contracts, held against what
/// the upstream said, and against what the testee made of the same answer when it was cut or dealt out otherwise (META).
/// It is given observations and runs nothing; who made them does not matter to it.
class Judge {
 public:
  /// The references must outlive the judge. `answered` is as AskedJudge takes it. With `streamed` it judges answers in one
  /// piece, by META-01 and RUN alone.
  Judge(const contract::Contracts& contracts, const contract::Profile& profile, testee::Traits testee,
        const recording::Recording& recording, std::shared_ptr<const observe::Answer> answered = nullptr,
        std::shared_ptr<const StreamedCounterpart> streamed = nullptr);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  const testee::Traits& testee() const { return testee_; }
  const recording::Recording& recording() const { return recording_; }

  /// The recorded body, as it arrived, and what it says.
  const Upstream& upstream() const { return upstream_; }
  const UpstreamReading& recorded() const { return recorded_; }

  /// Whether the upstream's own answer is no event stream, and goes to clients of its own protocol: then no contract has
  /// anything to judge, and to pass it on is right.
  bool passes_no_stream() const;

  /// Reads an upstream body.
  UpstreamReading read(const Upstream& as_arrived, bool broken) const;

  /// What the testee made of the recorded body, cut as `cut` says in words.
  KnownMessage known_message(std::string cut, const Upstream& upstream,
                             const testee::Observation& seen) const;

  /// What other cuts of a body are compared with: what the testee made of it as its events arrived.
  Baseline baseline(const KnownMessage& recorded, const Upstream& as_arrived,
                    const testee::Observation& seen) const;

  /// The exchange of a case, with what is to be held back. The views live as long as `upstream`.
  testee::Exchange exchange(const UpstreamReading& reading, const Upstream& upstream) const;

  /// Decodes the whole downstream body of an observation.
  observe::Trace trace_of(const testee::Observation& observation) const;

  /// When each milestone of a reading is met in a downstream body.
  Deadlines deadlines_of(const UpstreamReading& reading, std::string_view body) const;

  /// What was late in an observation, and whether that can be told. `deadlines` are those of its body.
  Timeliness timeliness(const Deadlines& deadlines, const Upstream& upstream,
                        const testee::Observation& observation) const;

  /// The bytes in which answers are compared: as they are, and those of a testee outside this process in their normal
  /// form without keep-alives.
  std::string comparable(std::string_view body) const;

  /// Downstream bodies that agree in this are judged alike. Those of a testee outside this process may differ in the ids
  /// that it chose; which ids come from the upstream is part of it.
  Digest dedup_key(std::string_view body, const Upstream& upstream) const;

  /// One entry for each obligation of the contracts for the testee's client protocol, in their order, then META, and RUN
  /// for a testee outside this process.
  std::vector<contract::Judged> judge(const UpstreamReading& reading, const Baseline& baseline,
                                      const testee::Observation& observation,
                                      const Judgeability& judgeability, const Timeliness& timeliness) const;

  /// One entry for each obligation of the contract `transport`, in their order, of a testee that is reached over HTTP;
  /// of any other, none.
  std::vector<contract::Judged> judge_transport(const Upstream& upstream,
                                                const testee::Observation& observation) const;

  /// What the testee asked of its upstream.
  const AskedJudge& asked() const { return asked_; }

  /// All of it for one whole observation, of an upstream that says what `reading` read: transport and what was asked come
  /// last.
  std::vector<contract::Judged> judge(const UpstreamReading& reading, const Baseline& baseline,
                                      const Upstream& upstream, const testee::Observation& observation) const;

 private:
  /// So much of a stream is decoded at once: of a longer one, each that reads it decodes it again.
  static constexpr std::size_t kWindow = std::size_t{1} << 19;

  UpstreamReading read_body(const Upstream& as_arrived, bool broken) const;
  bool failed(const Upstream& upstream) const;
  observe::Trace refusal_of(int status, std::size_t size) const;
  observe::Documents relayed_documents(const UpstreamReading& reading, observe::EventStream& stream) const;
  void attribute_to_upstream(const UpstreamReading& reading, const testee::Observation& observation,
                             observe::EventStream& stream, std::vector<contract::Judged>& all) const;
  void with_own_stream(const Upstream& upstream, const std::function<void(observe::EventStream&)>& use) const;
  observe::NormalisedAnswer own_side(const Upstream& upstream) const;
  const observe::NormalisedAnswer& said_in(UpstreamOwnViolations& relayed) const;
  const observe::NormalisedAnswer& completed_in(UpstreamOwnViolations& relayed) const;
  const UpstreamOwnViolations& judged(const UpstreamReading& reading) const;
  void judge_relayed(const UpstreamReading& reading, UpstreamOwnViolations& relayed) const;
  bool gave_up(const UpstreamReading& reading, bool error) const;
  bool relays_another(const UpstreamReading& reading) const;
  observe::BodyStream stream_of(const testee::Observation& observation) const;
  std::optional<bool> is_sound(const UpstreamReading& reading, observe::EventStream& stream) const;
  observe::Documents documents_of(const UpstreamReading& reading, observe::EventStream& stream) const;
  std::vector<contract::Judged> judge_stream(const UpstreamReading& reading, observe::EventStream& stream,
                                             const nlohmann::json* response) const;
  std::vector<contract::Judged> judge_contracts(const UpstreamReading& reading,
                                                const Judgeability& judgeability,
                                                observe::EventStream& stream,
                                                const testee::Observation& observation) const;
  const dialect::ChosenFields& chosen() const;
  observe::Answer message_of(std::string_view body, observe::EventStream& stream) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const testee::Traits testee_;
  const recording::Recording& recording_;
  const dialect::Client* client_;  // null: nobody reads what clients of this protocol are told
  const observe::Choices choices_;
  const std::shared_ptr<const nlohmann::json> request_;
  const observe::ClientCapabilities carries_;
  const TransportJudge transport_;
  const AskedJudge asked_;
  const std::shared_ptr<const StreamedCounterpart> streamed_;
  const Upstream upstream_;
  const UpstreamReading recorded_;
};

}  // namespace splitproof::campaign
