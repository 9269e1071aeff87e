#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::errors_test {
namespace {

using nlohmann::json;

// Expects an error in the form of Anthropic's API.
void expect_error(const Client& client, int status, const std::string& type) {
  EXPECT_TRUE(client.whole());
  EXPECT_EQ(client.status(), status);
  EXPECT_EQ(client.header("content-type"), "application/json");
  const json body = json::parse(client.body(), nullptr, false);
  ASSERT_TRUE(body.is_object()) << client.body();
  EXPECT_EQ(body.at("type"), "error");
  EXPECT_EQ(body.at("error").at("type"), type) << client.body();
  EXPECT_FALSE(body.at("error").at("message").get<std::string>().empty());
  EXPECT_EQ(body.at("error").size(), 2U);
}

std::string message_of(const Client& client) {
  return json::parse(client.body()).at("error").at("message").get<std::string>();
}

struct Row {
  std::string status;
  std::string body;
  int expected;
  std::string type;
  std::string message;
};

TEST(UpstreamErrors, StatusesBecomeAnthropicErrors) {
  const Served served;
  const std::vector<Row> rows = {
      {"400 Bad Request", R"({"error":{"message":"no such parameter","type":"invalid_request_error"}})", 400,
       "invalid_request_error", "no such parameter"},
      {"401 Unauthorized", R"({"error":{"message":"bad key","code":"invalid_api_key"}})", 401,
       "authentication_error", "bad key"},
      {"402 Payment Required", R"({"error":"pay"})", 402, "billing_error", "pay"},
      {"403 Forbidden", R"({"detail":"not you"})", 403, "permission_error", "not you"},
      {"404 Not Found", R"({"error":{"message":"no model"}})", 404, "not_found_error", "no model"},
      {"408 Request Timeout", "", 504, "timeout_error", "the upstream answered with status 408"},
      {"413 Too Large", "{}", 413, "request_too_large", "the upstream reported an error"},
      {"422 Unprocessable", R"({"message":"what?"})", 400, "invalid_request_error", "what?"},
      {"429 Too Many", R"({"error":{"message":"slow down","type":"rate_limit_error"}})", 429,
       "rate_limit_error", "slow down"},
      {"429 Too Many", R"({"error":{"message":"no money","code":"insufficient_quota"}})", 402,
       "billing_error", "no money"},
      {"500 Oops", R"({"error":{"message":"broken"}})", 500, "api_error", "broken"},
      {"500 Oops", R"({"error":{"message":"busy","type":"overloaded_error"}})", 529, "overloaded_error",
       "busy"},
      {"502 Bad Gateway", "<html>nginx at internal-host</html>", 502, "api_error",
       "the upstream answered with status 502"},
      {"503 Unavailable", "no", 529, "overloaded_error", "the upstream answered with status 503"},
      {"504 Timeout", "[]", 504, "timeout_error", "the upstream answered with status 504"},
      {"302 Found", "", 502, "api_error", "the upstream answered with status 302"},
  };
  for (const std::string& ask : {kStreamed, kWhole}) {
    for (const Row& row : rows) {
      SCOPED_TRACE(row.status + " " + row.body);
      auto [client, connection, request] = served.ask(ask);
      connection.answer(row.status,
                        "Retry-After: 7\r\nContent-Type: application/json\r\nX-Internal: host\r\n", row.body);
      client.read_all();
      expect_error(client, row.expected, row.type);
      EXPECT_EQ(message_of(client), row.message);
      EXPECT_EQ(client.header("retry-after"), "7");
      EXPECT_EQ(client.header("x-internal"), "");
    }
  }
}

TEST(UpstreamErrors, BeforeAnyOutputTheyHaveAStatus) {
  const Served served("timeouts: {idle: 100ms}\n");
  for (const std::string& ask : {kStreamed, kWhole}) {
    SCOPED_TRACE(ask);
    {
      auto [client, connection, request] = served.ask(ask);
      connection.begin_stream();
      connection.chunk("data: {\"error\":{\"message\":\"slow down\",\"code\":429}}\n\n");
      client.read_all();
      expect_error(client, 429, "rate_limit_error");
    }
    {
      auto [client, connection, request] = served.ask(ask);
      connection.close();  // without an answer
      client.read_all();
      expect_error(client, 502, "api_error");
    }
    {
      auto [client, connection, request] = served.ask(ask);
      connection.begin_stream();
      connection.close();  // without a byte
      client.read_all();
      expect_error(client, 502, "api_error");
    }
    {
      auto [client, connection, request] = served.ask(ask);
      client.read_all();  // nothing comes
      expect_error(client, 504, "timeout_error");
      EXPECT_TRUE(connection.peer_closes());
    }
  }
}

TEST(UpstreamErrors, AnUpstreamThatIsNotThere) {
  int port = 0;
  {
    const Upstream upstream;
    port = upstream.port();
  }
  const ProxyProcess proxy("http://127.0.0.1:" + std::to_string(port));
  Client client(proxy.port());
  client.post(kMessages, kStreamed);
  client.read_all();
  expect_error(client, 502, "api_error");
  EXPECT_EQ(message_of(client).find("127.0.0.1"), std::string::npos);
}

TEST(Requests, MistakesOfTheClient) {
  const Served served("limits: {request-bytes: 1000}\n");
  const auto ask = [&](const std::string& request) {
    Client client(served.proxy.port());
    client.socket().send(request);
    client.read_all();
    return client;
  };
  const auto post = [&](const std::string& body, const std::string& headers = {}) {
    Client client(served.proxy.port());
    client.post(kMessages, body, headers);
    client.read_all();
    return client;
  };
  expect_error(post("{"), 400, "invalid_request_error");
  expect_error(post(""), 400, "invalid_request_error");
  EXPECT_EQ(message_of(post(R"({"model":"m","max_tokens":1})")), "messages: field required");
  expect_error(post(kStreamed + std::string(2000, ' ')), 413, "request_too_large");
  expect_error(post(kStreamed + std::string(30'000'000, ' ')), 413,
               "request_too_large");  // more than buffers hold
  expect_error(post(kStreamed, "x-api-key: \"quoted\"\r\n"), 401, "authentication_error");
  expect_error(ask("GET /v1/messages HTTP/1.1\r\nHost: p\r\n\r\n"), 405, "invalid_request_error");
  expect_error(ask("DELETE /v1/messages HTTP/1.1\r\nHost: p\r\n\r\n"), 405, "invalid_request_error");
  expect_error(ask("POST /health HTTP/1.1\r\nHost: p\r\nContent-Length: 0\r\n\r\n"), 405,
               "invalid_request_error");
  expect_error(ask("GET /elsewhere HTTP/1.1\r\nHost: p\r\n\r\n"), 404, "not_found_error");
  expect_error(
      ask("POST /v1/messages/count_tokens?beta=true HTTP/1.1\r\nHost: p\r\nContent-Length: 2\r\n\r\n{}"), 404,
      "not_found_error");
  expect_error(ask("this is not HTTP\r\n\r\n"), 400, "invalid_request_error");
  expect_error(
      ask("POST /v1/messages HTTP/1.1\r\nHost: p\r\nContent-Type: multipart/form-data; boundary=b\r\n"
          "Content-Length: 60\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nabcd\r\n--b--"),
      415, "invalid_request_error");
  expect_error(ask("POST /v1/messages HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n" +
                   as_chunk(kStreamed + std::string(2000, ' ')) + "0\r\n\r\n"),
               413, "request_too_large");
  EXPECT_FALSE(served.upstream.waiting());

  Client head(served.proxy.port());
  head.socket().send("HEAD / HTTP/1.1\r\nHost: p\r\n\r\n");
  head.read_until([&] { return head.status() != 0; });
  EXPECT_EQ(head.status(), 404);
  const Client health = ask("GET /health HTTP/1.1\r\nHost: p\r\n\r\n");
  EXPECT_EQ(health.status(), 200);
  EXPECT_TRUE(served.proxy.runs());
}

// In the form of OpenAI's and Anthropic's SDKs.
TEST(Requests, TheModelsThatTheConfigurationNamesAreListed) {
  const Served served("models: {fast: m-1, slow: m-2}\n");
  const auto get = [&](const std::string& path, const std::string& headers = {}) {
    Client client(served.proxy.port());
    client.socket().send("GET " + path + " HTTP/1.1\r\nHost: p\r\n" + headers + "\r\n");
    client.read_all();
    return client;
  };
  const std::string own = "anthropic-version: 2023-06-01\r\n";
  const json list = json::parse(get("/v1/models").body());
  EXPECT_EQ(list["object"], "list");
  EXPECT_EQ(list["data"][0]["id"], "fast");
  EXPECT_EQ(list["data"][1]["object"], "model");
  const json of_anthropic = json::parse(get("/v1/models", own).body());
  EXPECT_EQ(of_anthropic["last_id"], "slow");
  EXPECT_EQ(of_anthropic["data"][0]["type"], "model");
  EXPECT_EQ(json::parse(get("/v1/models/slow").body())["id"], "slow");
  const Client none = get("/v1/models/none");
  EXPECT_EQ(none.status(), 404);
  EXPECT_EQ(json::parse(none.body())["error"]["code"], "not_found");
  EXPECT_EQ(json::parse(get("/v1/models/none", own).body())["error"]["type"], "not_found_error");
}

// SDKs use the refused field, and the error about threads on the server.
TEST(Requests, RefusalsSayWhatClientsActOn) {
  const Served served("");
  const auto post = [&](const std::string& path, const std::string& body) {
    Client client(served.proxy.port());
    client.post(path, body);
    client.read_all();
    return client;
  };
  const json thread = json::parse(
      post(kMessages, R"({"model":"m","max_tokens":1,"thread":{"type":"create"},"messages":[]})").body());
  EXPECT_EQ(thread["error"]["details"]["error_code"], "thread_unsupported_request");
  EXPECT_EQ(thread["error"]["details"]["unsupported"], json::array({"thread"}));
  EXPECT_EQ(json::parse(post("/v1/responses", R"({"model":"m","input":7})").body())["error"]["param"],
            "input");
  EXPECT_EQ(json::parse(post("/v1/responses/resp_1/cancel", "{}").body())["error"]["code"], "not_found");
}

// A client that writes before it reads can still read its answer.
TEST(Requests, ABodyThatIsTooLargeIsTakenFromTheClient) {
  const Served served("limits: {request-bytes: 1000}\n");
  Client client(served.proxy.port());
  EXPECT_TRUE(client.post(kMessages, kStreamed + std::string(8'000'000, ' ')));  // more than buffers hold
  client.read_all();
  expect_error(client, 413, "request_too_large");
}

// Unread bytes of a request must not become the next one.
TEST(Requests, UnreadBytesAreNotRequests) {
  const Served served("limits: {request-bytes: 10}\n");
  const std::string smuggled = "GET /health HTTP/1.1\r\nHost: p\r\n\r\n";
  const std::string rest =
      "Host: p\r\nContent-Length: " + std::to_string(smuggled.size()) + "\r\n\r\n" + smuggled;
  for (const std::string& request :
       {"POST /elsewhere HTTP/1.1\r\n" + rest, "PUT /v1/messages HTTP/1.1\r\n" + rest,
        "GET /health HTTP/1.1\r\n" + rest, "POST /v1/messages HTTP/1.1\r\n" + rest,
        "POST /v1/messages HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n" +
            as_chunk(std::string(11, ' ') + "\r\n" + smuggled) + smuggled,
        "this is not HTTP\r\n\r\n" + smuggled}) {
    SCOPED_TRACE(request);
    Client client(served.proxy.port());
    client.socket().send(request);
    client.read_all();
    EXPECT_TRUE(client.whole());
    EXPECT_EQ(client.header("connection"), "close");
    client.next_response();
    client.read_all();
    EXPECT_EQ(client.status(), 0);
  }
}

TEST(Requests, EndlessHeadsAreNotRead) {
  const Served served;
  Client client(served.proxy.port());
  client.socket().send("GET /health HTTP/1.1\r\n");
  const std::string line = "x: " + std::string(1000, 'y') + "\r\n";
  std::size_t sent = 0;
  while (sent < (std::size_t{64} << 20) && client.socket().send(line)) sent += line.size();
  EXPECT_LT(sent, std::size_t{64} << 20);
}

TEST(Requests, TheKeyGoesToTheUpstreamAndNowhereElse) {
  const std::string key = "sk-secret-0123456789";
  Served served;
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"x-api-key: " + key + "\r\n", "Bearer " + key},
      {"Authorization: Bearer " + key + "\r\n", "Bearer " + key},
      {"authorization: bearer " + key + "\r\n", "Bearer " + key},
      {"x-api-key: " + key + "\r\nAuthorization: Bearer other\r\n", "Bearer " + key},
      {"Authorization: Basic " + key + "\r\n", ""},
      {"", ""},
  };
  for (const auto& [headers, sent] : rows) {
    SCOPED_TRACE(headers);
    Client client(served.proxy.port());
    client.post(std::string(kMessages) + "?key=" + key, kStreamed, headers + "X-Other: " + key + "\r\n");
    UpstreamConnection connection = served.upstream.accept();
    const Request request = connection.request();
    EXPECT_EQ(request.line, "POST /v1/chat/completions HTTP/1.1");
    EXPECT_EQ(request.headers.count("authorization"), sent.empty() ? 0U : 1U);
    if (!sent.empty()) {
      EXPECT_EQ(request.headers.at("authorization"), sent);
    }
    EXPECT_EQ(request.headers.at("content-type"), "application/json");
    EXPECT_EQ(request.headers.count("x-other"), 0U);
    EXPECT_EQ(request.headers.count("x-api-key"), 0U);
    connection.answer("401 Unauthorized", "",
                      R"({"error":{"message":"Incorrect API key: )" + key + R"(."}})");
    client.read_all();
    expect_error(client, 401, "authentication_error");
    if (!sent.empty()) {
      EXPECT_EQ(message_of(client), "Incorrect API key: [key].");
    }
  }
  EXPECT_EQ(served.proxy.end(SIGTERM), 0);
  const std::string log = served.proxy.log();
  EXPECT_EQ(log.find(key), std::string::npos) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 6) << log;
  EXPECT_EQ(log.find("splitproof-proxy: POST /v1/messages 401 "), 0U) << log;
}

