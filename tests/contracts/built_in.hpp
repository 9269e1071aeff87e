#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/clients.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/falsify/recorded_answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::contract {

/// Returns the folder of the built-in contracts: below SPLITPROOF_SOURCE_ROOT, or the working directory.
std::filesystem::path contract_folder();

/// Returns the falsifier after which a stream of `contracts/clients` is named, if any.
std::optional<std::filesystem::path> falsifier_of(const ClientStream& stream);

/// Return the built-in contracts and their default profile. A failure to load ends the program with the reason, because
/// gtest needs the case names before any test can fail.
const Contracts& built_in_contracts();
const Profile& default_profile();

/// Returns the default profile with these knobs.
Profile default_but(const std::map<std::string, std::string>& knobs);

/// Returns the obligations with that verdict on a trace, of every contract for the protocol.
std::set<std::string> ids_with(Verdict verdict, std::string_view protocol, const observe::Trace& trace,
                               const Profile& profile = default_profile(), const Context& evidence = {});

/// Returns the ids with that verdict.
std::set<std::string> ids_with(Verdict verdict, const std::vector<Judged>& all);

/// Returns a recorded upstream answer for the rules of meaning. A failure to load ends the program with the reason.
falsify::RecordedAnswer recorded_answer(const std::filesystem::path& recording,
                                        Profile profile = default_profile());

/// Judges an example of a built-in rule. A failure to load ends the program with the reason.
std::vector<Judged> judge_example(const Obligation& obligation, const Falsifier& falsifier,
                                  const std::string& file);

/// Returns the violated ids of level `must`.
std::set<std::string> violated_musts(std::string_view protocol, const observe::Trace& trace);

/// Reads a body in the form that the contracts for `protocol` require.
observe::Trace trace_of(std::string_view protocol, std::string_view body);

}  // namespace splitproof::contract
