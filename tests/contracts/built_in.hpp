#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::contract {

/// Where the built-in contracts are: below SPLITPROOF_SOURCE_ROOT, else the working directory.
std::filesystem::path contract_folder();

/// The built-in contracts and their default profile. What cannot be loaded ends the program with the reason:
/// gtest asks for the names of the cases before any test can fail.
const Contracts& built_in_contracts();
const Profile& default_profile();

/// The default profile with these knobs set.
Profile default_but(const std::map<std::string, std::string>& knobs);

/// The ids of the obligations with that verdict on a trace, of every contract that applies to the protocol.
std::set<std::string> ids_with(Verdict verdict, std::string_view protocol, const observe::Trace& trace,
                               const Profile& profile = default_profile(), const Evidence& evidence = {});

/// The ids of the obligations of `transport` with that verdict on the one exhibit of a file with evidence. A file that
/// cannot be loaded, or holds another number of exhibits, ends the program with the reason.
std::set<std::string> transport_ids_with(Verdict verdict, const std::filesystem::path& evidence);

/// A recorded upstream answer, as the rules of meaning know it under a profile.
class RecordedAnswer {
 public:
  /// A file that cannot be loaded ends the program with the reason.
  explicit RecordedAnswer(const std::filesystem::path& recording, Profile profile = default_profile());

  /// The same for a stream that a translator made of the answer.
  std::set<std::string> ids_with(Verdict verdict, std::string_view protocol,
                                 const observe::Trace& trace) const;

 private:
  Profile profile_;
  observe::Expected expected_;
  observe::Trace upstream_;
};

/// Those of them whose level is `must`.
std::set<std::string> violated_musts(std::string_view protocol, const observe::Trace& trace);

/// Reads a body as the contracts for `protocol` want it read.
observe::Trace trace_of(std::string_view protocol, std::string_view body);

}  // namespace splitproof::contract
