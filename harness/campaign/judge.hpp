#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/case.hpp"
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

/// Judges the observations of one testee on one recording. Judges each downstream body by the contracts and
/// by the upstream's content. Compares it with other splits and recuts of the same answer (META). It runs
/// nothing.
class Judge {
 public:
  /// The references must outlive the judge. `answered` is the argument of AskedJudge. With `streamed` it
  /// judges answers in one piece, by META-01 and RUN only.
  Judge(const contract::Contracts& contracts, const contract::Profile& profile, testee::Traits testee,
        const recording::Recording& recording, std::shared_ptr<const observe::Answer> answered = nullptr,
        std::shared_ptr<const StreamedCounterpart> streamed = nullptr);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  const testee::Traits& testee() const { return testee_; }
  const recording::Recording& recording() const { return recording_; }

  /// The recorded upstream and its reading.
  const Upstream& upstream() const { return upstream_; }
  const UpstreamReading& recorded() const { return recorded_; }

  /// True if the upstream's answer is no event stream and clients speak its protocol. Then there is nothing
  /// to judge, and passing it on is correct.
  bool passes_no_stream() const;

  /// Reads an upstream body. Without a certain meaning of an edited body, the reading is `unread`, with the reason.
  UpstreamReading read(const Upstream& as_arrived, Alteration alteration) const;

  /// Returns the testee's message for the recorded body; `cut` describes the split.
  KnownMessage known_message(std::string cut, const Upstream& upstream,
                             const testee::Observation& seen) const;

  /// Returns the baseline for other splits of a body, from its event-by-event observation.
  Baseline baseline(const KnownMessage& recorded, const Upstream& as_arrived,
                    const testee::Observation& seen) const;

  /// Returns the exchange of a case with its holds. The views live as long as `upstream`.
  testee::Exchange exchange(const UpstreamReading& reading, const Upstream& upstream) const;

  /// Decodes the whole downstream body of an observation.
  observe::Trace trace_of(const testee::Observation& observation) const;

  /// Returns the deadlines of a reading for a downstream body.
  Deadlines deadlines_of(const UpstreamReading& reading, std::string_view body) const;

  /// Returns the late output of an observation, or why it is unknown. `deadlines` are those of its body.
  Timeliness timeliness(const Deadlines& deadlines, const Upstream& upstream,
                        const testee::Observation& observation) const;

  /// Returns the bytes for comparison. For an external testee this is the normal form without keep-alives.
  std::string comparable(std::string_view body) const;

  /// Returns the key of downstream bodies that are judged alike. For an external testee it ignores ids that
  /// the testee chose, but includes which ids come from the upstream.
  Digest dedup_key(std::string_view body, const Upstream& upstream) const;

  /// Returns one entry for each obligation for the testee's client protocol, in their order. META follows,
  /// and RUN for an external testee.
  std::vector<contract::Judged> judge(const UpstreamReading& reading, const Baseline& baseline,
                                      const testee::Observation& observation,
                                      const Judgeability& judgeability, const Timeliness& timeliness) const;

  /// Returns one entry for each obligation of the contract `transport`, in their order. Empty unless the
  /// testee is reached over HTTP.
  std::vector<contract::Judged> judge_transport(const Upstream& upstream,
                                                const testee::Observation& observation) const;

  /// Returns one entry for each obligation of the contract `library`, or `sdk`, in their order. Empty unless the testee is
  /// a client.
  std::vector<contract::Judged> judge_report(const UpstreamReading& reading, const Baseline& baseline,
                                             const Upstream& upstream,
                                             const testee::Observation& observation) const;

  /// Returns the judge of the upstream requests.
  const AskedJudge& asked() const { return asked_; }

  /// Returns all verdicts for one observation of an upstream with this reading. Transport and requests come
  /// last.
  std::vector<contract::Judged> judge(const UpstreamReading& reading, const Baseline& baseline,
                                      const Upstream& upstream, const testee::Observation& observation) const;

 private:
  /// Bytes of a stream that are decoded at once. Each reader of a longer stream decodes it again.
  static constexpr std::size_t kWindow = std::size_t{1} << 19;

  UpstreamReading read_body(const Upstream& as_arrived, Alteration alteration) const;
  std::string doubt_about(const UpstreamReading& edited, const Upstream& upstream) const;
  std::set<std::string> own_violations(const Upstream& upstream) const;
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

  /// Returns why a relay may end this stream in an error, or "".
  std::string why_gave_up(const UpstreamReading& reading) const;
  bool relays_another(const UpstreamReading& reading) const;
  observe::BodyStream stream_of(const testee::Observation& observation) const;
  std::optional<bool> is_sound(const UpstreamReading& reading, observe::EventStream& stream) const;
  observe::Documents documents_of(const UpstreamReading& reading, observe::EventStream& stream) const;
  std::vector<contract::Judged> judge_stream(const UpstreamReading& reading, observe::EventStream& stream,
                                             const nlohmann::json* response) const;
  std::vector<contract::Judged> judge_reader(const Baseline& baseline, const ResponseUnderTest& answer) const;
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
  const dialect::Client* client_;  // null: no reader for this client protocol
  const observe::Choices choices_;
  const std::shared_ptr<const nlohmann::json> request_;
  const observe::ClientCapabilities carries_;
  const TransportJudge transport_;
  AskedJudge asked_;
  const std::shared_ptr<const StreamedCounterpart> streamed_;
  const Upstream upstream_;
  const UpstreamReading recorded_;
};

}  // namespace splitproof::campaign
