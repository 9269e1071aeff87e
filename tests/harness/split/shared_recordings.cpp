#include "tests/harness/split/shared_recordings.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace splitproof::split {
namespace {

std::filesystem::path shared_folder() {
  if (const char* named = std::getenv("SPLITPROOF_SHARED")) return named;
  if (const char* source_root = std::getenv("SPLITPROOF_SOURCE_ROOT")) {
    return std::filesystem::path(source_root).parent_path() / "shared";
  }
  return {};
}

std::vector<SharedBody> load() {
  std::vector<SharedBody> bodies;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::directory_iterator(shared_folder() / "recordings/openai-chat", missing)) {
    if (entry.path().extension() != ".sse") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    bodies.push_back({entry.path().stem().string(), std::string(std::istreambuf_iterator<char>(file), {})});
  }
  std::sort(bodies.begin(), bodies.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return bodies;
}

}  // namespace

const std::vector<SharedBody>& shared_chat_bodies() {
  static const std::vector<SharedBody> kBodies = load();
  return kBodies;
}

}  // namespace splitproof::split
