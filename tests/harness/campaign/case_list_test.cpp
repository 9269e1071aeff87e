#include "harness/campaign/case_list.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/campaign/variations.hpp"
#include "project.hpp"

namespace splitproof::campaign::case_list_test {
namespace {

const std::string kClient = "anthropic.messages";
const std::string kPlain = "openai.chat/text-plain?client=anthropic.messages";

std::string error_of(const std::string& text) {
  const auto list = CaseList::parse(text, "list.txt");
  if (!list) return describe(list.error());
  const auto checked = list->check(project().corpus.recordings);
  return checked ? "" : describe(checked.error());
}

// Returns the ids of the cases that the list makes of a recording.
std::vector<std::string> planned_ids(const std::string& text, const std::string& recording,
                                     Round round = Round::exact) {
  Trials trials;
  trials.round = round;
  trials.listed = std::make_shared<const CaseList>(CaseList::parse(text, "list.txt").value());
  std::vector<std::string> ids;
  for_each_variation(project().recording(recording), kClient, trials, "", [&](const Variation& variation) {
    return variation.for_each_case([&](const Case& one, const split::Cuts&) {
      ids.push_back(to_string(one));
      return true;
    });
  });
  return ids;
}

TEST(CaseList, CommentsAndBlankLinesAreIgnored) {
  const auto list = CaseList::parse("# one\n\n  " + kPlain + "&gen=whole \r\n\t# two\n" + kPlain, "list.txt");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->entries().size(), 2U);
  EXPECT_EQ(list->entries()[0].line, 3U);
  EXPECT_EQ(list->entries()[1].line, 5U);
}

TEST(CaseList, WrongIdIsNamedWithItsLine) {
  EXPECT_EQ(
      error_of(kPlain + "\n\n" + kPlain + "&gen=seem:1\n").find("list.txt:3: 'gen=seem:1' names no split"),
      0U);
  EXPECT_EQ(error_of("nothing/here\n").find("list.txt:1: there is no recording 'nothing/here'"), 0U);
  EXPECT_EQ(error_of(kPlain + "\n" + kPlain + "&cuts=999999\n").find("list.txt:2: "), 0U);
  EXPECT_EQ(error_of(kPlain + "&edit=drop:99\n").find("list.txt:1: this body has no edit drop:99"), 0U);
  EXPECT_EQ(error_of("openai.chat/text-plain?client=nobody\n").find("list.txt:1: 'nobody' is no protocol"),
            0U);
  EXPECT_EQ(error_of(kPlain + "&act=idle-close\n").find("list.txt:1: a list cannot have a case with an act"),
            0U);
  EXPECT_EQ(error_of("# nothing\n").find("list.txt: has no case"), 0U);
}

TEST(CaseList, CasesAreGroupedByBody) {
  const std::vector<std::string> ids =
      planned_ids(kPlain + "&gen=whole\n" + kPlain + "&edit=drop:1&gen=whole\n" + kPlain + "&gen=bytes\n" +
                      kPlain + "&edit=drop:1&cuts=3,9\n" + kPlain + "&fault=close@10\n" + kPlain +
                      "&turn=2\n" + "openai.chat/tool-plain?client=anthropic.messages\n",
                  "openai.chat/text-plain");
  EXPECT_EQ(ids, (std::vector<std::string>{
                     kPlain + "&gen=whole", kPlain + "&gen=bytes", kPlain + "&edit=drop:1&gen=whole",
                     kPlain + "&edit=drop:1&cuts=3,9", kPlain + "&fault=close@10", kPlain + "&turn=2"}));
}

TEST(CaseList, CaseOfAClientUnderTestIsRead) {
  const auto list = CaseList::parse("openai.chat/text-plain?client=answer&gen=recorded\n", "list.txt");
  ASSERT_TRUE(list) << describe(list.error());
  EXPECT_EQ(list->entries()[0].one.client, "answer");
}

TEST(CaseList, CaseOfAnotherClientIsLeftOut) {
  EXPECT_TRUE(
      planned_ids("openai.chat/text-plain?client=openai.responses\n", "openai.chat/text-plain").empty());
  EXPECT_EQ(planned_ids("openai.chat/text-plain\n", "openai.chat/text-plain"),
            std::vector<std::string>{kPlain + "&gen=recorded"});
}

TEST(CaseList, StatusesHaveTheirOwnRoundOverHttp) {
  const std::string text = kPlain + "&fault=status:503\n" + kPlain + "&gen=whole\n";
  EXPECT_EQ(planned_ids(text, "openai.chat/text-plain", Round::over_http),
            std::vector<std::string>{kPlain + "&gen=whole"});
  EXPECT_EQ(planned_ids(text, "openai.chat/text-plain", Round::statuses),
            std::vector<std::string>{kPlain + "&fault=status:503"});
  EXPECT_EQ(planned_ids(text, "openai.chat/text-plain").size(), 2U);
}

}  // namespace
}  // namespace splitproof::campaign::case_list_test
