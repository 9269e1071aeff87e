#include "tests/docs/example_page.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

#include "harness/recording/recording.hpp"
#include "tests/corpus/reference_campaign.hpp"

namespace splitproof::campaign {
namespace {

std::string page(const std::string& name) {
  std::ifstream file(source_root() / "docs" / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the text from a heading to the next heading of the same level.
std::string section(const std::string& text, const std::string& heading) {
  const std::size_t begin = text.find("\n" + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << "there is no heading " << heading;
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find("\n## ", begin + heading.size()) - begin);
}

// Returns the words in backticks of a part of a line.
std::vector<std::string> quoted_words(const std::string& text) {
  static const std::regex kWord("`([^`]+)`");
  std::vector<std::string> words;
  for (std::sregex_iterator word(text.begin(), text.end(), kWord), end; word != end; ++word)
    words.push_back((*word)[1]);
  return words;
}

}  // namespace

ExamplePage::ExamplePage(const std::string& file, const std::string& heading)
    : text_(section(page(file), heading)),
      contracts_(contract::Contracts::load({source_root() / "contracts"}).value()),
      profile_(contract::load_profile("default", {source_root() / "contracts"}).value()) {}

Ids ExamplePage::findings(const testee::Testee& testee, const std::string& name, const Trials& trials,
                          unsigned jobs) const {
  const auto loaded =
      recording::load((source_root() / "corpus" / "openai.chat" / (name + ".rec.jsonl")).string());
  if (!loaded) {
    ADD_FAILURE() << describe(loaded.error());
    return {};
  }
  recording::Recording recording = *loaded;
  recording.id = "openai.chat/" + name;
  CampaignSettings settings;
  settings.testees = {&testee};
  settings.recordings = {&recording};
  settings.contracts = &contracts_;
  settings.profile = profile_;
  settings.trials = trials;
  settings.jobs = jobs;
  Ids found;
  const auto results = run(
      settings, [](const CampaignProgress&) {}, [] { return false; });
  EXPECT_EQ(results.recordings.size(), 1U);
  for (const RecordingResult& result : results.recordings) {
    EXPECT_GT(result.cases, 10U);
    EXPECT_GT(judged(result), 10U);
    for (const Row& row : result.rows) {
      if (row.verdict == contract::Verdict::violated && row.level == contract::Level::must)
        found.insert(row.rule);
    }
  }
  return found;
}

void ExamplePage::expect_to_conform(const std::string& sentence, const Find& find) const {
  const std::size_t begin = text_.find(sentence);
  ASSERT_NE(begin, std::string::npos);
  const auto names = quoted_words(text_.substr(begin, text_.find('.', begin) - begin));
  EXPECT_GE(names.size(), 5U);
  for (const std::string& name : names) EXPECT_EQ(find(name), Ids()) << name;
}

void ExamplePage::expect_to_be_found_out(const std::function<std::size_t(const std::string& row)>& end,
                                         const Find& find) const {
  const std::size_t begin = text_.find("| recording | found |");
  ASSERT_NE(begin, std::string::npos);
  std::istringstream lines(text_.substr(begin));
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line) && line.starts_with("|");) {
    const std::vector<std::string> words = quoted_words(line.substr(0, end(line)));
    if (words.empty()) continue;  // the table's head
    ++rows;
    EXPECT_GT(words.size(), 1U);
    const Ids found = find(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i)
      EXPECT_EQ(found.count(words[i]), 1U) << words[0] << " is not found to violate " << words[i];
  }
  EXPECT_GE(rows, 5U);
}

}  // namespace splitproof::campaign
