#include "tests/contracts/built_in.hpp"

#include <cstdlib>
#include <iostream>

#include "harness/contract/judge.hpp"

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

std::set<std::string> ids_with(Verdict verdict, std::string_view protocol, const observe::Trace& trace) {
  std::set<std::string> ids;
  for (const Judged& judged : judge(built_in_contracts(), protocol, default_profile(), trace, {})) {
    if (judged.verdict == verdict) ids.insert(judged.obligation->id);
  }
  return ids;
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
