#include "harness/campaign/isolation.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/dialect/openai_chat/upstream.hpp"
#include "harness/testee/client_request.hpp"
#include "tests/harness/testee/project.hpp"

namespace splitproof::campaign::isolation_test {
namespace {

using contract::Judged;
using contract::Verdict;
using nlohmann::json;
using testee::Ending;
using testee::Exchange;
using testee::Observation;

// Relays its upstream's bytes, holds included, and lets a test spoil the output.
class Echo : public testee::Testee {
 public:
  explicit Echo(bool over_http, std::size_t max_concurrency)
      : Testee({.name = "echo",
                .client = "openai.chat",
                .upstream = "openai.chat",
                .over_http = over_http,
                .outside = over_http,
                .max_concurrency = max_concurrency}) {}

  Observation observe(const Exchange& exchange) const override {
    Observation seen = asking(*exchange.recording);
    std::size_t fed = 0;
    std::size_t hold = 0;
    for (const std::string_view chunk : exchange.chunks) {
      for (; hold < exchange.holds.size() && exchange.holds[hold].offset == fed; ++hold)
        seen.releases.push_back({fed, exchange.holds[hold].until(seen.body), seen.body.size()});
      if (exchange.leave_at == fed) {
        seen.ending = Ending::left;
        return seen;
      }
      fed += chunk.size();
      said(chunk, seen);
    }
    if (exchange.end == recording::End::reset) seen.ending = Ending::cut;
    return seen;
  }

  Observation asks(const recording::Recording& recording) const override { return asking(recording); }

  // Returns its upstream request for a client's request.
  std::function<json(const json& request)> asked = [](const json& request) { return request; };

  std::function<void(std::string_view, Observation&)> said = [](std::string_view chunk, Observation& seen) {
    seen.body += chunk;
  };

 private:
  Observation asking(const recording::Recording& recording) const {
    Observation seen;
    const std::string token = testee::request_token(1, ++requests_);
    seen.request = testee::client_request(client(), &recording, "", token).value();
    seen.calls.resize(1);
    seen.calls.front().body = asked(json::parse(seen.request)).dump();
    return seen;
  }

