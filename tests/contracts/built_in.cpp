#include "tests/contracts/built_in.hpp"

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/captured_requests.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/transport_trace.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expect.hpp"
#include "harness/recording/recording.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract {
namespace {

template <class T>
T loaded(Result<T> result) {
  if (!result) {
    std::cerr << describe(result.error()) << "\n";
    std::exit(EXIT_FAILURE);
  }
  return std::move(*result);
}

// The protocol whose contracts judge an obligation's examples. Those of `sse` apply to every protocol: their
// examples are judged by all that the stream is answerable to.
std::string protocol_of(const Obligation& obligation, const std::string& body) {
  static const std::string kSide = ".downstream";
  const std::string& contract = obligation.contract;
  if (contract.ends_with(kSide)) return contract.substr(0, contract.size() - kSide.size());
  return built_in_contracts()
      .recognise(observe::read_trace(body, observe::DataKind::json))
      .value_or(contract);
}

// By the rules of `transport`, the one exhibit of a file with evidence.
std::vector<Judged> judge_transport(const std::filesystem::path& path, const Profile& profile) {
  const evidence::Evidence evidence = loaded(evidence::load(path.string()));
  if (evidence.exhibits.size() != 1) {
    std::cerr << path.string() << " holds " << evidence.exhibits.size() << " exhibits\n";
    std::exit(EXIT_FAILURE);
  }
  const evidence::Exhibit& exhibit = evidence.exhibits.front();
  return judge(built_in_contracts(), kTransport, profile,
               evidence::transport_trace(evidence.testee.client, exhibit.exchange(nullptr), exhibit.seen),
               {});
}

}  // namespace

std::filesystem::path contract_folder() {
  const char* source = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return std::filesystem::path(source == nullptr ? "." : source) / "contracts";
}

std::optional<std::filesystem::path> falsifier_named(const std::string& stream) {
  std::filesystem::path file = contract_folder() / "falsifiers" / (stream + ".sse");
  return std::filesystem::exists(file) ? std::optional(std::move(file)) : std::nullopt;
}

const Contracts& built_in_contracts() {
  static const Contracts kContracts = loaded(Contracts::load({contract_folder()}));
  return kContracts;
}

const Profile& default_profile() {
  static const Profile kProfile = loaded(load_profile("default", {contract_folder()}));
  return kProfile;
}

Profile default_but(const std::map<std::string, std::string>& knobs) {
  Profile profile = default_profile();
  for (const auto& [knob, value] : knobs) profile.knobs[knob] = value;
  return profile;
}

std::set<std::string> ids_with(Verdict verdict, const std::vector<Judged>& all) {
  std::set<std::string> ids;
  for (const Judged& judged : all) {
    if (judged.verdict == verdict) ids.insert(judged.obligation->id);
  }
  return ids;
}

std::set<std::string> ids_with(Verdict verdict, std::string_view protocol, const observe::Trace& trace,
                               const Profile& profile, const Context& evidence) {
  return ids_with(verdict, judge(built_in_contracts(), protocol, profile, trace, evidence));
}

RecordedAnswer::RecordedAnswer(const std::filesystem::path& path, Profile profile)
    : profile_(std::move(profile)) {
  const recording::Recording recording = loaded(recording::load(path.string()));
  const observe::Choices choices = observe::choices_of(profile_.knobs);
  protocol_ = recording.protocol;
  const observe::Answer meaning = dialect::read(*dialect::upstream_of(protocol_), recording.body, choices);
  upstream_ = observe::read_trace(recording.body, observe::DataKind::json);
  for (const dialect::Dialect& dialect : dialect::all()) {
    if (dialect.client == nullptr) continue;
    const std::string protocol(dialect.protocol);
    const nlohmann::json requests = recording.requests ? *recording.requests : nlohmann::json::object();
    const nlohmann::json request = requests.value(protocol, nlohmann::json());
    observe::Expected& expected = expected_[protocol];
    observe::Carries carries = dialect.client->carries(&request);
    carries.losses = built_in_contracts().losses(recording.protocol, protocol);
    expected = observe::expected_of(meaning, recording.end, choices, carries);
    if (const auto applied = observe::apply_expect(recording, profile_.name, expected); !applied) {
      std::cerr << describe(applied.error()) << "\n";
      std::exit(EXIT_FAILURE);
    }
    expected.shapes.insert(recording.features.begin(), recording.features.end());
  }
}

std::vector<Judged> RecordedAnswer::judge(std::string_view protocol, const observe::Trace& trace) const {
  const dialect::Client& client = *dialect::client_of(protocol);
  const observe::Expected& expected = expected_.at(std::string(protocol));
  const auto relayed = [&](const observe::Trace& passed_on) {
    observe::Side side = client.side(passed_on);
    observe::TraceStream stream(passed_on);
    side.notes = client.notes(stream);
    return side;
  };
  const observe::Documents documents = protocol == protocol_
                                           ? observe::documents_of_two(relayed(upstream_), relayed(trace))
                                           : observe::documents(expected, client.side(trace));
  Context evidence;
  evidence.expected = documents.expected.get();
  evidence.got = documents.got.get();
  evidence.features = expected.shapes;
  return contract::judge(built_in_contracts(), protocol, profile_, trace, evidence);
}

std::vector<Judged> judge_example(const Obligation& obligation, const Falsifier& falsifier,
                                  const std::string& file) {
  const Profile profile = default_but(falsifier.knobs);
  if (falsifier.evidence) return judge_transport(contract_folder() / file, profile);
  const std::string body = observe::file_bytes(contract_folder() / file);
  if (const std::string side = side_of_requests(obligation.contract, file); !side.empty()) {
    const auto requests = loaded(dialect::captured_requests(file, body));
    return campaign::judge_request(built_in_contracts(), profile, *dialect::request_reader_of(side),
                                   requests.front());
  }
  const std::string protocol = protocol_of(obligation, body);
  const observe::Trace trace = trace_of(protocol, body);
  if (falsifier.recording.empty()) return judge(built_in_contracts(), protocol, profile, trace, {});
  return RecordedAnswer(contract_folder() / falsifier.recording, profile).judge(protocol, trace);
}

std::set<std::string> violated_musts(std::string_view protocol, const observe::Trace& trace) {
  std::set<std::string> ids = ids_with(Verdict::violated, protocol, trace);
  std::erase_if(ids,
                [](const std::string& id) { return built_in_contracts().find(id)->level != Level::must; });
  return ids;
}

observe::Trace trace_of(std::string_view protocol, std::string_view body) {
  return observe::read_trace(body, built_in_contracts().data_kind(protocol));
}

}  // namespace splitproof::contract
