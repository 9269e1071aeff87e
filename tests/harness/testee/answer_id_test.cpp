// Each exchange has an id of its own, and what is observed has the recorded one.
#include "harness/testee/answer_id.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/testee/http_client.hpp"
#include "tests/harness/testee/reading_client.hpp"
#include "tests/harness/testee/relay.hpp"

namespace splitproof::testee::answer_id_test {
namespace {

const std::string kChat =
    "data: {\"id\":\"chatcmpl-ebb00001\",\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"call_gauge1\"}]}}]}\n\n"
    "data: {\"id\":\"chatcmpl-ebb00001\",\"choices\":[{\"delta\":{\"content\":\"The tide\"}}]}\n\n";

Exchange exchange_of(std::vector<std::string_view> chunks) {
  Exchange exchange;
  exchange.chunks = std::move(chunks);
  return exchange;
}

std::string sent(const OwnAnswerId& own) {
  std::string body;
  for (const std::string_view chunk : own.exchange().chunks) body += chunk;
  return body;
}

TEST(OwnAnswerId, ReplacesOnlyTheIdOfTheAnswer) {
  const std::string_view body = kChat;
  const Exchange exchange = exchange_of({body.substr(0, 25), body.substr(25, 70), body.substr(95)});
  const OwnAnswerId first(exchange, 1);
  const OwnAnswerId second(exchange, 2);
  const std::string here = sent(first);
  ASSERT_EQ(here.size(), kChat.size());
  EXPECT_NE(here, kChat);
  EXPECT_NE(here, sent(second));
  EXPECT_EQ(here.find("chatcmpl-ebb00001"), std::string::npos);
  EXPECT_NE(here.find("call_gauge1"), std::string::npos);
  for (std::size_t i = 0; i < exchange.chunks.size(); ++i)
    EXPECT_EQ(first.exchange().chunks[i].size(), exchange.chunks[i].size());
  Observation seen;
  seen.body = here;
  seen.calls.resize(1);
  seen.calls[0].body = "{\"previous\":\"" + here.substr(13, 16) + "\"}";
  first.restore(seen);
  EXPECT_EQ(seen.body, kChat);
}

TEST(OwnAnswerId, PutsThePartOfAnIdBackAtTheEnd) {
  const Exchange exchange = exchange_of({kChat});
  const OwnAnswerId own(exchange, 1);
  const std::string here = sent(own);
  for (std::size_t size = 0; size <= here.size(); ++size) {
    Observation seen;
    seen.body = here.substr(0, size);
    own.restore(seen);
    ASSERT_EQ(seen.body, kChat.substr(0, size));
  }
}

TEST(OwnAnswerId, KnowsTheIdsOfEachProtocol) {
  for (
      const std::string body :
      {R"(data:{"id":"chatcmpl-ebb00001"})", R"({"id":"msg_01Tide5"})",
       R"({"candidates":[],"responseId":"tide-1Kq22"})",
       R"(data: {"type":"message_start","message":{"id":"msg_01Tide5"}})",
       R"(data: {"type":"response.created","response":{"id":"resp_01tide5"},"item":{"id":"msg_01tide5"}})"}) {
    const Exchange exchange = exchange_of({body});
    EXPECT_NE(sent(OwnAnswerId(exchange, 1)), body) << body;
  }
}

TEST(OwnAnswerId, KeepsAnIdThatIsShortOrOccursElsewhere) {
  for (const std::string body :
       {R"(data: {"id":"b1"})", R"(data: {"id":"gen-1234"})", R"(data: {"id":"ebb00001"})", "data: a\n\n", "",
        R"(data: {"choices":[{"delta":{"tool_calls":[{"id":"call_gauge1"}]}}]})",
        R"(data: {"id":"msg_tides1","text":"the tides1 turn"})"}) {
    const Exchange exchange = exchange_of({body});
    EXPECT_EQ(sent(OwnAnswerId(exchange, 1)), body) << body;
  }
}

TEST(OwnAnswerId, HoldsWaitForTheRecordedId) {
  Exchange exchange = exchange_of({kChat});
  std::string read;
  exchange.holds.push_back({9, [&](std::string_view downstream) {
                              read = downstream;
                              return true;
                            }});
  const OwnAnswerId own(exchange, 1);
  EXPECT_TRUE(own.exchange().holds[0].until(sent(own)));
  EXPECT_EQ(read, kChat);
}

TEST(OwnAnswerId, AProgramGetsAnotherInEachExchange) {
  std::mutex mutex;
  std::set<std::string> answers;
  const RelayedTestee relayed(
      [&](const std::string& upstream_url, RawConnection& client, const UpstreamRequest& request) {
        const HttpAddress endpoint = *http_address(upstream_url);
        Descriptor upstream = connect_to(endpoint, client.stop(), within(kTimeout));
        const std::string asked = request.method + " " + request.target +
                                  " HTTP/1.1\r\nhost: upstream\r\nconnection: close\r\ncontent-length: " +
                                  std::to_string(request.body.size()) + "\r\n\r\n" + request.body;
        if (send_all(upstream.get(), asked, client.stop(), within(kTimeout)) != Io::done)
          return client.reset();
        std::string answer;
        while (receive(upstream.get(), answer, client.stop(), within(kTimeout)) == Io::done) {
        }
        {
          const std::lock_guard lock(mutex);
          if (answer.find("chatcmpl-ebb00001") != std::string::npos) ADD_FAILURE() << answer;
          if (answer.find("call_gauge1") != std::string::npos)
            answers.insert(answer.substr(answer.find("\r\n\r\n")));
        }
        if (!client.send(answer)) client.reset();
      });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(relayed->observe(exchange_of({kChat})).body, kChat);
  EXPECT_EQ(answers.size(), 3u);
}

}  // namespace
}  // namespace splitproof::testee::answer_id_test
