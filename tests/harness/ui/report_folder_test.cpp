#include "harness/ui/report_folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace splitproof::ui::report_folder_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHead = "{\"splitproof\":\"1\",\"targets\":[\"proxy\"]}\n";
constexpr const char* kLast =
    "{\"verdict\":\"VIOLATES\",\"recordings\":1,\"cases\":7,\"not_exercised\":2,\"findings\":3}\n";

class ReportFolderTest : public testing::Test {
 protected:
  ReportFolderTest() {
    std::string name = (fs::temp_directory_path() / "reports-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ReportFolderTest() override { fs::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary | std::ios::app) << text;
  }
  static std::string row(const std::string& recording, const std::string& rule, const std::string& verdict) {
    return "{\"target\":\"proxy\",\"recording\":\"" + recording + "\",\"obligation\":\"" + rule +
           "\",\"level\":\"must\",\"verdict\":\"" + verdict + "\",\"message\":\"wrong\"}\n";
  }

  fs::path path_;
};

TEST_F(ReportFolderTest, OnlyReportsAreListedAndRunningOnesComeFirst) {
  write("done.jsonl", std::string(kHead) + kLast);
  write("cut.jsonl", std::string(kHead) + row("a", "ANT-08", "met"));
  write("live.jsonl.part", kHead);
  write("other.jsonl", "{\"a\":1}\n");
  write("text.jsonl", "hello");
  write("empty.jsonl", "");
  write("page.html", kHead);
  fs::create_directory(path_ / "folder.jsonl");
  const std::vector<ReportEntry> all = ReportFolder(path_).list();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "live.jsonl.part");
  EXPECT_TRUE(all[0].grows);
  for (const ReportEntry& one : all) {
    EXPECT_EQ(one.targets, std::vector<std::string>{"proxy"});
    EXPECT_EQ(one.verdict, one.name == "done.jsonl" ? "VIOLATES" : "") << one.name;
    if (one.name != "done.jsonl") continue;
    EXPECT_EQ(one.cases * 10 + one.findings, 73U);
  }
}

TEST_F(ReportFolderTest, OnlyListedFilesAreFound) {
  write("done.jsonl", std::string(kHead) + kLast);
  const ReportFolder folder(path_);
  EXPECT_EQ(folder.find("done.jsonl"), path_ / "done.jsonl");
  for (const char* name : {"", ".", "..", "../done.jsonl", "/etc/passwd", "none.jsonl"})
    EXPECT_EQ(folder.find(name), std::nullopt) << name;
  for (const char* name : {"../x.jsonl.part", "done.jsonl", "/etc/passwd"})
    EXPECT_FALSE(folder.grown(name, 0)) << name;
}

TEST_F(ReportFolderTest, CompleteLinesOfAPartAreReadOnce) {
  const ReportFolder folder(path_);
  write("live.jsonl.part",
        kHead + row("a", "ANT-08", "violated") + row("a", "ANT-09", "met") + "{\"target\":\"pro");
  auto part = folder.grown("live.jsonl.part", 0);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->rows, 2U);
  EXPECT_EQ(part->results, std::vector<std::string>{"proxy a"});
  ASSERT_EQ(part->findings.size(), 1U);
  EXPECT_EQ(part->findings[0].rule, "ANT-08");
  EXPECT_FALSE(part->ended);
  const std::uint64_t next = part->next;
  EXPECT_EQ(folder.grown("live.jsonl.part", next)->rows, 0U);
  write("live.jsonl.part",
        "xy\",\"recording\":\"b\",\"obligation\":\"ANT-10\",\"verdict\":\"violated\",\"expected\":true}\n");
  part = folder.grown("live.jsonl.part", next);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->results, std::vector<std::string>{"proxy b"});
  EXPECT_TRUE(part->findings.empty()) << "it is expected";
  fs::remove(path_ / "live.jsonl.part");
  EXPECT_TRUE(folder.grown("live.jsonl.part", part->next)->ended);
}

}  // namespace
}  // namespace splitproof::ui::report_folder_test
