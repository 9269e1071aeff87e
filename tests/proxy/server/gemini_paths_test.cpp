// Clients of Gemini have the model, the form of the answer and perhaps the key in the target of the request.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::gemini_paths_test {
namespace {

using nlohmann::json;

const std::string kBody = R"({"contents":[{"role":"user","parts":[{"text":"Hi"}]}]})";

std::string path_of(const std::string& method, const std::string& model = "m") {
  return "/v1beta/models/" + model + ":" + method;
}

const std::string kEvents = path_of("streamGenerateContent") + "?alt=sse";
const std::string kArray = path_of("streamGenerateContent");
const std::string kObject = path_of("generateContent");

json error_of(const Client& client) {
  EXPECT_TRUE(client.whole());
  EXPECT_EQ(client.header("content-type"), "application/json");
  const json body = json::parse(client.body(), nullptr, false);
  EXPECT_TRUE(body.is_object() && body.contains("error")) << client.body();
  const json error = body.value("error", json::object());
  EXPECT_EQ(error.value("code", 0), client.status()) << "SDKs read it there";
  EXPECT_FALSE(error.value("message", "").empty());
  return error;
}

TEST(GeminiPaths, EventsAreStreamedAtOnce) {
  const Served served("models: {m: other}\n");
  auto [client, connection, request] = served.ask(kBody, "x-goog-api-key: k1\r\n", kEvents);
  EXPECT_EQ(request.line, "POST /v1/chat/completions HTTP/1.1");
  EXPECT_EQ(request.headers["authorization"], "Bearer k1");
  EXPECT_EQ(json::parse(request.body)["model"], "other");
  connection.begin_stream();
  connection.chunk(text_event("word"));
  EXPECT_TRUE(read_text(client, R"({"text":"word"})"));
  connection.chunk(kFinish);
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_EQ(client.header("content-type"), "text/event-stream");
  EXPECT_TRUE(client.body().starts_with("data: {\"candidates\":")) << client.body();
  EXPECT_TRUE(client.body().ends_with("}\r\n\r\n"));
  EXPECT_EQ(client.body().find("[DONE]"), std::string::npos);
}

TEST(GeminiPaths, ArrayArrivesElementByElement) {
  const Served served;
  auto [client, connection, request] = served.ask(kBody, "", kArray + "?key=k%2D2");
  EXPECT_EQ(request.headers["authorization"], "Bearer k-2");
  connection.begin_stream();
  connection.chunk(text_event("word"));
  EXPECT_TRUE(read_text(client, R"({"text":"word"})"));
  EXPECT_TRUE(client.body().starts_with("["));
  connection.chunk(kFinish);
  client.read_all();
  EXPECT_EQ(client.header("content-type"), "application/json");
  const json array = json::parse(client.body());
  EXPECT_EQ(array.back()["candidates"][0]["finishReason"], "STOP");
  EXPECT_EQ(array.size(), 2U);
}

TEST(GeminiPaths, ObjectIsWhole) {
  const Served served;
  for (const std::string& path :
       {kObject, std::string("/v1/models/m:generateContent"),
        std::string("/v1/projects/p/locations/l/publishers/google/models/m:generateContent")}) {
    auto [client, connection, request] = served.ask(kBody, "authorization: Bearer k3\r\n", path);
    EXPECT_EQ(request.headers["authorization"], "Bearer k3");
    EXPECT_EQ(json::parse(request.body)["model"], "m");
    connection.begin_stream();
    connection.chunk(text_event("wo") + text_event("rd") + kFinish);
    client.read_all();
    EXPECT_EQ(client.header("content-type"), "application/json");
    const json answer = json::parse(client.body());
    EXPECT_EQ(answer["candidates"][0]["content"]["parts"], json::parse(R"([{"text":"word"}])"));
  }
}

TEST(GeminiPaths, SilenceInAStreamIsFilled) {
  const Served served("timeouts: {ping: 50ms}\n");
  for (const bool array : {false, true}) {
    auto [client, connection, request] = served.ask(kBody, "", array ? kArray : kEvents);
    connection.begin_stream();
    connection.chunk(text_event("word"));
    EXPECT_TRUE(read_text(client, array ? "}\r\n" : ": keep-alive\n\n"));
    connection.chunk(kFinish);
    client.read_all();
    if (array) {
      EXPECT_EQ(json::parse(client.body()).size(), 2U) << client.body();
    }
  }
}

TEST(GeminiPaths, ErrorInsideAStreamIsTheLastFrame) {
  const Served served;
  for (const bool array : {false, true}) {
    auto [client, connection, request] = served.ask(kBody, "", array ? kArray : kEvents);
    connection.begin_stream();
    connection.chunk(text_event("word"));
    connection.reset();
    client.read_all();
    EXPECT_EQ(client.status(), 200);
    EXPECT_TRUE(
        client.body().ends_with(array ? "\"status\":\"INTERNAL\"}}]" : "\"status\":\"INTERNAL\"}}\r\n\r\n"))
        << client.body();
    EXPECT_EQ(client.body().find("finishReason"), std::string::npos);
  }
}

TEST(GeminiPaths, ErrorBeforeTheStreamHasItsStatus) {
  const Served served;
  for (const std::string& path : {kEvents, kArray, kObject}) {
    {
      auto [client, connection, request] = served.ask(kBody, "", path);
      connection.answer("429 Too Many", "Content-Type: application/json\r\nRetry-After: 7\r\n",
                        R"({"error":{"message":"slow down","code":"rate_limit_exceeded"}})");
      client.read_all();
      EXPECT_EQ(client.header("retry-after"), "7");
      EXPECT_EQ(error_of(client),
                json::parse(R"({"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"})"));
    }
    {
      auto [client, connection, request] = served.ask(kBody, "", path);
      connection.answer("500 Oops", "", "<html>");
      client.read_all();
      EXPECT_EQ(error_of(client)["status"], "INTERNAL");
      EXPECT_EQ(client.status(), 500) << "a status of the upstream stays";
    }
    auto [client, connection, request] = served.ask(kBody, "", path);
    connection.begin_stream();
    connection.chunk("data: {\"error\":{\"message\":\"bad key\",\"code\":401}}\n\n");
    client.read_all();
    EXPECT_EQ(client.status(), 401);
    EXPECT_EQ(error_of(client)["status"], "UNAUTHENTICATED");
  }
}

// Sends a request and returns the status and the word of its refusal.
std::string refusal_of(const Served& served, const std::string& request) {
  Client client(served.proxy.port());
  client.socket().send(request);
  client.read_all();
  return std::to_string(client.status()) + " " + error_of(client).value("status", "");
}

TEST(GeminiPaths, EveryRefusalHasTheFormOfTheProtocol) {
  const Served served("limits: {request-bytes: 1000, name-bytes: 5}\n");
  const auto refused = [&](const std::string& method, const std::string& path, const std::string& body,
                           const std::string& headers = "") {
    return refusal_of(served, method + " " + path + " HTTP/1.1\r\nHost: p\r\n" + headers +
                                  "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  };
  for (const std::string& path : {kEvents, kArray, kObject}) {
    EXPECT_EQ(refused("POST", path, "{"), "400 INVALID_ARGUMENT");
    EXPECT_EQ(refused("POST", path, kBody, "x-goog-api-key: a\"b\r\n"), "401 UNAUTHENTICATED");
    EXPECT_EQ(refused("POST", path, std::string(2000, ' ')), "413 INVALID_ARGUMENT");
    EXPECT_EQ(refused("POST", path, kBody, "Content-Type: text/plain\r\n"), "415 INVALID_ARGUMENT");
    EXPECT_EQ(
        refused("POST", path, kBody, "Origin: http://x\r\nContent-Type: application/json\r\nHOST: x\r\n"),
        "400 INVALID_ARGUMENT")
        << "two hosts";
    EXPECT_EQ(refused("PUT", path, ""), "405 INVALID_ARGUMENT");
    EXPECT_EQ(refused("POST", path, kBody, "Expect: x\r\n"), "417 INVALID_ARGUMENT");
    EXPECT_EQ(refused("POST", path, kBody, "Transfer-Encoding: gzip\r\n"), "400 INVALID_ARGUMENT");
    EXPECT_EQ(refused("POST", path, kBody, "A: " + std::string(9000, 'a') + "\r\n"), "431 INVALID_ARGUMENT");
  }
  EXPECT_EQ(refused("POST", path_of("generateContent", "longer"), kBody), "400 INVALID_ARGUMENT");
  EXPECT_EQ(refused("POST", path_of("countTokens"), kBody), "404 NOT_FOUND");
  EXPECT_EQ(refused("POST", "/v1/models/m:countTokens", kBody), "404 NOT_FOUND");
  EXPECT_EQ(refused("POST", path_of("embedContent"), kBody), "404 NOT_FOUND");
  EXPECT_EQ(refused("POST", "/v1beta/models/:generateContent", kBody), "404 NOT_FOUND");
  EXPECT_EQ(refused("GET", "/v1beta", ""), "404 NOT_FOUND");
  EXPECT_EQ(refused("DELETE", "/v1beta/models", ""), "405 INVALID_ARGUMENT");
}

TEST(GeminiPaths, ModelsAreListed) {
  const Served served("models: {fast: m-1, slow: m-2}\n");
  const auto get = [&](const std::string& path, const std::string& headers = {}) {
    Client client(served.proxy.port());
    client.socket().send("GET " + path + " HTTP/1.1\r\nHost: p\r\n" + headers + "\r\n");
    client.read_all();
    return client;
  };
  const json list = json::parse(get("/v1beta/models?pageSize=50").body());
  EXPECT_EQ(list["models"].size(), 2U);
  EXPECT_EQ(list["models"][0]["name"], "models/fast");
  EXPECT_EQ(json::parse(get("/v1/models", "x-goog-api-key: k\r\n").body()), list);
  EXPECT_EQ(json::parse(get("/v1beta/models/slow").body()), list["models"][1]);
  EXPECT_EQ(error_of(get("/v1beta/models/none"))["status"], "NOT_FOUND");
  EXPECT_EQ(error_of(get("/v1/models/none", "x-goog-api-key: k\r\n"))["status"], "NOT_FOUND");
}

const std::vector<std::string> kGeminiUpstream = {"--seed", "1", "--upstream-protocol", "google.gemini"};

// A body with members that the proxy does not know, and a signature.
const std::string kOddBody =
    R"({ "contents":[{"role":"model","parts":[{"functionCall":{"name":"f"},"thoughtSignature":"c2ln"}]}], "own":1e400})";

// Returns a frame with a signature and a member that the proxy does not know.
std::string own_frame(const std::string& more = "") {
  return R"({ "candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"c2ln"}],"role":"model"})" +
         more + R"(}], "own":12345678901234567890})";
}
const std::string kOwnEnd = own_frame(R"(,"finishReason":"STOP")");

