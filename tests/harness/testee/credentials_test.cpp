#include "harness/testee/credentials.hpp"

#include <gtest/gtest.h>

#include <string>

namespace splitproof::testee::credentials_test {
namespace {

Observation leaking(const std::string& key) {
  Observation seen;
  seen.body = "Incorrect key " + key + ", I say: " + key;
  seen.detail = "said " + key;
  seen.http.emplace();
  seen.http->headers = {{"X-Upstream", "with " + key}, {"Set-Cookie", "short"}, {"date", "today"}};
  seen.calls.resize(1);
  seen.calls[0].target = "/v1?key=" + key;
  seen.calls[0].headers = {{"Authorization", "Bearer " + key}, {"x-api-key", "abc"}, {"accept", "*/*"}};
  seen.calls[0].body = "{\"key\":\"" + key + "\"}";
  return seen;
}

std::string all_text(const Observation& seen) {
  std::string text = seen.body + seen.detail;
  for (const Header& header : seen.http->headers) text += header.name + header.value;
  for (const UpstreamCall& call : seen.calls) {
    text += call.target + call.body;
    for (const Header& header : call.headers) text += header.name + header.value;
  }
  return text;
}

TEST(Credentials, AreWhatFieldsHoldWithoutTheirScheme) {
  EXPECT_EQ(credentials(leaking("0123456789")), std::vector<std::string>{"0123456789"});
  EXPECT_EQ(secret_part("bearer x y"), "x y");
  EXPECT_EQ(secret_part("Bearer"), "Bearer");
  EXPECT_TRUE(is_secret("X-API-Key"));
  EXPECT_FALSE(is_secret("x-request-id"));
}

TEST(Credentials, ShortOnesOccurInAnyText) {
  EXPECT_TRUE(credentials(leaking("1234567")).empty());
  EXPECT_EQ(credentials(leaking("12345678")).size(), 1u);
}

TEST(Credentials, AreMaskedWhereverTheyOccur) {
  for (const std::size_t size : {8u, 9u, 15u, 16u, 51u}) {
    const std::string key(size, 'k');
    const Observation seen = leaking(key);
    const Observation masked = without_secrets(seen);
    EXPECT_EQ(all_text(masked).find(key), std::string::npos) << size;
    EXPECT_EQ(all_text(masked).size(), all_text(seen).size()) << size;
    EXPECT_EQ(masked.http->headers[1].value, mask(5));
    EXPECT_EQ(masked.http->headers[2].value, "today");
    EXPECT_EQ(masked.calls[0].headers[0].value, "Bearer " + mask(size));
    EXPECT_EQ(masked.calls[0].headers[1].value, mask(3));
  }
}

TEST(Credentials, MaskedTwiceIsMaskedOnceAndStillALeak) {
  const Observation masked = without_secrets(leaking("0123456789"));
  EXPECT_EQ(all_text(without_secrets(masked)), all_text(masked));
  ASSERT_EQ(credentials(masked).size(), 1u);
  EXPECT_EQ(masked.body.find(credentials(masked)[0]), leaking("0123456789").body.find("0123456789"));
}

// If one credential contains another, masking must not leave the rest of the longer one.
TEST(Credentials, LongerOnesAreMaskedFirst) {
  Observation seen = leaking("0123456789abcdef");
  seen.calls[0].headers.push_back({"api-key", "0123456789"});
  EXPECT_EQ(all_text(without_secrets(seen)).find("abcdef"), std::string::npos);
}

TEST(Credentials, OfTheClientAreSoughtBesideTheFieldsOfKeys) {
  const Headers client = {{"Authorization", "Bearer 0123456789"}, {"Cookie", "session=abcdef"}};
  using Places = std::vector<std::string>;
  UpstreamCall call = leaking("another-key").calls[0];
  EXPECT_EQ(client_secret_in(client, "{}", call), Places());
  call.headers = {
      {"authorization", "Bearer 0123456789"}, {"X-Api-Key", "0123456789"}, {"api-key", "0123456789"}};
  EXPECT_EQ(client_secret_in(client, "{}", call), Places());
  call.headers.push_back({"X-Forwarded-Authorization", "Bearer 0123456789"});
  call.headers.push_back({"cookie", "session=abcdef"});
  call.target = "/v1?key=0123456789";
  call.body = R"({"user":"0123456789"})";
  EXPECT_EQ(client_secret_in(client, "{}", call),
            (Places{"cookie", "x-forwarded-authorization", "target", "body"}));
  // The proxy may pass on values that the client also sends elsewhere.
  EXPECT_EQ(client_secret_in({client[0]}, R"({"user":"0123456789"})", call), std::nullopt);
  EXPECT_EQ(client_secret_in({client[0], {"x-user", "0123456789"}}, "{}", call), std::nullopt);
  EXPECT_EQ(client_secret_in({{"authorization", "Bearer short"}}, "{}", call), std::nullopt);
  EXPECT_EQ(client_secret_in({}, "{}", call), std::nullopt);
}

TEST(Credentials, OfATargetAreItsSecretFieldsAndVariables) {
  TargetFile target;
  target.headers = {{"authorization", "Bearer of-requests"}, {"x-team", "not a secret"}};
  target.setup.push_back({"", "POST", "/login", {{"cookie", "of-the-setup"}}, ""});
  target.env = {{"PROVIDER_API_KEY", "of-the-provider"},
                {"github_token", "of-a-forge-that-is-long"},
                {"NODE_ENV", "production"},
                {"SHORT_KEY", "1234567"}};
  EXPECT_EQ(credentials(target), (std::vector<std::string>{"of-a-forge-that-is-long", "of-the-provider",
                                                           "of-the-setup", "of-requests"}));
}

TEST(Credentials, ThatAreKnownAreMaskedToo) {
  const Observation masked = without_secrets(leaking("0123456789"), {"Incorrect"});
  EXPECT_EQ(masked.body, mask(9) + " key " + mask(10) + ", I say: " + mask(10));
}

}  // namespace
}  // namespace splitproof::testee::credentials_test
