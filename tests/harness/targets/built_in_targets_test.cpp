#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "harness/testee/target_file.hpp"

namespace splitproof::testee::built_in_targets_test {
namespace {

namespace fs = std::filesystem;

fs::path source_root() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return root == nullptr ? fs::current_path() : fs::path(root);
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string page() { return content_of(source_root() / "docs/targets.md"); }

// Returns all targets that load. A test reports the others as failures.
std::vector<TargetFile> built_in() {
  std::vector<TargetFile> targets;
  for (const fs::directory_entry& entry : fs::directory_iterator(source_root() / "harness/targets")) {
    const Result<TargetFile> target = load_target_file(entry.path().string());
    if (target) {
      targets.push_back(*target);
    } else {
      ADD_FAILURE() << entry.path() << ":" << target.error().line << ": " << target.error().what;
    }
  }
  EXPECT_FALSE(targets.empty());
  return targets;
}

// Returns all texts of a target with names in braces to fill in.
std::vector<std::string> filled_texts(const TargetFile& target) {
  std::vector<std::string> texts = target.command;
  for (const auto& [path, text] : target.files) texts.insert(texts.end(), {path, text});
  for (const auto& [name, text] : target.env) texts.push_back(text);
  texts.insert(texts.end(), {target.install, target.version, target.listen});
  const Places places{"/the/dir", "/the/home", "40001", "http://127.0.0.1:40002", "40002"};
  for (std::string& text : texts) text = filled(text, places);
  return texts;
}

TEST(BuiltInTargets, AreNamedAsTheirFiles) {
  for (const TargetFile& target : built_in())
    EXPECT_EQ(fs::path(target.path).filename().string(), target.name + ".yaml");
}

// The user of the suite starts them, so no other user may reach them.
TEST(BuiltInTargets, ServeThisMachineOnAPortThatWasFree) {
  for (const TargetFile& target : built_in()) {
    if (target.kind == TargetFile::Kind::http) {
      EXPECT_EQ(target.listen, "http://127.0.0.1:{port}") << target.name;
    }
    for (const std::string& text : filled_texts(target)) {
      EXPECT_EQ(text.find("0.0.0.0"), std::string::npos) << target.name << ": " << text;
      EXPECT_EQ(text.find("[::]"), std::string::npos) << target.name << ": " << text;
    }
  }
}

// A misspelt name would reach the target unchanged.
TEST(BuiltInTargets, LeaveNoNameInBraces) {
  const std::regex name(R"(\{[a-z_]+\})");
  for (const TargetFile& target : built_in()) {
    for (const std::string& text : filled_texts(target))
      EXPECT_FALSE(std::regex_search(text, name)) << target.name << ": " << text;
  }
}

TEST(BuiltInTargets, TellWhatWasTested) {
  for (const TargetFile& target : built_in()) EXPECT_NE(target.version, "") << target.name;
}

// The installed version is always the same, and the page names it.
TEST(BuiltInTargets, PinTheirVersions) {
  const std::regex pin(R"(npm install .* \S+@(\d+\.\d+\.\d+))");
  const std::string text = page();
  for (const TargetFile& target : built_in()) {
    EXPECT_NE(text.find("| `" + target.name + "` |"), std::string::npos)
        << "docs/targets.md lacks " << target.name;
    if (target.install.find("npm") == std::string::npos) continue;  // nginx is the machine's own
    std::smatch found;
    ASSERT_TRUE(std::regex_match(target.install, found, pin)) << target.install;
    EXPECT_NE(text.find(found.str(1)), std::string::npos) << "docs/targets.md lacks " << target.install;
  }
}

// Returns the blocks of the page whose fence names a file.
std::map<std::string, std::string> examples_of_page() {
  std::map<std::string, std::string> examples;
  std::string open;
  std::istringstream lines(page());
  for (std::string line; std::getline(lines, line);) {
    if (!open.empty() && line == "```") {
      open.clear();
    } else if (!open.empty()) {
      examples[open] += line + "\n";
    } else if (line.rfind("```yaml ", 0) == 0) {
      open = line.substr(8);
    }
  }
  return examples;
}

TEST(TargetsPage, ShowsFilesThatLoad) {
  const std::map<std::string, std::string> examples = examples_of_page();
  EXPECT_GE(examples.size(), 2U);
  for (const auto& [name, text] : examples) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path, std::ios::binary) << text;
    const Result<TargetFile> target = load_target_file(path);
    EXPECT_TRUE(target) << name << ":" << target.error().line << ": " << target.error().what;
    if (target) {
      EXPECT_EQ(target->name + ".yaml", name);
    }
  }
}

}  // namespace
}  // namespace splitproof::testee::built_in_targets_test