TEST(GeminiRelay, RequestAndStreamPassAsTheyCame) {
  const Served served("models: {m: other/one}\n", kGeminiUpstream);
  auto [client, connection, request] =
      served.ask(kOddBody, "x-goog-api-client: sdk/1\r\nX-Other: o\r\n", kEvents + "&key=k");
  EXPECT_EQ(request.line, "POST /v1/models/other%2Fone:streamGenerateContent?alt=sse HTTP/1.1");
  EXPECT_EQ(request.headers["x-goog-api-key"], "k");
  EXPECT_EQ(request.headers["x-goog-api-client"], "sdk/1");
  EXPECT_EQ(request.headers["x-other"], "");
  EXPECT_EQ(request.body, kOddBody);
  connection.begin_stream();
  const std::string first = "data: " + own_frame() + "\r\n\r\n";
  connection.chunk(first);
  EXPECT_TRUE(client.read_until([&, &client = client] { return client.body() == first; })) << "at once";
  connection.chunk("data: " + kOwnEnd + "\r\n\r\n");
  connection.last_chunk();
  client.read_all();
  EXPECT_EQ(client.body(), first + "data: " + kOwnEnd + "\r\n\r\n");
}

TEST(GeminiRelay, ArrayHasTheUpstreamsObjects) {
  const Served served("timeouts: {ping: 50ms}\n", kGeminiUpstream);
  for (const bool whole : {true, false}) {
    auto [client, connection, request] = served.ask(kOddBody, "", kArray);
    EXPECT_EQ(request.line, "POST /v1/models/m:streamGenerateContent?alt=sse HTTP/1.1");
    connection.begin_stream();
    connection.chunk("data: " + own_frame() + "\r\n\r\n");
    EXPECT_TRUE(read_text(client, own_frame() + "\r\n")) << "a ping is white space";
    if (whole) connection.chunk("data: " + kOwnEnd + "\r\n\r\n");
    connection.last_chunk();
    client.read_all();
    EXPECT_EQ(client.header("content-type"), "application/json");
    EXPECT_TRUE(client.body().starts_with("[" + own_frame()));
    EXPECT_TRUE(client.body().ends_with(whole ? ",\r\n" + kOwnEnd + "]" : "\"status\":\"INTERNAL\"}}]"))
        << client.body();
  }
}

