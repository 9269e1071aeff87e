#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/falsify/recorded_answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::contract {

/// Where the built-in contracts are: below SPLITPROOF_SOURCE_ROOT, else the working directory.
std::filesystem::path contract_folder();

/// The falsifier that a stream of `contracts/clients` is named after, if it is one of these.
std::optional<std::filesystem::path> falsifier_named(const std::string& stream);

/// The built-in contracts and their default profile. What cannot be loaded ends the program with the reason:
/// gtest asks for the names of the cases before any test can fail.
const Contracts& built_in_contracts();
const Profile& default_profile();

/// The default profile with these knobs set.
Profile default_but(const std::map<std::string, std::string>& knobs);

/// The ids of the obligations with that verdict on a trace, of every contract that applies to the protocol.
std::set<std::string> ids_with(Verdict verdict, std::string_view protocol, const observe::Trace& trace,
                               const Profile& profile = default_profile(), const Context& evidence = {});

/// The ids among these verdicts that are `verdict`.
std::set<std::string> ids_with(Verdict verdict, const std::vector<Judged>& all);

/// A recorded upstream answer, as the rules of meaning know it. A file that cannot be loaded ends the program with the
/// reason.
falsify::RecordedAnswer recorded_answer(const std::filesystem::path& recording,
                                        Profile profile = default_profile());

/// Judges an example of a built-in rule. What cannot be loaded ends the program with the reason.
std::vector<Judged> judge_example(const Obligation& obligation, const Falsifier& falsifier,
                                  const std::string& file);

/// Those of the violated ids whose level is `must`.
std::set<std::string> violated_musts(std::string_view protocol, const observe::Trace& trace);

/// Reads a body as the contracts for `protocol` want it read.
observe::Trace trace_of(std::string_view protocol, std::string_view body);

}  // namespace splitproof::contract
