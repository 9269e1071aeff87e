#include "harness/built_in.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/read_file.hpp"

namespace splitproof::built_in_test {
namespace {

using Paths = std::vector<std::filesystem::path>;

constexpr std::string_view kArchive =
    "3 a/one.yaml\n"
    "0 a/empty\n"
    "5 a/below/two.yaml\n"
    "2 ab/three\n"
    "\n"
    "1\n\n"
    "two\n\n"
    "3\n";

class BuiltIn : public testing::Test {
 protected:
  void SetUp() override { set_built_in(kArchive); }
  void TearDown() override { set_built_in("\n\n"); }
};

TEST_F(BuiltIn, FilesAreReadLikeOthers) {
  EXPECT_EQ(*read_file("built-in:/a/one.yaml"), "1\n\n");
  EXPECT_EQ(*read_file("built-in:/a/empty"), "");
  EXPECT_EQ(*read_file("built-in:/a/below/../below/two.yaml"), "two\n\n");
  EXPECT_EQ(*read_file("built-in:/ab/three"), "3\n");
  EXPECT_TRUE(is_file("built-in:/a/empty"));
}

TEST_F(BuiltIn, MissingFileIsAnError) {
  EXPECT_FALSE(is_file("built-in:/a"));
  EXPECT_FALSE(is_file("a/one.yaml"));
  const auto nothing = read_file("built-in:/a/two.yaml");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().file, "built-in:/a/two.yaml");
}

TEST_F(BuiltIn, FoldersAreListed) {
  std::error_code failed;
  EXPECT_EQ(files_in("built-in:/a", failed), (Paths{"built-in:/a/empty", "built-in:/a/one.yaml"}));
  EXPECT_EQ(files_in("built-in:/a/", failed), (Paths{"built-in:/a/empty", "built-in:/a/one.yaml"}));
  EXPECT_FALSE(failed);
  EXPECT_EQ(built_in_files("built-in:/a"),
            (Paths{"built-in:/a/below/two.yaml", "built-in:/a/empty", "built-in:/a/one.yaml"}));
  EXPECT_EQ(built_in_files("a"), Paths());
}

}  // namespace
}  // namespace splitproof::built_in_test
