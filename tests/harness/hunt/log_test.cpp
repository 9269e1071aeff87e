#include "harness/hunt/log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace splitproof::hunt::log_test {
namespace {

class Log : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::path(testing::TempDir()) /
             testing::UnitTest::GetInstance()->current_test_info()->name())
                .string();
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path_).rdbuf();
    return all.str();
  }

  static LogHeading heading() { return {"fake", "anthropic.messages", "shapes", 7, "", "abc", true}; }

  static KeptCase kept(std::size_t number, const std::string& id) {
    return {number, campaign::parse_case(id).value(), {3, 0xFFFFFFFFFFFFFFFF}, "ANT-05/0"};
  }

  std::string path_;
};

TEST_F(Log, ReopenedLogHasTheSameCases) {
  const KeptCase first = kept(1, "openai.chat/text-plain?client=anthropic.messages&gen=whole");
  const KeptCase second = kept(40, "openai.chat/text-plain?client=anthropic.messages&edit=drop:1&cuts=4,9");
  {
    auto log = SearchLog::open(path_, heading());
    ASSERT_TRUE(log) << log.error().what;
    EXPECT_TRUE(log->keep(first));
    EXPECT_TRUE(log->reach(30));
    EXPECT_TRUE(log->keep(second));
    EXPECT_TRUE(log->reach(55));
  }
  const auto again = SearchLog::open(path_, heading());
  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(again->kept(), (std::vector{first, second}));
  EXPECT_EQ(again->cases(), 55U);
}

TEST_F(Log, EveryCutOfTheFileCanBeContinued) {
  {
    auto log = SearchLog::open(path_, heading());
    for (std::size_t number = 1; number < 4; ++number)
      EXPECT_TRUE(log->keep(kept(number, "a/b?client=anthropic.messages&gen=bytes")));
  }
  const std::string whole = text();
  const std::size_t heading_end = whole.find('\n') + 1;
  for (std::size_t size = heading_end; size <= whole.size(); ++size) {
    std::ofstream(path_, std::ios::trunc) << whole.substr(0, size);
    auto log = SearchLog::open(path_, heading());
    ASSERT_TRUE(log) << size << log.error().what;
    EXPECT_LE(log->kept().size(), 3U);
    EXPECT_EQ(log->cases(), log->kept().size());
    EXPECT_TRUE(log->keep(kept(9, "a/b?client=anthropic.messages&gen=bytes")));
    const auto again = SearchLog::open(path_, heading());
    ASSERT_TRUE(again) << size << again.error().what;
    EXPECT_EQ(again->kept().size(), log->kept().size());
  }
}

TEST_F(Log, OtherSettingIsNamed) {
  ASSERT_TRUE(SearchLog::open(path_, heading()));
  LogHeading other = heading();
  other.seed = 8;
  const auto refused = SearchLog::open(path_, other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "is of a search with another seed");
  EXPECT_EQ(refused.error().line, 1U);
}

TEST_F(Log, WrongLineIsNamed) {
  ASSERT_TRUE(SearchLog::open(path_, heading()));
  std::ofstream(path_, std::ios::app) << "{\"number\":1,\"case\":\"?\",\"violations\":\"\",\"new\":[]}\n";
  const auto refused = SearchLog::open(path_, heading());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().line, 2U);
}

TEST_F(Log, WithoutPathNothingIsWritten) {
  auto log = SearchLog::open("", heading());
  ASSERT_TRUE(log);
  EXPECT_TRUE(log->keep(kept(1, "a/b")));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace splitproof::hunt::log_test
