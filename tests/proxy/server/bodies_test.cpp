// Limits of a request body's time, and of the memory of incomplete bodies.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::bodies_test {
namespace {

using std::chrono::milliseconds;

std::string head_of(std::size_t length, const std::string& path = kMessages) {
  return "POST " + path + " HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(length) + "\r\n\r\n";
}

// Waits for the whole answer, and meanwhile sends more of a body, one byte at a time.
void drip(Client& client) {
  const auto until = std::chrono::steady_clock::now() + kTimeout;
  while (client.status() == 0 && std::chrono::steady_clock::now() < until) {
    client.socket().send(" ");
    std::this_thread::sleep_for(milliseconds(50));
    if (client.socket().readable()) client.read_all();
  }
}

TEST(Bodies, ABurstBuysNoTimeForDripping) {
  const Served served("timeouts: {client: 300ms}\n");
  for (const std::size_t burst : {0, 200'000, 5'000'000}) {
    Client client(served.proxy.port());
    client.socket().send(head_of(6'000'000) + std::string(burst, ' '));
    drip(client);
    EXPECT_EQ(client.status(), 408) << burst;
  }
  Client in_chunks(served.proxy.port());
  in_chunks.socket().send("POST " + std::string(kMessages) +
                          " HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n" +
                          as_chunk(std::string(100'000, ' ')));
  const auto until = std::chrono::steady_clock::now() + kTimeout;
  while (!in_chunks.socket().readable() && std::chrono::steady_clock::now() < until) {
    in_chunks.socket().send(as_chunk(" "));
    std::this_thread::sleep_for(milliseconds(50));
  }
  in_chunks.read_all();
  EXPECT_EQ(in_chunks.status(), 408);
  EXPECT_FALSE(served.upstream.waiting());
}

// It sends 10 kB per second, for longer than the client timeout.
TEST(Bodies, ASlowClientThatGoesOnIsServed) {
  const Served served("timeouts: {client: 1s}\n");
  Client client(served.proxy.port());
  const std::string body = kStreamed + std::string(22'000, ' ');
  client.socket().send(head_of(body.size()));
  for (std::size_t at = 0; at < body.size(); at += 1'000) {
    client.socket().send(std::string_view(body).substr(at, 1'000));
    std::this_thread::sleep_for(milliseconds(100));
  }
  UpstreamConnection connection = served.upstream.accept();
  EXPECT_NE(connection.request().body, "");
  connection.begin_stream();
  connection.chunk(text_event("answer") + kFinish);
  EXPECT_TRUE(read_text(client, "answer"));
}

// Slow clients hold all available memory. Active clients are served: as few slow ones as necessary are refused with a
// retry time, and the others continue.
TEST(Bodies, HoardersMakeRoomForThoseWhoSend) {
  const std::pair<std::string, int> clients[] = {
      {"/v1/messages", 529}, {"/v1/responses", 503}, {"/v1/chat/completions", 503}};
  for (const auto& [path, status] : clients) {
    SCOPED_TRACE(path);
    const Served served("limits: {request-bytes: 1000000, bodies-bytes: 2000000}\n");
    std::vector<Client> hoard;
    for (int i = 0; i < 4; ++i) {
      hoard.emplace_back(served.proxy.port());
      hoard.back().socket().send(head_of(999'999, path) + std::string(450'000, ' '));
      EXPECT_TRUE(hoard.back().socket().delivered());
    }
    std::this_thread::sleep_for(milliseconds(1000));  // now they are slow
    Client sender(served.proxy.port());
    const std::string body = kStreamed + std::string(900'000, ' ');
    sender.post(kMessages, body);
    const UpstreamConnection connection = served.upstream.accept();
    connection.request();
    connection.begin_stream();
    connection.chunk(text_event("answer") + kFinish);
    EXPECT_TRUE(read_text(sender, "answer"));
    int sent_away = 0;
    for (Client& client : hoard) {
      if (!client.socket().readable()) continue;
      client.read_all();
      EXPECT_EQ(client.status(), status) << client.body();
      EXPECT_EQ(client.header("retry-after"), "5");
      EXPECT_NE(client.body().find("try again later"), std::string::npos);
      ++sent_away;
    }
    EXPECT_GE(sent_away, 1);
    EXPECT_LE(sent_away, 3);
  }
}

// Memory is free after any end of a body: 50 of them, one after another, hold ten times the limit.
TEST(Bodies, WhatTheyHeldIsFreeOnceTheyEnded) {
  const Served served("limits: {request-bytes: 200000, bodies-bytes: 1000000}\ntimeouts: {client: 20s}\n");
  for (int i = 0; i < 50; ++i) {
    Client leaves(served.proxy.port());
    leaves.socket().send(head_of(200'000) + std::string(150'000, ' '));
    Client broken(served.proxy.port());
    broken.post(kMessages, std::string(150'000, '{'));
    broken.read_all();
    EXPECT_EQ(broken.status(), 400) << i;
  }
}

}  // namespace
}  // namespace splitproof::server::bodies_test
