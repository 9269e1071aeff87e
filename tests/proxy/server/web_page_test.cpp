#include "proxy/server/web_page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::web_page_test {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

// Returns the status of the refusal; 0: none.
int refusal_of(Fields fields, bool loopback = true) {
  RequestHead head;
  head.fields = std::move(fields);
  const auto fault = refuse_web_page(head, loopback);
  return fault ? fault->status : 0;
}

const std::vector<std::string> kJson = {"application/json", "Application/JSON",
                                        "application/json; charset=utf-8", "application/json ;x=y"};

// Types that a browser sends to another site without a preflight (Fetch, "CORS-safelisted request-header"), and some
// that hide such a type.
const std::vector<std::string> kOfPages = {"text/plain",
                                           "text/plain;charset=UTF-8",
                                           "TEXT/PLAIN",
                                           "application/x-www-form-urlencoded",
                                           "multipart/form-data; boundary=x",
                                           "text/plain; application/json",
                                           "text/plain;x=\"application/json\"",
                                           "application/jsonp",
                                           "application/json, text/plain"};

// Names through which a page of another site can reach this machine after its name was resolved to it.
const std::vector<std::string> kForeign = {"attacker.example",
                                           "attacker.example:8080",
                                           "localhost.example",
                                           "127.0.0.1.example",
                                           "127.example:80",
                                           "xlocalhost",
                                           "[attacker.example]",
                                           "1.2.3",
                                           ""};
const std::vector<std::string> kOwn = {"localhost",      "LocalHost:8080", "127.0.0.1", "127.0.0.1:80",
                                       "127.1.2.3:8080", "[::1]",          "[::1]:80",  "app.localhost:80"};

TEST(WebPage, WhoDeclaresJsonIsServed) {
  for (const std::string& type : kJson) {
    EXPECT_EQ(refusal_of({{"content-type", type}}), 0) << type;
    for (const std::string& host : kOwn) {
      for (const char* origin : {"http://localhost:3000", "null", "app://client", "https://site.example"})
        EXPECT_EQ(refusal_of({{"host", host}, {"origin", origin}, {"content-type", type}}), 0) << host;
    }
    // These come from no browser, for any name of this machine.
    for (const std::string& host : kForeign)
      EXPECT_EQ(refusal_of({{"host", host}, {"content-type", type}}), 0) << host;
  }
  EXPECT_EQ(refusal_of({{"host", "localhost"}}), 0);
}

TEST(WebPage, WhatAnyPageCanSendIsRefused) {
  for (const std::string& type : kOfPages) {
    EXPECT_EQ(refusal_of({{"content-type", type}}), 415) << type;
    EXPECT_EQ(refusal_of({{"origin", "https://site.example"}, {"content-type", type}}), 415) << type;
    EXPECT_EQ(refusal_of({{"content-type", type}}, false), 415) << type;
  }
  for (const char* origin : {"https://site.example", "null"}) {
    EXPECT_EQ(refusal_of({{"host", "localhost"}, {"origin", origin}}), 415);
    EXPECT_EQ(refusal_of({{"host", "localhost"}, {"origin", origin}, {"content-type", ""}}), 415);
  }
}

TEST(WebPage, APageUnderItsOwnNameIsRefusedOnTheLoopbackAlone) {
  for (const std::string& host : kForeign) {
    const Fields fields = {
        {"host", host}, {"origin", "http://attacker.example"}, {"content-type", "application/json"}};
    EXPECT_EQ(refusal_of(fields), 403) << host;
    EXPECT_EQ(refusal_of(fields, false), 0) << host;
  }
}

// Nothing reaches the upstream, and the error shows clients in their form what to send.
TEST(WebPage, TheServerRefusesBeforeItReadsTheBody) {
  const Served served;
  for (const char* path : {"/v1/messages", "/v1/responses", "/v1/chat/completions"}) {
    for (const std::string& type : kOfPages) {
      SCOPED_TRACE(path + (" " + type));
      Client client(served.proxy.port());
      client.socket().send("POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " +
                           type + "\r\nContent-Length: 100\r\n\r\n");
      client.read_all();
      EXPECT_EQ(client.status(), 415);
      const auto body = nlohmann::json::parse(client.body(), nullptr, false);
      ASSERT_TRUE(body.is_object()) << client.body();
      EXPECT_EQ(body.at("error").at("type"), "invalid_request_error");
      EXPECT_NE(body.at("error").at("message").get<std::string>().find("Content-Type: application/json"),
                std::string::npos);
    }
    Client rebound(served.proxy.port());
    rebound.socket().send("POST " + std::string(path) +
                          " HTTP/1.1\r\nHost: attacker.example\r\nOrigin: http://attacker.example\r\n"
                          "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n");
    rebound.read_all();
    EXPECT_EQ(rebound.status(), 403) << rebound.body();
  }
  EXPECT_FALSE(served.upstream.waiting());
}

}  // namespace
}  // namespace splitproof::server::web_page_test