  mutable std::atomic<std::uint32_t> requests_ = 0;
};

const recording::Recording& recording(const std::string& id) { return project().recording(id); }

const recording::Recording& plain() { return recording("openai.chat/text-plain"); }

TEST(CanaryStream, DiffersFromTheRecordingOnlyInItsFirstText) {
  std::size_t usable = 0;
  for (const recording::Recording& one : project().corpus.recordings) {
    SCOPED_TRACE(one.id);
    const auto stream = canary_stream(one, 2);
    if (!stream) continue;
    ++usable;
    ASSERT_EQ(stream->pieces.size(), 3u);
    ASSERT_EQ(stream->holds.size(), 2u);
    const observe::Answer recorded = dialect::read(dialect::ChatUpstream(), one.body);
    const observe::Answer meaning = dialect::read(dialect::ChatUpstream(), stream->body);
    EXPECT_EQ(meaning.finish, recorded.finish);
    EXPECT_EQ(meaning.done, recorded.done);
    const std::string before = stream->body.substr(0, stream->holds[0]);
    const std::string between = stream->body.substr(stream->holds[0], stream->holds[1] - stream->holds[0]);
    const std::string after = stream->body.substr(stream->holds[1]);
    EXPECT_NE(before.find(stream->pieces[0]), std::string::npos);
    EXPECT_EQ(before.find(stream->pieces[1]), std::string::npos);
    EXPECT_NE(between.find(stream->pieces[1]), std::string::npos);
    EXPECT_EQ(between.find(stream->pieces[2]), std::string::npos);
    EXPECT_NE(after.find(stream->pieces[2]), std::string::npos);
    EXPECT_TRUE(before.ends_with("\n") || before.ends_with("\r"));
    EXPECT_NE(canary_stream(one, 1)->pieces, stream->pieces);
  }
  EXPECT_GE(usable, 10u);
}

TEST(CanaryStream, NeedsATextToReplace) {
  EXPECT_FALSE(canary_stream(recording("openai.chat/tool-plain"), 0));
  recording::Recording other = plain();
  other.protocol = "openai.responses";
  EXPECT_FALSE(canary_stream(other, 0));
  other = plain();
  other.end = recording::End::reset;
  EXPECT_FALSE(canary_stream(other, 0));
}

TEST(Isolation, StreamsThatAreKeptApartMeetIt) {
  for (const std::size_t max_concurrency : {1u, 2u, 3u, 100u}) {
    for (const bool over_http : {false, true}) {
      const Judged judged = judge_isolation(Echo(over_http, max_concurrency), plain());
      EXPECT_EQ(judged.verdict, Verdict::met)
          << max_concurrency << " " << over_http << judged.message << judged.reason;
      EXPECT_EQ(judged.obligation->id, "META-05");
    }
  }
}

TEST(Isolation, BufferThatAllStreamsShareIsFound) {
  std::mutex mutex;
  std::string buffer;
  Echo echo(true, 4);
  echo.said = [&](std::string_view chunk, Observation& seen) {
    const std::lock_guard lock(mutex);
    buffer += chunk;
    seen.body = buffer;
  };
  const Judged judged = judge_isolation(echo, plain());
  EXPECT_EQ(judged.verdict, Verdict::violated);
  EXPECT_NE(judged.message.find("has text of stream"), std::string::npos) << judged.message;
}

// One piece of another stream's text, in other events than the original ones.
TEST(Isolation, TextOfAnotherClientIsFoundAcrossEvents) {
  std::mutex mutex;
  std::string last;
  Echo echo(true, 2);
  echo.said = [&](std::string_view chunk, Observation& seen) {
    const std::lock_guard lock(mutex);
    for (const char* theirs : {"Canary 1 goes on. ", "Canary 2 goes on. "}) {
      if (chunk.find(theirs) != chunk.npos) last = theirs;
    }
    if (chunk.find("[DONE]") != chunk.npos) {
      for (const char c : last)
        seen.body += std::string("data: {\"choices\":[{\"delta\":{\"content\":\"") + c + "\"}}]}\n\n";
    }
    seen.body += chunk;
  };
  const Judged judged = judge_isolation(echo, plain());
  EXPECT_EQ(judged.verdict, Verdict::violated) << judged.reason;
}

TEST(Isolation, OwnTextThatIsLostIsFound) {
  Echo echo(true, 3);
  echo.said = [](std::string_view chunk, Observation& seen) {
    if (chunk.find("Canary 2 ends") == chunk.npos) seen.body += chunk;
  };
  const Judged judged = judge_isolation(echo, plain());
  EXPECT_EQ(judged.verdict, Verdict::violated);
  EXPECT_EQ(judged.message, "stream 2 of 3 lacks part of its own text");
}

TEST(Isolation, StreamThatBreaksAmongOthersIsFound) {
  Echo echo(true, 2);
  echo.said = [](std::string_view chunk, Observation& seen) {
    seen.body += chunk;
    if (chunk.find("Canary 2 ends") == chunk.npos) return;
    seen.ending = Ending::hung;
    seen.detail = "no byte came";
  };
  const Judged judged = judge_isolation(echo, plain());
  EXPECT_EQ(judged.verdict, Verdict::violated);
  EXPECT_EQ(judged.message, "stream 2 of 2 had another ending than alone: hung, no byte came");
}

TEST(Isolation, RestOfAnAbandonedStreamInTheNextIsFound) {
  for (const bool over_http : {false, true}) {
    std::string left_over;
    Echo echo(over_http, 1);
    echo.said = [&](std::string_view chunk, Observation& seen) {
      if (chunk.find("[DONE]") != chunk.npos) {
        seen.body += left_over;
        left_over.clear();
      }
      seen.body += chunk;
      if (chunk.find("begins") != chunk.npos) left_over += chunk;
    };
    const Judged judged = judge_isolation(echo, plain());
    EXPECT_EQ(judged.verdict, Verdict::violated);
    EXPECT_EQ(judged.message, "stream 2 of 2 has text of stream 1");
  }
}

// A testee that remembers its clients sends data of an earlier request. Each kind is found, with HTTP and without.
TEST(Isolation, DataOfAnEarlierRequestInALaterCallIsFound) {
  struct Kept {
    const char* what;
    std::function<void(json& request, const json& last)> keep;  // `last` is the earlier request
  };
  const std::vector<Kept> all = {
      {"a tool",
       [](json& request, const json& last) {
         if (!request.contains("tools") && last.contains("tools")) request["tools"] = last["tools"];
       }},
      {"the system prompt",
       [](json& request, const json& last) {
         json& messages = request["messages"];
         if (messages[0]["role"] != "system" && last["messages"][0]["role"] == "system")
           messages.insert(messages.begin(), last["messages"][0]);
       }},
      {"the words",
       [](json& request, const json& last) {
         json& messages = request["messages"];
         messages.insert(messages.begin(), last["messages"].back());
       }},
  };
  for (const Kept& kept : all) {
    for (const bool over_http : {false, true}) {
      SCOPED_TRACE(kept.what);
      std::mutex mutex;
      json last;
      Echo echo(over_http, 2);
      echo.asked = [&](json request) {
        const std::lock_guard lock(mutex);
        const json own = request;
        if (!last.is_null()) kept.keep(request, last);
        last = own;
        return request;
      };
      const Judged judged = judge_isolation(echo, plain());
      EXPECT_EQ(judged.verdict, Verdict::violated) << judged.reason;
      const std::string found = std::string(" has ") + kept.what + " of client ";
      EXPECT_NE(judged.message.find(found), std::string::npos) << judged.message;
    }
  }
}

// A testee that handles one exchange after another, against its declaration, cannot mix them. So isolation was not
// tested.
TEST(Isolation, StreamsThatDoNotMeetAreNotJudged) {
  class Queue final : public Echo {
   public:
    Queue() : Echo(true, 2) {}
    Observation observe(const Exchange& exchange) const override {
      const std::lock_guard lock(mutex_);
      return Echo::observe(exchange);
    }

   private:
    mutable std::mutex mutex_;
  };
  const Judged judged = judge_isolation(Queue(), plain());
  EXPECT_EQ(judged.verdict, Verdict::not_judged);
  EXPECT_EQ(judged.reason, "the streams never ran all at the same time");
}

// Such a recording does not show that streams are mixed up.
TEST(Isolation, DefectOfASingleStreamIsTold) {
  EXPECT_EQ(try_alone(Echo(true, 2), plain()).wrong, "");
  Echo losing(true, 2);
  losing.said = [](std::string_view chunk, Observation& seen) {
    if (chunk.find("Canary 1 ends") == chunk.npos) seen.body += chunk;
  };
  EXPECT_EQ(try_alone(losing, plain()).wrong, "also alone: stream 1 of 1 lacks part of its own text");
  Echo failing(true, 2);
  failing.said = [](std::string_view chunk, Observation& seen) {
    seen.body += chunk;
    if (chunk.find("Canary 1 ends") != chunk.npos)
      seen.body += "data: {\"error\":{\"message\":\"full\"}}\n\n";
  };
  EXPECT_EQ(try_alone(failing, plain()).wrong, "a stream alone ends in an error");
}

TEST(Isolation, TesteeThatIsLostIsNotJudged) {
  Echo echo(true, 2);
  echo.said = [](std::string_view, Observation& seen) {
    seen.ending = Ending::unavailable;
    seen.detail = "gone";
  };
  EXPECT_EQ(judge_isolation(echo, plain()).verdict, Verdict::not_judged);
  EXPECT_EQ(judge_isolation(Echo(true, 2), recording("openai.chat/tool-plain")).verdict, Verdict::not_judged);
}

}  // namespace
}  // namespace splitproof::campaign::isolation_test
