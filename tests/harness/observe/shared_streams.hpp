#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace splitproof::observe {

/// Returns the folder of recorded provider streams for tests: SPLITPROOF_SHARED, or `../shared` next to the source
/// tree. Empty without one.
inline std::filesystem::path shared_recordings() {
  std::filesystem::path shared;
  if (const char* given = std::getenv("SPLITPROOF_SHARED")) {
    shared = given;
  } else if (const char* source = std::getenv("SPLITPROOF_SOURCE_ROOT")) {
    shared = std::filesystem::path(source).parent_path() / "shared";
  }
  const auto recordings = shared / "recordings";
  return std::filesystem::is_directory(recordings) ? recordings : std::filesystem::path();
}

struct SharedStream {
  std::string name;  ///< path below the recordings, such as "anthropic-messages/x.sse"
  std::string body;
  std::string meta;  ///< the text of its .meta.json
};

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Returns all `.sse` files of one protocol's folder, sorted by name; empty without such a folder.
inline std::vector<SharedStream> shared_streams(const std::string& protocol) {
  std::vector<SharedStream> streams;
  if (!std::filesystem::is_directory(shared_recordings() / protocol)) return streams;
  for (const auto& entry : std::filesystem::directory_iterator(shared_recordings() / protocol)) {
    if (entry.path().extension() != ".sse") continue;
    streams.push_back({protocol + "/" + entry.path().filename().string(), file_bytes(entry.path()),
                       file_bytes(std::filesystem::path(entry.path()).replace_extension(".meta.json"))});
  }
  std::sort(streams.begin(), streams.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return streams;
}

/// Returns the folder of a protocol's broken streams for clients, below the folder of all broken streams.
inline std::string folder_of_broken(const std::string& protocol) {
  if (protocol == "openai.responses") return "responses";
  return protocol.substr(0, protocol.find('.'));
}

/// Returns a stream's name in contracts/clients: "dup-message-start" for "02_dup_message_start.sse". Names of Responses
/// have a prefix, "responses-args-empty", because profiles name streams of several protocols.
inline std::string name_of_broken(const std::string& protocol, const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  std::string name = stem.substr(stem.find('_') + 1);
  std::replace(name.begin(), name.end(), '_', '-');
  return (protocol == "openai.responses" ? "responses-" : "") + name;
}

}  // namespace splitproof::observe
