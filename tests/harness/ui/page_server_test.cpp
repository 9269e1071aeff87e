#include "harness/ui/page_server.hpp"

#include <gtest/gtest.h>

namespace splitproof::ui::page_server_test {
namespace {

TEST(PageServer, OnlyItsOwnNamesAreItsHost) {
  for (const char* host : {"127.0.0.1:8080", "localhost:8080"}) EXPECT_TRUE(is_own_host(host, 8080)) << host;
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:80800", "evil.example:8080",
        "localhost.evil.example:8080", "127.0.0.1:8080.evil.example", "0.0.0.0:8080", "LOCALHOST:8080 "})
    EXPECT_FALSE(is_own_host(host, 8080)) << host;
}

TEST(PageServer, OnlyItsOwnPagesAreItsOrigin) {
  for (const char* origin : {"", "http://127.0.0.1:8080", "http://localhost:8080"})
    EXPECT_TRUE(is_own_origin(origin, 8080)) << origin;
  for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:8081",
                             "http://127.0.0.1:8080.evil.example", "file://"})
    EXPECT_FALSE(is_own_origin(origin, 8080)) << origin;
}

TEST(PageServer, TargetIsReadInItsParts) {
  const PageRequest request = parse_target("/report?name=a%20b%2Fc+d&since=&x&y=1=2");
  EXPECT_EQ(request.path, "/report");
  const std::map<std::string, std::string> query{{"name", "a b/c d"}, {"since", ""}, {"x", ""}, {"y", "1=2"}};
  EXPECT_EQ(request.query, query);
  EXPECT_EQ(parse_target("/").query.size(), 0U);
  EXPECT_EQ(parse_target("/?a=%zz%4").query.at("a"), "%zz%4");
}

}  // namespace
}  // namespace splitproof::ui::page_server_test
