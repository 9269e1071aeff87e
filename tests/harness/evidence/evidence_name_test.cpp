#include "harness/evidence/evidence_name.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/manifest.hpp"

namespace splitproof::evidence::evidence_name_test {
namespace {

TEST(EvidenceName, IsReadable) {
  EXPECT_EQ(evidence_name("reference", "openai.chat/tool-plain", false),
            "reference/openai.chat/tool-plain.evidence.jsonl");
  EXPECT_EQ(evidence_name("reference", "openai.chat/tool-plain", true),
            "reference/openai.chat/tool-plain@statuses.evidence.jsonl");
  EXPECT_EQ(evidence_name("mutant:drop-last", "GLM-4/x", false),
            "mutant%3adrop-last/+g+l+m-4/x.evidence.jsonl");
  EXPECT_EQ(evidence_name("..", "../.x//\xE6/", false), "%2e./%2e./%2ex/%/%e6/%.evidence.jsonl");
  EXPECT_EQ(evidence_name("a.jsonl", "manifest.evidence.json/b.jsonl", false),
            "a%2ejsonl/manifest.evidence%2ejson/b.jsonl.evidence.jsonl");
}

// Returns all texts of up to three of these pieces, which caused colliding names.
std::vector<std::string> names() {
  const std::vector<std::string> pieces = {"a",
                                           "A",
                                           "/",
                                           "-",
                                           ".",
                                           ":",
                                           "%",
                                           "+",
                                           "@",
                                           "statuses",
                                           ".statuses",
                                           "@statuses",
                                           ".evidence.jsonl",
                                           ".json",
                                           "%2e",
                                           "\xC3"};
  std::set<std::string> all = {""};
  for (int length = 0; length < 3; ++length) {
    const std::set<std::string> shorter = all;
    for (const std::string& name : shorter)
      for (const std::string& piece : pieces) all.insert(name + piece);
  }
  return {all.begin(), all.end()};
}

std::string in_one_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TEST(EvidenceName, NeverStandsForTwo) {
  using Named = std::tuple<std::string, std::string, bool>;
  std::map<std::string, Named> files;
  std::set<std::string> folders;
  const auto add = [&](const Named& named) {
    const std::string path = evidence_name(std::get<0>(named), std::get<1>(named), std::get<2>(named));
    const auto [first, is_new] = files.try_emplace(in_one_case(path), named);
    EXPECT_TRUE(is_new || first->second == named) << path;
    for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
      folders.insert(in_one_case(path.substr(0, slash)));
  };
  std::size_t count = 0;
  for (const std::string& name : names()) {
    for (const bool statuses : {false, true}) {
      add({"t", name, statuses});
      add({name, "r", statuses});
      count += 2;
    }
  }
  for (const std::string& folder : folders) {
    EXPECT_EQ(files.count(folder), 0u) << folder << " is a folder and a file";
    EXPECT_NE(folder, kManifest);
    const std::string last = folder.substr(folder.rfind('/') + 1);
    EXPECT_FALSE(last.empty() || last[0] == '.') << folder;
    EXPECT_FALSE(last.ends_with(kSuffix)) << folder;
  }
  std::cout << count << " names\n";
  EXPECT_GT(count, 10000u);
}

}  // namespace
}  // namespace splitproof::evidence::evidence_name_test
