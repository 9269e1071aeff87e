#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace splitproof::observe {

/// The recorded provider streams that tests may run over: SPLITPROOF_SHARED, else `../shared` beside the
/// source tree. Empty where there are none.
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
  std::string name;  ///< below the recordings, as "anthropic-messages/x.sse"
  std::string body;
  std::string meta;  ///< the text of its .meta.json
};

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// All `.sse` files of one protocol's folder, sorted by name.
inline std::vector<SharedStream> shared_streams(const std::string& protocol) {
  std::vector<SharedStream> streams;
  for (const auto& entry : std::filesystem::directory_iterator(shared_recordings() / protocol)) {
    if (entry.path().extension() != ".sse") continue;
    streams.push_back({protocol + "/" + entry.path().filename().string(), file_bytes(entry.path()),
                       file_bytes(std::filesystem::path(entry.path()).replace_extension(".meta.json"))});
  }
  std::sort(streams.begin(), streams.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return streams;
}

}  // namespace splitproof::observe