TEST(GeminiRelay, ObjectAndErrorsPassAsTheyCame) {
  const Served served("", kGeminiUpstream);
  {
    auto [client, connection, request] = served.ask(kOddBody, "", kObject);
    EXPECT_EQ(request.line, "POST /v1/models/m:generateContent HTTP/1.1");
    EXPECT_EQ(request.headers["accept"], "application/json");
    connection.answer("200 OK", "Content-Type: application/json\r\n", kOwnEnd);
    client.read_all();
    EXPECT_EQ(client.body(), kOwnEnd);
  }
  const std::string error =
      R"({"error": {"code":400,"message":"no","status":"INVALID_ARGUMENT","details":[{}]}})";
  for (const std::string& body : {error, "[" + error + "]"}) {
    for (const std::string& path : {kEvents, kArray, kObject}) {
      auto [client, connection, request] = served.ask(kOddBody, "", path);
      connection.answer("400 Bad", "Content-Type: application/json\r\n", body);
      client.read_all();
      EXPECT_EQ(client.status(), 400);
      EXPECT_EQ(client.body(), body);
    }
  }
}

TEST(GeminiRelay, StreamThatEndsEarlyEndsInAnError) {
  const Served served("", kGeminiUpstream);
  auto [client, connection, request] = served.ask(kOddBody, "", kEvents);
  connection.begin_stream();
  connection.chunk("data: " + own_frame() + "\r\n\r\n");
  connection.last_chunk();
  client.read_all();
  EXPECT_TRUE(client.body().starts_with("data: " + own_frame() + "\r\n\r\ndata: {\"error\":{\"code\":502,"));
}

TEST(GeminiPaths, KeysOfTheQueryAreNotLogged) {
  Served served;
  auto [client, connection, request] = served.ask(kBody, "", kEvents + "&key=secret-1");
  connection.begin_stream();
  connection.chunk("data: {\"error\":{\"message\":\"bad secret-1\"}}\n\n");
  client.read_all();
  EXPECT_EQ(client.body().find("secret"), std::string::npos) << client.body();
  served.proxy.end(15);
  EXPECT_NE(served.proxy.log().find("POST /v1beta/models/m:streamGenerateContent "), std::string::npos);
  EXPECT_EQ(served.proxy.log().find("secret"), std::string::npos);
}

}  // namespace
}  // namespace splitproof::server::gemini_paths_test
