#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace splitproof {

/// Returns bodies of JSON lines: the project's own, each with a frequent source of errors, and recordings if there are
/// any. The latter are under `recordings` in the folder SPLITPROOF_SHARED, or in `../shared` next to the source root.
inline std::vector<std::string> json_line_bodies() {
  std::vector<std::string> bodies = {
      "",
      "\n",
      "\r\n",
      "{}",
      "{}\n",
      "{}\r",
      "{}\r\n{}\r\n",
      "{\"a\":\r1}\n",
      " \t\r\n[1,2]\n\n \n{\"b\":\"\xF0\x9F\x98\x80\"}\r\n",
      "{\"a\":\"\\ud83d\\ude00 \\\\n\"}\n{\"done\":true}",
      "{\"a\":\"\xE2\x82\xAC\"}\n{\"b\":\"\xE2\x82",
      "\xEF\xBB\xBF{\"a\":-1.5e3}\n",
      "\xEF\xBB\xBF\n{\"a\":\xFF}\n{\"t\":null}\n",
      "{\"a\":1}\r\r\n\r\n\r{\"b\":false}\n",
  };
  std::filesystem::path shared;
  if (const char* named = std::getenv("SPLITPROOF_SHARED")) {
    shared = named;
  } else if (const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT")) {
    shared = std::filesystem::path(root).parent_path() / "shared";
  }
  std::error_code missing;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared / "recordings", missing)) {
    if (entry.path().extension() != ".ndjson") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    bodies.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return bodies;
}

}  // namespace splitproof