TEST(Requests, WhatTheLogSays) {
  Served served;
  Client client(served.proxy.port());
  client.socket().send("GET /a%0Ab%1b[31m HTTP/1.1\r\nHost: p\r\n\r\n");
  client.read_all();
  client.next_response();
  client.post(kMessages, kStreamed);
  {
    const UpstreamConnection connection = served.upstream.accept();
    connection.request();
    connection.begin_stream();
    connection.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"canary\"}}]}\n\n");
    client.read_until([&] { return client.body().find("canary") != std::string::npos; });
    client.close();
    EXPECT_TRUE(connection.peer_closes());
  }
  EXPECT_EQ(served.proxy.end(SIGTERM), 0);
  const std::string log = served.proxy.log();
  EXPECT_EQ(log.find("splitproof-proxy: GET /a%0Ab%1b[31m 404 "), 0U) << log;
  EXPECT_NE(log.find("\nsplitproof-proxy: POST /v1/messages 200 "), std::string::npos) << log;
  EXPECT_NE(log.find(" bytes req_0000000000000001, cut\n"), std::string::npos) << log;
  EXPECT_EQ(log.find("canary"), std::string::npos) << log;
}

TEST(Requests, EveryAnswerHasAnIdThatTheLogKnows) {
  Served served({}, {});  // ids at random
  std::vector<std::string> ids;
  const auto note = [&](const Client& client) {
    ids.push_back(client.header("request-id"));
    EXPECT_EQ(ids.back().find("req_"), 0U);
    EXPECT_EQ(ids.back().size(), 20U);
  };
  {
    auto [client, connection, request] = served.ask();
    connection.begin_stream();
    connection.chunk(text_event("x") + kFinish);
    client.read_all();
    note(client);
    // The message's id ends with the same digits.
    EXPECT_NE(client.body().find("\"msg_" + ids.back().substr(4) + "\""), std::string::npos) << client.body();
  }
  {
    auto [client, connection, request] = served.ask(kWhole);
    connection.answer("401 Unauthorized", "Request-Id: of-the-upstream\r\n", "{}");
    client.read_all();
    note(client);
  }
  for (const char* request :
       {"GET /elsewhere HTTP/1.1\r\nHost: p\r\n\r\n", "GET /health HTTP/1.1\r\nHost: p\r\n\r\n"}) {
    Client client(served.proxy.port());
    client.socket().send(request);
    client.read_all();
    note(client);
  }
  EXPECT_EQ(served.proxy.end(SIGTERM), 0);
  const std::string log = served.proxy.log();
  for (const std::string& id : ids) EXPECT_NE(log.find(" bytes " + id + "\n"), std::string::npos) << log;
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST(Requests, OneStreamTooMany) {
  const Served served("limits: {streams: 2}\n");
  Client first(served.proxy.port());
  first.post(kMessages, kStreamed);
  const UpstreamConnection first_connection = served.upstream.accept();
  Client second(served.proxy.port());
  second.post(kMessages, kWhole);
  const UpstreamConnection second_connection = served.upstream.accept();
  Client third(served.proxy.port());
  third.post(kMessages, kStreamed);
  third.read_all();
  expect_error(third, 529, "overloaded_error");
  // The end of one makes room.
  first.close();
  EXPECT_TRUE(first_connection.peer_closes());
  bool room = false;
  while (!room) {
    Client fourth(served.proxy.port());
    fourth.post(kMessages, kStreamed);
    while (!served.upstream.waiting() && !fourth.socket().readable()) std::this_thread::yield();
    room = served.upstream.waiting();
    if (!room) {
      fourth.read_all();
      ASSERT_EQ(fourth.status(), 529);  // the place is free a moment after the connection closes
    }
  }
}

}  // namespace
}  // namespace splitproof::server::errors_test
