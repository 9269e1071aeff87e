#include "harness/cli/visible_output.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace splitproof::cli::visible_output_test {
namespace {

std::string printed(const std::string& text, std::size_t cut, bool is_terminal) {
  std::ostringstream stream;
  {
    const VisibleOutput output(stream, is_terminal);
    stream << text.substr(0, cut) << text.substr(cut);
  }
  return stream.str();
}

void expect_printed(const std::string& text, const std::string& wanted, bool is_terminal = false) {
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    ASSERT_EQ(printed(text, cut, is_terminal), wanted) << "cut at " << cut;
}

TEST(VisibleOutput, LeavesTextAsItIs) {
  expect_printed("", "");
  expect_printed("one  two\n\n a::b ## [x] \xE2\x82\xAC\tend", "one  two\n\n a::b ## [x] \xE2\x82\xAC\tend");
}

TEST(VisibleOutput, ControlCharactersAreEscaped) {
  expect_printed(
      "a\033[31mb\rc\x7F\xC2\x9B"
      "d\xE2\x80\xAE\xFF\n",
      "a\\x1b[31mb\\rc\\x7f\\xc2\\x9bd\\xe2\\x80\\xae\\xff\n");
  expect_printed(std::string("\0\b", 2), "\\x00\\x08");
}

TEST(VisibleOutput, EscapesCommandsToGitHub) {
  expect_printed("::error::x\n \t::debug::y\nz ::warning\n",
                 "\\x3a:error::x\n \t\\x3a:debug::y\nz ::warning\n");
  expect_printed("a##[group]b\n##[endgroup]", "a\\x23#[group]b\n\\x23#[endgroup]");
}

TEST(VisibleOutput, TerminalGetsOnlyColoursAndErasedLines) {
  expect_printed("\r\033[K\033[1;31mred\033[0m\033[2J\033]0;title\a\n",
                 "\r\033[K\033[1;31mred\033[0m\\x1b[2J\\x1b]0;title\\x07\n", true);
}

TEST(VisibleOutput, FlushesLinesAndKeepsTheBeginningOfACharacter) {
  std::ostringstream stream;
  const VisibleOutput output(stream, false);
  stream << "one\ntwo \xE2\x82";
  EXPECT_EQ(stream.str(), "one\n");
  stream << "\xAC" << std::flush;
  EXPECT_EQ(stream.str(), "one\ntwo \xE2\x82\xAC");
}

}  // namespace
}  // namespace splitproof::cli::visible_output_test
