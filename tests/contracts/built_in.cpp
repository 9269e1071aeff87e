#include "tests/contracts/built_in.hpp"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "harness/falsify/example.hpp"

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

std::optional<std::filesystem::path> falsifier_of(const ClientStream& stream) {
  const auto folder = contract_folder() / "falsifiers";
  for (const auto& name : {folder / stream.name, folder / stream.protocol / stream.name}) {
    for (const char* extension : {".sse", ".bin"}) {
      std::filesystem::path file = name.string() + extension;
      if (std::filesystem::exists(file)) return file;
    }
  }
  return std::nullopt;
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

falsify::RecordedAnswer recorded_answer(const std::filesystem::path& recording, Profile profile) {
  return loaded(falsify::RecordedAnswer::load(built_in_contracts(), recording.string(), std::move(profile)));
}

std::vector<Judged> judge_example(const Obligation& obligation, const Falsifier& falsifier,
                                  const std::string& file) {
  return loaded(falsify::judge_example(built_in_contracts(), default_profile(), obligation, falsifier, file));
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
