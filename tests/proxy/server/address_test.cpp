#include "proxy/server/address.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "proxy/server/client_key.hpp"

namespace splitproof::server::address_test {
namespace {

TEST(Address, Forms) {
  EXPECT_EQ(parse_address("127.0.0.1:80"), (Address{"127.0.0.1", 80}));
  EXPECT_EQ(parse_address("localhost:65535"), (Address{"localhost", 65535}));
  EXPECT_EQ(parse_address(":0"), (Address{"127.0.0.1", 0}));
  EXPECT_EQ(parse_address("[::1]:8080"), (Address{"::1", 8080}));
  for (const char* wrong : {"", "80", "host", "host:", "host:x", "host:1x", "host:-1", "host:65536", "::1:80",
                            "[::1]", "[::1]80", "[host]:80", "a:b:80", "host:99999999999"}) {
    EXPECT_FALSE(parse_address(wrong)) << wrong;
  }
}

TEST(Address, Loopback) {
  for (const char* near : {"127.0.0.1", "127.8.9.1", "localhost", "::1"})
    EXPECT_TRUE(is_loopback(near)) << near;
  for (const char* far : {"0.0.0.0", "::", "192.168.0.1", "example.com", "127", "localhost.example.com"})
    EXPECT_FALSE(is_loopback(far)) << far;
}

TEST(Address, Urls) {
  EXPECT_EQ(url_of({"127.0.0.1", 80}), "http://127.0.0.1:80");
  EXPECT_EQ(url_of({"::1", 80}), "http://[::1]:80");
  for (const char* base : {"https://host/v1", "https://host/v1/", "https://host/v1//"})
    EXPECT_EQ(upstream_url(base, "/chat/completions"), "https://host/v1/chat/completions") << base;
  EXPECT_EQ(upstream_url("http://127.0.0.1:9", "/chat/completions"), "http://127.0.0.1:9/chat/completions");
  for (const char* wrong :
       {"", "host/v1", "ftp://host", "http://", "https:///v1", "https://host/v1?a=b", "https://host#x",
        "https://user:pw@host/v1", "https://host/v 1", "https://host/\r\nx: y"}) {
    EXPECT_FALSE(upstream_url(wrong, "/chat/completions")) << wrong;
  }
}

TEST(ClientKey, Sources) {
  EXPECT_EQ(client_key("", ""), "");
  EXPECT_EQ(client_key("k", ""), "k");
  EXPECT_EQ(client_key("k", "Bearer other"), "k");
  EXPECT_EQ(client_key("", "Bearer k"), "k");
  EXPECT_EQ(client_key("", "bEARER k"), "k");
  EXPECT_EQ(client_key("", "Basic k"), "");
  EXPECT_EQ(client_key("", "Bearer "), "");
  for (const char* wrong : {"a b", "a\"", "a\\", "a\n", "\x7f", "\xC3\xA9"})
    EXPECT_FALSE(client_key(wrong, "")) << wrong;
}

}  // namespace
}  // namespace splitproof::server::address_test
