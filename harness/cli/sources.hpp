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
#include "harness/import/imported_file.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// Returns the folder with the project's own `contracts` and `corpus`. This is the folder in SPLITPROOF_DATA,
/// with an Error if it lacks them. Otherwise it is a folder above the executable, in a build tree, or the
/// built-in files.
Result<std::string> data_folder();

/// Loads the built-in contracts and those of `folders`.
Result<contract::Contracts> load_contracts(const std::vector<std::string>& folders);

/// Returns the rules of the contracts, and then the rules that compare several exchanges.
std::vector<const contract::Obligation*> all_rules(const contract::Contracts& contracts);

/// Returns the built-in contract folder, then `folders`: the search path for contracts and, in `profiles`
/// below, for profiles.
Result<std::vector<std::filesystem::path>> contract_folders(const std::vector<std::string>& folders);

/// Loads client reactions to streams that violate a rule, from `clients/` below the same folders.
Result<contract::Clients> load_clients(const std::vector<std::string>& folders,
                                       const contract::Contracts& contracts);

/// Returns the digests of the contracts, by file name, for reports.
std::map<std::string, std::string> contract_digests(const contract::Contracts& contracts);

/// Loads a profile by name or path.
Result<contract::Profile> load_profile(const std::string& name, const std::vector<std::string>& folders);

/// Checks that the harness knows a recording's protocols and can read its expectations (`expect`).
Result<void> check_recording(const recording::Recording& recording);

/// Name of the project's own recordings in reports and manifests.
inline constexpr const char* kOwnCorpus = "the project's corpus";

/// Checks that contracts list the fate of every kind of part and note in a recording for clients of a
/// protocol. The Error names the first missing kind and its line in the recording.
Result<void> check_losses(const recording::Recording& recording, const std::string& client,
                          const contract::Contracts& contracts);

/// Loads the recordings of `folders`, or the project's own if there are none. With the glob `only`, it loads
/// at least every recording that may match.
Result<recording::Corpus> load_recordings(const std::vector<std::string>& folders,
                                          const std::string& only = {});

/// Returns the options about cases and rules for a reproducer: " --strict --corpus mine".
std::string source_options(const Selection& selection, bool strict);

/// Prints the assumptions of loading a recording on standard error, with its file.
void warn(const recording::Recording& recording);

/// Prints "splitproof: FILE:LINE: WHAT; HINT" on standard error and returns exit code 2.
int complain(const Error& error);

/// Returns the event streams in a captured file. Prints on standard error what they were found in, and what is left
/// out.
Result<imports::ImportedFile> streams_in(const std::string& file, std::string bytes);

/// Prints on standard error the format that the streams were found in, and what is left out.
void report_wrapper(const std::string& file, const imports::ImportedFile& found);

}  // namespace splitproof::cli
