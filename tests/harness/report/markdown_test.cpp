#include "harness/report/markdown.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "harness/visible.hpp"

namespace splitproof::report::markdown::markdown_test {
namespace {

constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

// Characters with a meaning inside a line, without a backslash before them.
constexpr std::string_view kSpecial = "\\`*_[]<>|~&$@#!{}";

// CommonMark, section 2.4: a backslash before punctuation is hidden and removes its meaning.
std::string unescaped(const std::string& written) {
  std::string shown;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\\' && i + 1 < written.size() &&
        kPunctuation.find(written[i + 1]) != std::string_view::npos) {
      shown += written[++i];
      continue;
    }
    EXPECT_EQ(kSpecial.find(written[i]), std::string_view::npos) << written << " at " << i;
    EXPECT_FALSE(written.compare(i, 3, "://") == 0 || written.compare(i, 4, "www.") == 0) << written;
    shown += written[i];
  }
  return shown;
}

// CommonMark, section 6.1: text between two equal runs of backticks. One blank on either side is removed, unless all
// are blank.
std::string in_code_span(const std::string& written) {
  if (written.empty()) return "";
  const std::size_t ticks = written.find_first_not_of('`');
  EXPECT_NE(ticks, std::string::npos) << written;
  const std::string inside = written.substr(ticks, written.size() - 2 * ticks);
  std::size_t run = 0;
  for (const char c : inside + " ") {
    if (c != '`') {
      EXPECT_NE(run, ticks) << written;
    }
    run = c == '`' ? run + 1 : 0;
  }
  EXPECT_EQ(written, std::string(ticks, '`') + inside + std::string(ticks, '`'));
  EXPECT_TRUE(inside.front() != '`' && inside.back() != '`') << written;
  const bool blank = inside.find_first_not_of(' ') == std::string::npos;
  if (!blank && inside.size() > 1 && inside.front() == ' ' && inside.back() == ' ')
    return inside.substr(1, inside.size() - 2);
  return inside;
}

// GitHub's tables: a pipe ends a cell, unless it has an odd number of backslashes before it.
std::size_t pipes(const std::string& written) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\\')
      ++i;
    else if (written[i] == '|')
      ++count;
  }
  return count;
}

std::vector<std::string> hostile_texts() {
  std::vector<std::string> texts{"",
                                 " ",
                                 "`",
                                 "``",
                                 "` `",
                                 " a ",
                                 "a|b",
                                 "a\\|b",
                                 "\\",
                                 "a\\",
                                 "# x",
                                 "<script>alert(1)</script>",
                                 "![x](http://x/y)",
                                 "http://x.y",
                                 "www.x.y",
                                 "a@b.cd",
                                 "&lt;&#60;",
                                 "```\n# x\n```",
                                 "\n\n# x",
                                 "$x$",
                                 "~~x~~",
                                 "**x**",
                                 "<!--",
                                 "\r\n- x",
                                 "[x]: y",
                                 "\xFF\x1B",
                                 "\xE2\x9C\x93"};
  std::mt19937 random(7);
  constexpr std::string_view kAlphabet = "`|\\ a<>*_[]()!&#~$@:./w-\n\r\x1B\xFF\xE2\x9C\x93";
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    for (auto length = random() % 9; length > 0; --length) text += kAlphabet[random() % kAlphabet.size()];
    texts.push_back(text);
  }
  return texts;
}

TEST(Markdown, WordsShowTheirBytesAndNothingElse) {
  for (const std::string& bytes : hostile_texts()) {
    const std::string written = text(bytes);
    EXPECT_EQ(unescaped(written), visible(bytes));
    EXPECT_EQ(pipes(written), 0U) << written;
    EXPECT_EQ(written.find('\n'), std::string::npos);
  }
}

TEST(Markdown, CodeSpansShowTheirBytesAndNothingElse) {
  for (const std::string& bytes : hostile_texts()) {
    EXPECT_EQ(in_code_span(code(bytes)), visible(bytes));
    const std::string cell = code_cell(bytes);
    EXPECT_EQ(pipes(cell), 0U) << cell;
    EXPECT_EQ(cell.starts_with('`') ? in_code_span(cell) : unescaped(cell), visible(bytes));
  }
}

TEST(Markdown, CodeBlocksEndWhereTheyEnd) {
  for (const std::string& bytes : hostile_texts()) {
    const std::string written = block(bytes);
    const std::size_t ticks = written.find_first_not_of('`');
    ASSERT_GE(ticks, 3U);
    const std::string fence(ticks, '`');
    ASSERT_TRUE(written.starts_with(fence + "text\n") && written.ends_with("\n" + fence + "\n")) << written;
    std::string inside = written.substr(ticks + 5, written.size() - 2 * ticks - 6);
    EXPECT_EQ(inside.find(fence), std::string::npos) << written;
    std::erase(inside, '\n');
    EXPECT_EQ(inside, visible(bytes));
  }
  EXPECT_EQ(block("a\nb\n\nc"), "```text\na\\n\nb\\n\n\\n\nc\n```\n");
  EXPECT_EQ(lines_block("a\nb", "sh"), "```sh\na\nb\n```\n");
}

TEST(Markdown, WordsStayReadable) {
  EXPECT_EQ(text("At event 5 (message): it's 10-20% \"so\"."), "At event 5 (message): it's 10-20% \"so\".");
  EXPECT_EQ(code("a?b=c&d"), "`a?b=c&d`");
  EXPECT_EQ(fragment("ANT-05"), "ant-05");
  EXPECT_EQ(fragment("What was_said?"), "what-was_said");
}

}  // namespace
}  // namespace splitproof::report::markdown::markdown_test
