#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::selftest {

/// Returns the built-in contracts without some rules, in a folder of their own.
inline contract::Contracts without(const std::vector<std::string>& ids) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "fewer-rules";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& entry : std::filesystem::directory_iterator(contract::contract_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    std::string text = observe::file_bytes(entry.path());
    for (const std::string& id : ids) {
      if (const std::size_t at = text.find("  - id: " + id + "\n"); at != std::string::npos)
        text.erase(at, text.find("\n  - id: ", at) + 1 - at);
    }
    // Falsifiers name the rules that they trip, and some of these are gone.
    for (std::size_t at = text.find("falsifiers:"); at != std::string::npos;
         at = text.find("falsifiers:", at)) {
      const std::size_t end = std::min(text.find("\n  - id: ", at), text.size());
      text.erase(at, end - at);
    }
    // The same for `follows`.
    for (std::size_t at = text.find("    follows:"); at != std::string::npos;
         at = text.find("    follows:", at))
      text.erase(at, text.find("]\n", at) + 2 - at);
    std::ofstream(folder / entry.path().filename()) << text;
  }
  std::filesystem::copy(contract::contract_folder() / "profiles", folder / "profiles");
  return contract::Contracts::load({folder}).value();
}

}  // namespace splitproof::selftest
