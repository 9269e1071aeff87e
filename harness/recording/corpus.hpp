#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::recording {

/// Suffix of files with a client's request.
inline constexpr std::string_view kRequestSuffix = ".req.json";

/// A client's request for a target (docs/recordings.md): its file, not read yet.
struct RequestFile {
  std::string id;  ///< like a recording's id
  std::string path;
};

/// Recordings found together, and errors.
struct Corpus {
  std::vector<Recording> recordings;  ///< by id, ascending; ids are unique
  std::vector<RequestFile> requests;  ///< by id, ascending; ids are unique
  std::vector<Error> errors;          ///< one for each unreadable folder or file
};

/// True if the text can be a recording's part of a case id. It must be visible text and must not look like an
/// option. It must not contain special characters of case ids, globs and expectation files.
bool can_be_id(std::string_view id);

/// Hint for an invalid name.
inline constexpr const char* kNameOfRecording =
    "rename it: no '-' at the beginning, and no spaces, quotes, control characters or any of ? * [ ] # &";

/// Loads every `*.rec.jsonl` below each of `folders`, and lists every `*.req.json`. An id is the path below
/// the folder, with `/`, without the suffix. A broken file affects only itself. An id that is invalid or
/// occurs in two folders is an error; the first folder's file is kept. With `wanted`, other ids are not read.
Corpus load_corpus(const std::vector<std::string>& folders,
                   const std::function<bool(const std::string& id)>& wanted = {});

}  // namespace splitproof::recording
