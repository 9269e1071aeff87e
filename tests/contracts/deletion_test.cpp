// Compares an examination of a clause with the contract without it: the same file with its lines deleted.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/falsify/examination.hpp"
#include "tests/contracts/built_in.hpp"

namespace splitproof::falsify::deletion_test {
namespace {

namespace fs = std::filesystem;

using contract::Obligation;

constexpr std::size_t kStep = 9;  // one of this many clauses is deleted

struct Deleted {
  const Obligation* rule;
  std::size_t clause;
};

// Returns clauses of rules with several clauses.
std::vector<Deleted> some_clauses() {
  std::vector<Deleted> some;
  std::size_t number = 0;
  for (const Obligation* rule : contract::built_in_contracts().obligations()) {
    for (std::size_t clause = 0; rule->clauses.size() > 1 && clause < rule->clauses.size(); ++clause) {
      if (number++ % kStep == 0) some.push_back({rule, clause});
    }
  }
  return some;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t indent_of(const std::string& line) { return line.find_first_not_of(' '); }

// Removes a list item from a file: its lines up to the next line with the same or less indentation.
std::string without_item(const fs::path& file, std::size_t line) {
  std::vector<std::string> lines = lines_of(file);
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(line - 1);
  const std::size_t indent = indent_of(*begin);
  EXPECT_EQ(begin->substr(indent, 2), "- ");
  const auto end =
      std::find_if(begin + 1, lines.end(), [&](const std::string& one) { return indent_of(one) <= indent; });
  lines.erase(begin, end);
  std::string text;
  for (const std::string& one : lines) text += one + "\n";
  return text;
}

// Examines the rules whose ids fit `only`; empty: all.
Examination examined(const contract::Contracts& contracts, const fs::path& folder, const std::string& only) {
  auto made = examine(contracts, folder, contract::default_profile(), {}, only);
  if (!made) throw std::runtime_error(describe(made.error()));
  return std::move(*made);
}

bool has_failing_falsifier(const Examination& examination) {
  return std::any_of(examination.objections.begin(), examination.objections.end(), [](const Objection& one) {
    return one.what.find(" should violate ") != std::string::npos;
  });
}

TEST(Deletion, OfAClauseFailsAFalsifierJustWhereItIsShown) {
  const fs::path built_in = contract::contract_folder();
  const fs::path folder = fs::path(testing::TempDir()) / "a-clause-less" / "contracts";
  fs::remove_all(folder.parent_path());
  fs::create_directories(folder);
  for (const char* below : {"falsifiers", "profiles", "self-test"})
    fs::create_directory_symlink(built_in / below, folder / below);
  fs::create_directory_symlink(built_in.parent_path() / "corpus", folder.parent_path() / "corpus");
  for (const auto& entry : fs::directory_iterator(built_in))
    if (entry.path().extension() == ".yaml") fs::copy_file(entry.path(), folder / entry.path().filename());
  const Examination whole = examined(contract::built_in_contracts(), built_in, "");
  std::set<bool> seen;
  for (const Deleted& deleted : some_clauses()) {
    const Obligation* rule = deleted.rule;
    const std::size_t clause = deleted.clause;
    SCOPED_TRACE(rule->id + ", clause " + std::to_string(clause + 1));
    const bool shown = std::none_of(
        whole.objections.begin(), whole.objections.end(),
        [&](const Objection& one) { return one.file == rule->file && one.line == rule->clauses[clause]; });
    const fs::path file = folder / fs::path(rule->file).filename();
    std::ofstream(file) << without_item(rule->file, rule->clauses[clause]);
    const auto fewer = contract::Contracts::load({folder});
    ASSERT_TRUE(fewer) << describe(fewer.error());
    EXPECT_EQ(has_failing_falsifier(examined(*fewer, folder, rule->id)), shown);
    fs::copy_file(rule->file, file, fs::copy_options::overwrite_existing);
    seen.insert(shown);
  }
  EXPECT_FALSE(seen.empty());
}

}  // namespace
}  // namespace splitproof::falsify::deletion_test
