#include "harness/falsify/example.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/built_in.hpp"
#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/client_demand.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/dialect/captured_requests.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/evidence/answer_trace.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/reader_trace.hpp"
#include "harness/evidence/transport_trace.hpp"
#include "harness/falsify/recorded_answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/read_file.hpp"

namespace splitproof::falsify {
namespace {

using Verdicts = Result<std::vector<contract::Judged>>;

/// Returns the protocol for judging a stream. For a rule of all protocols, it is recognised from the stream.
std::string protocol_of(const contract::Contracts& contracts, const contract::Obligation& obligation,
                        const std::string& body) {
  const std::string_view protocol = contract::downstream_protocol(obligation.contract);
  if (!protocol.empty()) return std::string(protocol);
  return contracts.recognise(observe::read_trace(body, contracts.data_kind({})))
      .value_or(obligation.contract);
}

/// Returns the events of a client's answer. `original` is its answer for the original chunks, or null.
observe::Trace trace_of_client(const contract::Contracts& contracts, const contract::Profile& profile,
                               const std::string& protocol, const evidence::StoredExchange& exhibit,
                               const evidence::StoredExchange* original) {
  constexpr int kOk = 200;
  const observe::Choices choices = observe::choices_of(profile.knobs);
  campaign::Upstream upstream{exhibit.upstream, exhibit.cuts, exhibit.end};
  upstream.status = exhibit.status;
  const campaign::UpstreamReading reading = campaign::read_upstream(upstream, protocol, choices);
  const observe::DemandedAnswer demanded = campaign::demand_of(
      contracts, profile, protocol, choices, reading, upstream, exhibit.status.value_or(kOk), nullptr);
  const auto known = original != nullptr ? observe::reported_answer(original->seen.body) : std::nullopt;
  return evidence::answer_trace({exhibit.upstream, exhibit.cuts}, demanded, exhibit.seen,
                                known ? &*known : nullptr);
}

Verdicts judge_evidence(const contract::Contracts& contracts, const contract::Profile& profile,
                        const std::string& contract, const std::string& path) {
  const Result<evidence::Evidence> evidence = evidence::load(path);
  if (!evidence) return tl::unexpected(evidence.error());
  const auto& exhibits = evidence->exhibits;
  const bool has_original = contract == contract::kSdk && exhibits.size() == 2 && exhibits.front().cases == 0;
  if (exhibits.size() != (has_original ? 2 : 1))
    return tl::unexpected(Error{fmt::format("has {} cases", exhibits.size()), path, 0,
                                "an example needs evidence of one case"});
  const evidence::StoredExchange& exhibit = exhibits.back();
  if (contract == contract::kSdk) {
    const auto trace = trace_of_client(contracts, profile, evidence->testee.upstream, exhibit,
                                       has_original ? &exhibits.front() : nullptr);
    return contract::judge(contracts, contract, profile, trace, {});
  }
  const observe::Trace trace =
      contract == contract::kLibrary
          ? evidence::reader_trace({exhibit.upstream, exhibit.cuts}, exhibit.end,
                                   observe::demanded_events(exhibit.upstream), exhibit.seen, nullptr)
          : evidence::transport_trace(evidence->testee.client, exhibit.exchange(nullptr), exhibit.seen);
  return contract::judge(contracts, contract, profile, trace, {});
}

Verdicts judge_request(const contract::Contracts& contracts, const contract::Profile& profile,
                       const std::string& side, const std::string& path, const std::string& text) {
  const dialect::RequestDialect* reader = dialect::request_reader_of(side);
  if (reader == nullptr)
    return tl::unexpected(Error{"is of " + side + ", and splitproof cannot read its requests", path, 0,
                                "requests to " + dialect::client_names() + " can"});
  const auto requests = dialect::captured_requests(path, text);
  if (!requests) return tl::unexpected(requests.error());
  if (requests->size() != 1)
    return tl::unexpected(
        Error{fmt::format("has {} requests", requests->size()), path, 0, "an example needs one request"});
  return campaign::judge_request(contracts, profile, *reader, requests->front());
}

/// Returns the Error for a missing file.
Error missing(const contract::Obligation& obligation, const contract::Falsifier& falsifier,
              const std::string& written) {
  return {fmt::format("{} names {}, which does not exist", obligation.id, written), obligation.file,
          falsifier.line, "write the path relative to the folder of the contract file"};
}

}  // namespace

std::string example_path(const contract::Obligation& obligation, const std::string& written) {
  return (std::filesystem::path(obligation.file).parent_path() / written).string();
}

Verdicts judge_example(const contract::Contracts& contracts, const contract::Profile& standard,
                       const contract::Obligation& obligation, const contract::Falsifier& falsifier,
                       const std::string& file) {
  contract::Profile profile = standard;
  for (const auto& [knob, value] : falsifier.knobs) profile.knobs[knob] = value;
  for (const std::string& written : {file, falsifier.recording}) {
    if (!written.empty() && !is_file(example_path(obligation, written)))
      return tl::unexpected(missing(obligation, falsifier, written));
  }
  const std::string path = example_path(obligation, file);
  if (falsifier.evidence) return judge_evidence(contracts, profile, obligation.contract, path);
  const Result<std::string> body = read_file(path);
  if (!body) return tl::unexpected(body.error());
  const std::string side = contract::side_of_requests(obligation.contract, file);
  if (!side.empty()) return judge_request(contracts, profile, side, path, *body);
  const std::string protocol = protocol_of(contracts, obligation, *body);
  const observe::Trace trace = observe::read_trace(*body, contracts.data_kind(protocol));
  if (falsifier.recording.empty()) return contract::judge(contracts, protocol, profile, trace, {});
  const Result<RecordedAnswer> answer =
      RecordedAnswer::load(contracts, example_path(obligation, falsifier.recording), profile);
  if (!answer) return tl::unexpected(answer.error());
  return answer->judge(protocol, trace);
}

}  // namespace splitproof::falsify
