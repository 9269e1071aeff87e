#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::evidence {

/// The name of a manifest in the folder that a run's evidence is kept in.
inline constexpr std::string_view kManifest = "manifest.evidence.json";

/// What one run was, and which files of evidence it left. It is written when the run has ended, and whole: a folder without
/// one has evidence of a run that was broken off.
struct Manifest {
  struct File {
    std::string path;  ///< below the manifest's folder, with slashes
    std::string target;
    std::string recording;
    std::string round;
    std::size_t cases = 0;
    std::size_t bytes = 0;
    std::string digest;  ///< digest_of() its bytes

    bool operator==(const File&) const = default;
  };

  std::string version;  ///< of the program that ran
  std::string profile;
  std::map<std::string, std::string> contracts;  ///< digests, by file name
  std::vector<std::string> corpora;              ///< as a person would name them
  std::string options;                           ///< of the run, beside these
  std::uint64_t seed = 0;
  std::vector<std::string> targets;
  std::map<std::string, std::string> untested;  ///< why a target was not run to the end, by its name
  std::size_t unreadable = 0;                   ///< recordings that could not be loaded
  std::vector<File> files;                      ///< in the order of their paths

  bool operator==(const Manifest&) const = default;
};

/// Recognises a file's bytes: 16 hexadecimal digits. It tells what was mixed up or cut off, not what was forged.
std::string digest_of(std::string_view bytes);

/// One JSON object, a line for each file, as docs/evidence.md lays it down.
std::string to_text(const Manifest& manifest);

/// Reads it back. Strict: an Error says what is wrong. `path` is for messages.
Result<Manifest> parse_manifest(std::string_view text, const std::string& path);

}  // namespace splitproof::evidence
