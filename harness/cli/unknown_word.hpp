#pragma once

#include <string>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::cli {

/// Returns the error for an unknown word. It suggests a similar word. `all` describes how to see the known words; if it
/// is empty, the error lists them.
Error unknown_word(const std::string& kind, const std::string& word, const std::vector<std::string>& known,
                   const std::string& all = {});

/// Returns the error for an unknown protocol.
Error unknown_protocol(const std::string& word);

/// Returns the ids that are most like a glob, at most five. Ids that contain its text come first, then ids that differ
/// in few letters.
std::vector<std::string> closest_ids(const std::string& glob, const std::vector<std::string>& ids);

/// Returns the error if `--only` matches no id: "no recording matches --only 'plain'. Closest: text-plain".
Error nothing_matches(const std::string& kind, const std::string& glob, const std::vector<std::string>& ids,
                      const std::string& all);

}  // namespace splitproof::cli
