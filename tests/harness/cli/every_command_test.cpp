// Every command helps with its --help, without arguments, with a wrong argument, and with a near miss.
//
// kCommands has a row for each command. A new command needs a row, or the first test fails.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::every_command_test {
namespace {

struct CommandRow {
  std::string name;
  /// What one line of standard error says without any argument; empty: the command runs without arguments.
  std::string needs;
  /// A misspelt option, and the option that the error suggests.
  std::string misspelt;
  std::string suggested;
  bool has_json = false;  ///< It prints findings or a list, so programs can read them.
};

const std::vector<CommandRow> kCommands = {
    {"try", "neither a command nor --url is given", "--ony", "--only", true},
    {"doctor", "neither a command nor --url is given", "--modle", "--model", true},
    {"run", "", "--spilts", "--splits", true},
    {"check", "FILE is required", "--srict", "--strict", true},
    {"decode", "FILE is required", "--ass", "--as"},
    {"replay", "CASE is required", "--downstraem", "--downstream", true},
    {"shrink", "CASE is required", "--triess", "--tries", true},
    {"fuzz", "", "--ungided", "--unguided", true},
    {"distil", "RESULTS is required", "--rnus", "--runs"},
    {"prove", "", "--onyl", "--only", true},
    {"upstream", "CASE is required", "--lisen", "--listen"},
    {"explain", "ID is required", "--contract", "--contracts", true},
    {"list", "WHAT is required", "--ony", "--only", true},
    {"import", "is required", "--protocl", "--protocol"},
    {"judge", "EVIDENCE is required", "--reprot", "--report", true},
    {"merge", "REPORT is required", "--partail", "--partial", true},
    {"diff", "OLD is required", "--srict", "--strict", true},
    {"self-test", "", "--ony", "--only", true},
    {"falsify", "", "--ony", "--only", true},
    {"record", "--to is missing", "--lisen", "--listen"},
    {"export", "is required", "--hepl", "--help"},
    {"ui", "", "--prot", "--port"},
};

// The commands of the help, in its order.
std::vector<std::string> commands_of_the_help() {
  std::vector<std::string> names;
  bool lists = false;
  for (const std::string& line : lines_of(splitproof({"--help"}).out)) {
    if (line.starts_with("Subcommands:") || line.starts_with("SUBCOMMANDS:")) lists = true;
    if (lists && line.empty()) break;
    if (lists && line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

// The rows of the commands that this program has.
std::vector<CommandRow> rows() {
  const std::vector<std::string> names = commands_of_the_help();
  std::vector<CommandRow> rows;
  for (const CommandRow& row : kCommands)
    if (std::find(names.begin(), names.end(), row.name) != names.end()) rows.push_back(row);
  return rows;
}

void expect_one_line(const Finished& finished, const std::vector<std::string>& parts) {
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(lines_of(finished.err).size(), 1U) << finished.err;
  EXPECT_TRUE(finished.err.starts_with("splitproof: ")) << finished.err;
  for (const std::string& part : parts)
    EXPECT_NE(finished.err.find(part), std::string::npos) << part << "\n" << finished.err;
}

TEST(EveryCommand, HasARowInThisTable) {
  const std::vector<std::string> names = commands_of_the_help();
  EXPECT_GE(names.size(), 16U);
  for (const std::string& name : names) {
    const bool has_row = std::any_of(kCommands.begin(), kCommands.end(),
                                     [&](const CommandRow& row) { return row.name == name; });
    EXPECT_TRUE(has_row) << "The command '" << name << "' has no row in kCommands of " << __FILE__
                         << ": add what it says without arguments, a misspelt option, and its --json.";
  }
}

TEST(EveryCommand, HelpHasAnExample) {
  for (const CommandRow& row : rows()) {
    SCOPED_TRACE(row.name);
    const Finished help = splitproof({row.name, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("Example:\n  splitproof " + row.name), std::string::npos) << help.out;
    EXPECT_EQ(splitproof({"help", row.name}).out, help.out);
  }
}

TEST(EveryCommand, WithoutArgumentsSaysWhatIsMissing) {
  for (const CommandRow& row : rows()) {
    SCOPED_TRACE(row.name);
    if (!row.needs.empty()) expect_one_line(splitproof({row.name}), {row.needs});
  }
}

TEST(EveryCommand, WrongArgumentIsNamed) {
  for (const CommandRow& row : rows()) {
    SCOPED_TRACE(row.name);
    expect_one_line(splitproof({row.name, "--no-such-option"}),
                    {"there is no option '--no-such-option'", "splitproof " + row.name + " --help"});
  }
}

TEST(EveryCommand, NearMissGetsASuggestion) {
  for (const CommandRow& row : rows()) {
    SCOPED_TRACE(row.name);
    expect_one_line(splitproof({row.name, row.misspelt}), {"did you mean " + row.suggested + "?"});
    const std::string misspelt = row.name.substr(0, row.name.size() - 1) + "~";
    expect_one_line(splitproof({misspelt}), {"there is no command '" + misspelt + "'"});
    expect_one_line(splitproof({misspelt, "--help"}), {"there is no command '" + misspelt + "'"});
    expect_one_line(splitproof({"help", misspelt}), {"there is no command '" + misspelt + "'"});
  }
}

TEST(EveryCommand, PrintsFindingsAndListsAsJson) {
  for (const CommandRow& row : rows()) {
    SCOPED_TRACE(row.name);
    const std::string help = splitproof({row.name, "--help"}).out;
    EXPECT_EQ(help.find("--json") != std::string::npos, row.has_json) << help;
  }
}

TEST(EveryCommand, HelpWithoutACommandListsAllCommands) {
  const Finished help = splitproof({"help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, splitproof({"--help"}).out);
}

}  // namespace
}  // namespace splitproof::cli::every_command_test
