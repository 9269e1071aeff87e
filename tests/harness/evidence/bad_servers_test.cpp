// Servers over real sockets that break rules of `transport`. Each violation is found on the whole way from the socket
// to the verdict, before and after the evidence is written down.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/transport_trace.hpp"
#include "tests/harness/testee/relay.hpp"

namespace splitproof::evidence::bad_servers_test {
namespace {

using std::chrono::milliseconds;
using testee::Exchange;
using testee::Observation;
using testee::RawConnection;
using testee::RelayedTestee;
using testee::UpstreamRequest;

using Ids = std::set<std::string>;

const std::string kFirst =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":null}]}\n\n";
const std::string kLast =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
const std::string kError = R"({"error":{"message":"Oops.","type":"server_error"}})";
const std::string kStreamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";

Ids violated(const Exchange& exchange, const Observation& seen) {
  static const auto folder = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    return std::filesystem::path(root == nullptr ? "." : root) / "contracts";
  }();
  static const contract::Contracts contracts = contract::Contracts::load({folder}).value();
  static const contract::Profile profile = contract::load_profile("default", {folder}).value();
  Ids ids;
  for (const contract::Judged& judged : contract::judge(contracts, contract::kTransport, profile,
                                                        transport_trace("openai.chat", exchange, seen), {})) {
    if (judged.verdict == contract::Verdict::violated) ids.insert(judged.obligation->id);
  }
  return ids;
}

// Returns the violations of an exchange, and expects the same ones after it was written to a file and read again.
Ids violations(const RelayedTestee& testee, const Exchange& exchange) {
  const Observation seen = testee->observe(exchange);
  Evidence evidence;
  evidence.testee.name = "t";
  evidence.testee.client = evidence.testee.upstream = "openai.chat";
  evidence.testee.over_http = evidence.testee.outside = true;
  StoredExchange& exhibit = evidence.exhibits.emplace_back();
  for (const std::string_view chunk : exchange.chunks) {
    exhibit.upstream += chunk;
    exhibit.cuts.push_back(exhibit.upstream.size());
  }
  exhibit.end = exchange.end;
  exhibit.status = exchange.status;
  exhibit.leave_at = exchange.leave_at;
  exhibit.seen = seen;
  const Result<Evidence> read = parse(to_text(evidence).value(), "x");
  EXPECT_TRUE(read) << describe(read.error());
  const Ids ids = violated(exchange, seen);
  EXPECT_EQ(violated(read->exhibits[0].exchange(nullptr), read->exhibits[0].seen), ids);
  return ids;
}

Exchange stream() {
  Exchange exchange;
  exchange.chunks = {kFirst, kLast};
  return exchange;
}

Exchange failing(int status) {
  Exchange exchange;
  exchange.chunks = {kError};
  exchange.status = status;
  return exchange;
}

Exchange leaving() {
  Exchange exchange = stream();
  exchange.leave_at = kFirst.size();
  return exchange;
}

// A server that asks its upstream and then answers as the test wants.
using Answer = std::function<void(RawConnection& client, const std::string& body,
                                  const std::function<std::string()>& ask)>;

RelayedTestee answering(Answer answer, testee::Headers headers = {}) {
  return RelayedTestee(
      [answer = std::move(answer), headers = std::move(headers)](
          const std::string& upstream, RawConnection& client, const UpstreamRequest& request) {
        const auto ask = [&] {
          const testee::StopToken stop;
          return testee::post(*testee::http_address(upstream), {request.target, headers, request.body}, {},
                              {}, stop)
              .body;
        };
        answer(client, ask(), ask);
      });
}

std::string chunk(const std::string& bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + bytes + "\r\n";
}

std::string with_length(const std::string& body, std::size_t length) {
  return "content-length: " + std::to_string(length) + "\r\n\r\n" + body;
}

TEST(BadServers, AGoodOneViolatesNothing) {
  const RelayedTestee good(testee::Manners{});
  EXPECT_EQ(violations(good, stream()), Ids{});
  EXPECT_EQ(violations(good, leaving()), Ids{});
  for (const int status : {400, 401, 403, 404, 413, 429, 500, 502, 503, 529})
    EXPECT_EQ(violations(good, failing(status)), Ids{}) << status;
  Exchange reset = stream();
  reset.end = recording::End::reset;
  EXPECT_EQ(violations(good, reset), Ids{});
}

TEST(BadServers, OneThatNeverNoticesThatItsClientLeft) {
  testee::HttpTimeouts timeouts;
  timeouts.leaving = milliseconds(200);
  const RelayedTestee deaf(testee::Manners{.notices_leaving = false}, {}, timeouts);
  EXPECT_EQ(violations(deaf, leaving()), Ids{"SSE-14"});
  EXPECT_EQ(violations(deaf, stream()), Ids{});
}

TEST(BadServers, TwoFinalChunks) {
  const auto server = answering([](RawConnection& client, const std::string& body, const auto&) {
    client.send(kStreamHead + "transfer-encoding: chunked\r\n\r\n" + chunk(body) + "0\r\n\r\n0\r\n\r\n");
  });
  EXPECT_EQ(violations(server, stream()), Ids{"TRN-04"});
}

TEST(BadServers, SuccessForAnErrorOfTheUpstream) {
  const auto server = answering([](RawConnection& client, const std::string&, const auto&) {
    client.send(kStreamHead + "transfer-encoding: chunked\r\n\r\n" + chunk(kLast) + "0\r\n\r\n");
  });
  EXPECT_EQ(violations(server, failing(500)), (Ids{"TRN-05", "TRN-07"}));
  EXPECT_EQ(violations(server, stream()), Ids{});
}

TEST(BadServers, TheUpstreamsLengthOfAnotherBody) {
  for (const auto& [more, ids] : std::map<int, Ids>{{30, {"SSE-13"}}, {-30, {"SSE-13", "TRN-04"}}, {0, {}}}) {
    const auto server = answering([more = more](RawConnection& client, const std::string& body, const auto&) {
      client.send(kStreamHead + with_length(body, body.size() + static_cast<std::size_t>(more)));
    });
    EXPECT_EQ(violations(server, stream()), ids) << more;
  }
}

TEST(BadServers, AnotherTryThatRepeatsWhatWasSaid) {
  const auto server = answering([](RawConnection& client, const std::string& body, const auto& ask) {
    client.send(kStreamHead + "transfer-encoding: chunked\r\n\r\n" + chunk(body.substr(0, kFirst.size())));
    std::this_thread::sleep_for(milliseconds(100));  // until the client has read it
    client.send(chunk(ask()) + "0\r\n\r\n");
  });
  EXPECT_EQ(violations(server, stream()), (Ids{"TRN-10", "TRN-15"}));
}

TEST(BadServers, AnotherTryBehindAWholeAnswerThatNobodyWasTold) {
  const auto server = answering([](RawConnection& client, const std::string&, const auto& ask) {
    client.send(kStreamHead + "transfer-encoding: chunked\r\n\r\n" + chunk(ask()) + "0\r\n\r\n");
  });
  EXPECT_EQ(violations(server, stream()), Ids{"TRN-15"});
}

TEST(BadServers, AnotherTryBesideAnAnswerThatIsStillComing) {
  const RelayedTestee server(
      [](const std::string& upstream, RawConnection& client, const UpstreamRequest& request) {
        const testee::StopToken stop;
        const testee::HttpAddress address = *testee::http_address(upstream);
        // Stops reading the first answer at its beginning.
        testee::StopToken enough;
        testee::ClientEvents events;
        events.read = [&enough](std::string_view) { enough.request_stop(); };
        testee::post(address, {request.target, {}, request.body}, {}, events, enough);
        const std::string body = testee::post(address, {request.target, {}, request.body}, {}, {}, stop).body;
        client.send(kStreamHead + "transfer-encoding: chunked\r\n\r\n" + chunk(body) + "0\r\n\r\n");
      });
  Exchange exchange = stream();
  exchange.holds = {{kFirst.size(), [](std::string_view) { return false; }}};
  EXPECT_EQ(violations(server, exchange), Ids{"TRN-15"});
}

TEST(BadServers, AnotherKindOfErrorInAnotherForm) {
  const auto server = answering([](RawConnection& client, const std::string&, const auto&) {
    client.send("HTTP/1.1 500 Oops\r\ncontent-type: text/html\r\nconnection: close\r\n" +
                with_length("<p>Oops", 7));
  });
  EXPECT_EQ(violations(server, failing(429)), (Ids{"TRN-06", "TRN-08", "TRN-09"}));
  EXPECT_EQ(violations(server, failing(503)), Ids{"TRN-08"});
}

TEST(BadServers, NothingAtAll) {
  const auto server = answering([](RawConnection& client, const std::string&, const auto&) {
    client.send(kStreamHead + with_length("", 0));
  });
  Exchange reset;
  reset.end = recording::End::reset;
  EXPECT_EQ(violations(server, reset), Ids{"TRN-02"});
}

TEST(BadServers, TheUpstreamsEncodingAndContentType) {
  const auto server = answering([](RawConnection& client, const std::string& body, const auto&) {
    client.send(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\nconnection: close\r\n" +
        with_length(body, body.size()));
  });
  EXPECT_EQ(violations(server, stream()), (Ids{"SSE-13", "TRN-01"}));
}

TEST(BadServers, TheKeyInTheError) {
  const auto server = answering(
      [](RawConnection& client, const std::string&, const auto&) {
        const std::string body = R"({"error":{"message":"no such key: example-key-0123456789"}})";
        client.send("HTTP/1.1 401 No\r\ncontent-type: application/json\r\nconnection: close\r\n" +
                    with_length(body, body.size()));
      },
      {{"authorization", "Bearer example-key-0123456789"}});
  EXPECT_EQ(violations(server, failing(401)), Ids{"TRN-12"});
}

// Passes everything from its client to its upstream, under the names of the test.
RelayedTestee handing_on(const std::map<std::string, std::string>& names,
                         const std::string& more_of_target = {}) {
  return RelayedTestee(
      [=](const std::string& upstream, RawConnection& client, const UpstreamRequest& request) {
        testee::Headers headers;
        for (const auto& [name, other] : names) {
          if (const std::string* value = testee::find_header(request.headers, name))
            headers.push_back({other, *value});
        }
        const testee::StopToken stop;
        const std::string body =
            testee::post(*testee::http_address(upstream),
                         {request.target + more_of_target, headers, request.body}, {}, {}, stop)
                .body;
        client.send(kStreamHead + "transfer-encoding: chunked\r\n\r\n" + chunk(body) + "0\r\n\r\n");
      },
      [](testee::TargetFile& file) {
        file.headers = {{"authorization", "Bearer key-of-the-client"}, {"cookie", "session=of-the-client"}};
      });
}

TEST(BadServers, TheClientsSecretsInOtherFields) {
  EXPECT_EQ(violations(handing_on({}), stream()), Ids());
  EXPECT_EQ(violations(handing_on({{"authorization", "authorization"}}), stream()), Ids());
  EXPECT_EQ(violations(handing_on({{"authorization", "x-client-key"}}), stream()), Ids{"TRN-16"});
  EXPECT_EQ(violations(handing_on({{"cookie", "cookie"}}), stream()), Ids{"TRN-16"});
  EXPECT_EQ(violations(handing_on({}, "?key=key-of-the-client"), stream()), Ids{"TRN-16"});
}

}  // namespace
}  // namespace splitproof::evidence::bad_servers_test
