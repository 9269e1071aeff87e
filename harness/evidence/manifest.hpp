#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::evidence {

/// File name of the manifest in a run's evidence folder.
inline constexpr std::string_view kManifest = "manifest.evidence.json";

/// A run and its evidence files. It is written completely after the run, so a folder without it belongs to an
/// interrupted run.
struct Manifest {
  struct File {
    std::string path;  ///< Relative to the manifest's folder, with slashes.
    std::string target;
    std::string recording;
    std::string round;
    std::size_t cases = 0;
    std::size_t bytes = 0;
    std::string digest;  ///< digest_of() of its bytes.

    bool operator==(const File&) const = default;
  };

  std::string version;  ///< Version of splitproof.
  std::string profile;
  std::map<std::string, std::string> contracts;  ///< Digests, by file name.
  std::vector<std::string> corpora;              ///< Names for people.
  std::string options;                           ///< Other options of the run.
  std::uint64_t seed = 0;
  std::vector<std::string> targets;
  std::map<std::string, std::string> untested;  ///< Reason why a target was not run to the end, by its name.
  std::size_t unreadable = 0;                   ///< Recordings that could not be loaded.
  std::vector<File> files;                      ///< By path.
  std::string plan = {};              ///< Digest of the plan of a run in shards; empty: it had none.
  std::size_t of = 0;                 ///< Number of its shards.
  std::set<std::size_t> shards = {};  ///< Shards with evidence here, from 1.

  bool operator==(const Manifest&) const = default;
};

/// Returns a digest of 16 hexadecimal digits. It detects mixed-up and truncated files, not forgery.
std::string digest_of(std::string_view bytes);

/// Returns one JSON object with a line for each file, in the format of contracts/specifications/evidence.md.
std::string to_text(const Manifest& manifest);

/// Parses the text strictly. The Error names the defect. `path` is for messages.
Result<Manifest> parse_manifest(std::string_view text, const std::string& path);

}  // namespace splitproof::evidence
