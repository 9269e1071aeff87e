#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::recording {

/// The end of the name of a file with a client's request.
inline constexpr std::string_view kRequestSuffix = ".req.json";

/// A client's request that a target is to carry (docs/recordings.md): its file, not read yet.
struct RequestFile {
  std::string id;  ///< as a recording's
  std::string path;
};

/// Recordings found together, and why others could not be.
struct Corpus {
  std::vector<Recording> recordings;  ///< by id, ascending; ids are unique
  std::vector<RequestFile> requests;  ///< likewise
  std::vector<Error> errors;          ///< one for each folder or file that is missing from `recordings`
};

/// True if text can be the recording's part of a case id: it is visible text, no command takes it for an option, and it has
/// no character that means something of its own in a case id, a glob or an expectation file.
bool can_be_id(std::string_view id);

/// The hint for a name that cannot.
inline constexpr const char* kNameOfRecording =
    "rename it: no '-' at the beginning, and no spaces, quotes, control characters or any of ? * [ ] # &";

/// Loads every `*.rec.jsonl` below each of `folders`, and names every `*.req.json`. An id is the path below its folder, with `/`, without
/// the suffix. A broken file costs nothing but itself. An id that two folders share, or that could not be
/// written in a case id, is an error; of two files the first folder's is kept.
/// With `wanted`, recordings whose id it does not want are not read.
Corpus load_corpus(const std::vector<std::string>& folders,
                   const std::function<bool(const std::string& id)>& wanted = {});

}  // namespace splitproof::recording
