#include "tests/contracts/built_in.hpp"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "harness/contract/judge.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/transport_trace.hpp"
#include "harness/observe/chat_reading.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expect.hpp"
#include "harness/recording/recording.hpp"

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

}  // namespace

std::filesystem::path contract_folder() {
  const char* source = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return std::filesystem::path(source == nullptr ? "." : source) / "contracts";
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

std::set<std::string> ids_with(Verdict verdict, std::string_view protocol, const observe::Trace& trace,
                               const Profile& profile, const Evidence& evidence) {
  std::set<std::string> ids;
  for (const Judged& judged : judge(built_in_contracts(), protocol, profile, trace, evidence)) {
    if (judged.verdict == verdict) ids.insert(judged.obligation->id);
  }
  return ids;
}

std::set<std::string> transport_ids_with(Verdict verdict, const std::filesystem::path& path) {
  const evidence::Evidence evidence = loaded(evidence::load(path.string()));
  if (evidence.exhibits.size() != 1) {
    std::cerr << path.string() << " holds " << evidence.exhibits.size() << " exhibits\n";
    std::exit(EXIT_FAILURE);
  }
  const evidence::Exhibit& exhibit = evidence.exhibits.front();
  return ids_with(verdict, kTransport,
                  evidence::transport_trace(evidence.client, exhibit.exchange(nullptr), exhibit.seen));
}

RecordedAnswer::RecordedAnswer(const std::filesystem::path& path, Profile profile)
    : profile_(std::move(profile)) {
  const recording::Recording recording = loaded(recording::load(path.string()));
  const observe::Choices choices = observe::choices_of(profile_.knobs);
  const observe::Meaning meaning = observe::read_chat(recording.body, choices.same_index_new_id);
  upstream_ = observe::read_trace(recording.body, observe::DataKind::json);
  expected_ = observe::expected_of(meaning, recording.end, choices);
  if (const auto applied = observe::apply_expect(recording, profile_.name, expected_); !applied) {
    std::cerr << describe(applied.error()) << "\n";
    std::exit(EXIT_FAILURE);
  }
  expected_.shapes.insert(recording.features.begin(), recording.features.end());
}

std::set<std::string> RecordedAnswer::ids_with(Verdict verdict, std::string_view protocol,
                                               const observe::Trace& trace) const {
  const observe::Documents documents = protocol == "openai.chat"
                                           ? observe::chat_documents_of_two(upstream_, trace)
                                           : observe::documents(expected_, trace);
  Evidence evidence;
  evidence.expected = documents.expected.get();
  evidence.got = documents.got.get();
  evidence.features = expected_.shapes;
  return contract::ids_with(verdict, protocol, trace, profile_, evidence);
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
