#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/selection.hpp"
#include "harness/contract/clients.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/capture.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// The folder that holds the project's own `contracts` and `corpus`: the one that SPLITPROOF_DATA names, which is an Error
/// where it does not hold them; or one above the executable, in a build tree; or else what is built in.
Result<std::string> data_folder();

/// The built-in contracts and those of `folders`.
Result<contract::Contracts> load_contracts(const std::vector<std::string>& folders);

/// The built-in contract folder, then `folders`: where contracts and, in `profiles` below, profiles are
/// looked for.
Result<std::vector<std::filesystem::path>> contract_folders(const std::vector<std::string>& folders);

/// What clients do with streams that break a rule: `clients/` below the same folders.
Result<contract::Clients> load_clients(const std::vector<std::string>& folders,
                                       const contract::Contracts& contracts);

/// The contracts' own digests, by file name: what a report was judged by.
std::map<std::string, std::string> contract_digests(const contract::Contracts& contracts);

/// A profile by name or path.
Result<contract::Profile> load_profile(const std::string& name, const std::vector<std::string>& folders);

/// Whether the harness knows the protocols that a recording names, and can read what it demands of an answer (`expect`).
Result<void> check_recording(const recording::Recording& recording);

/// How reports and manifests name the project's own recordings.
inline constexpr const char* kOwnCorpus = "the project's corpus";

/// Whether contracts say what becomes, for clients of a protocol, of every kind of part and note that a recording holds.
/// The Error names the first that they do not list, and the line of the recording that brings it.
Result<void> check_losses(const recording::Recording& recording, const std::string& client,
                          const contract::Contracts& contracts);

/// The recordings of `folders`, or the project's own where there are none: of those, where `only` is a glob, at least the
/// ones that it may select.
Result<recording::Corpus> load_recordings(const std::vector<std::string>& folders,
                                          const std::string& only = {});

/// What a reproducer must repeat of where its case and its rules come from: " --strict --corpus mine".
std::string source_options(const Selection& selection, bool strict);

/// Prints on standard error what loading a recording had to assume, with its file.
void warn(const recording::Recording& recording);

/// Prints "splitproof: FILE:LINE: WHAT; HINT" on standard error and returns exit code 2.
int complain(const Error& error);

/// The event stream that a captured file holds; says on standard error what it was taken out of.
Result<recording::Capture> capture_in(const std::string& file, const std::string& bytes);

}  // namespace splitproof::cli
