#include "harness/evidence/evidence_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness/testee/credentials.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::evidence::evidence_file_test {
namespace {

const std::string kHead =
    R"({"evidence":1,"target":"t","client":"anthropic.messages","upstream":"openai.chat","kind":"http"})";
const std::string kCase = R"({"case":"a","upstream":{"body":"xyz","end":"complete"}})";
const std::string kAnswer = R"({"at":1,"head":{"status":200}})";
const std::string kEnd = R"({"at":2,"end":"complete"})";
const std::string kCount = R"({"exhibits":1})";

std::string lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : engine_(seed) {}

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  bool coin() { return below(2) == 0; }
  double time() { return static_cast<double>(below(1000000)) / 999983.0; }

  // Returns text, or bytes that are not text.
  std::string bytes(std::size_t most) {
    static const std::vector<std::string> kPieces = {
        "a",          "data: ", "\n", "\r", "\"", "\\", "\u2713", "\xe2\x9c", "\xff", std::string(1, '\0'),
        "example-key"};
    std::string bytes;
    for (std::size_t n = below(most + 1); n > 0; --n) bytes += kPieces[below(kPieces.size())];
    return bytes;
  }

  std::vector<std::size_t> offsets(std::size_t size) {
    std::vector<std::size_t> offsets;
    for (std::size_t at = below(3); at <= size; at += below(4)) {
      offsets.push_back(at);
      if (offsets.size() > 5) break;
    }
    return offsets;
  }

  testee::Headers headers() {
    testee::Headers headers;
    for (std::size_t n = below(4); n > 0; --n)
      headers.push_back({coin() ? "x-one" : coin() ? "Authorization" : bytes(2), bytes(3)});
    return headers;
  }

  testee::UpstreamCall call() {
    testee::UpstreamCall call{bytes(1),    bytes(2), headers(), bytes(5),   static_cast<int>(below(600)),
                              below(5000), bytes(1), coin(),    below(100), {}};
    if (coin()) call.left = time();
    return call;
  }

  testee::Observation observation() {
    testee::Observation seen;
    seen.body = bytes(12);
    if (coin()) {
      testee::HttpMessage& http = seen.http.emplace();
      http.status = static_cast<int>(below(600));
      http.headers = headers();
      http.head_at = time();
      for (const std::size_t end : offsets(seen.body.size())) http.reads.push_back({time(), end});
      http.chunked = coin();
      http.chunk_ends = offsets(seen.body.size());
      http.final_chunks = below(3);
      http.trailing = below(3);
      http.ended_at = time();
    }
    seen.after_chunk = offsets(seen.body.size());
    seen.ending = static_cast<testee::Ending>(below(8));
    seen.detail = bytes(2);
    if (coin()) seen.request = bytes(5);
    for (std::size_t n = below(3); n > 0; --n) seen.calls.push_back(call());
    for (std::size_t n = below(3); n > 0; --n) seen.releases.push_back({below(50), coin(), below(50)});
    return seen;
  }

  StoredExchange exhibit() {
    StoredExchange exhibit;
    exhibit.case_id = bytes(2);
    exhibit.cases = below(9);
    exhibit.upstream = bytes(12);
    exhibit.cuts = offsets(exhibit.upstream.size());
    exhibit.end = static_cast<recording::End>(below(4));
    if (coin()) exhibit.status = static_cast<int>(below(600));
    exhibit.holds = offsets(exhibit.upstream.size());
    if (coin()) exhibit.frames = observe::frame_styles()[below(observe::frame_styles().size())];
    if (coin()) exhibit.leave_at = below(20);
    exhibit.seen = observation();
    if (coin()) exhibit.seen.socket.push_back({"pong", {{"side", "client"}, {"answered", "yes"}}});
    return exhibit;
  }

  Evidence evidence() {
    Evidence evidence;
    evidence.version = coin() ? "0.1" : "";
    evidence.testee.name = "t";
    evidence.testee.client = "anthropic.messages";
    evidence.testee.upstream = "openai.chat";
    evidence.profile = coin() ? "default" : "";
    evidence.testee.over_http = coin();
    evidence.testee.outside = evidence.testee.over_http || coin();
    if (coin()) evidence.testee.cannot = {"thinking", "tools"};
    evidence.testee.continues = coin();
    if (coin()) {
      recording::Recording& recording = evidence.recording.emplace();
      recording.id = "openai.chat/x";
      recording.protocol = "openai.chat";
      recording.body = "data: \xff\n\n";
      recording.arrivals = {{0.5, 3}, {0.5, recording.body.size()}};
      recording.ended_at = 1;
    }
    for (std::size_t n = below(4); n > 0; --n) evidence.exhibits.push_back(exhibit());
    return evidence;
  }

 private:
  std::mt19937 engine_;
};

TEST(EvidenceFile, WrittenEvidenceIsReadAgainWithoutSecrets) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Evidence evidence = Draw(seed).evidence();
    const auto text = to_text(evidence);
    ASSERT_TRUE(text) << describe(text.error());
    const auto read = parse(*text, "x.jsonl");
    ASSERT_TRUE(read) << describe(read.error()) << "\n" << *text;
    for (StoredExchange& exhibit : evidence.exhibits) exhibit.seen = testee::without_secrets(exhibit.seen);
    EXPECT_TRUE(*read == evidence) << *text;
    EXPECT_EQ(to_text(*read), text);
    if (evidence.recording) {
      EXPECT_EQ(read->recording->id, "openai.chat/x");
    }
  }
}

TEST(EvidenceFile, IsTheSameOnDisk) {
  const Evidence evidence = Draw(7).evidence();
  const auto folder = std::filesystem::temp_directory_path() /
                      ("splitproof-evidence-" + std::to_string(std::random_device()()));
  const std::string path = (folder / "deep" / "x.evidence.jsonl").string();
  ASSERT_TRUE(save(evidence, path));
  const auto read = load(path);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(to_text(*read), to_text(evidence));
  EXPECT_FALSE(load((folder / "none").string()));
  EXPECT_FALSE(save(evidence, folder.string()));
  std::filesystem::remove_all(folder);
}

// A file that was cut off anywhere is reported, and never accepted as complete.
TEST(EvidenceFile, CutOffFilesAreRefused) {
  constexpr std::size_t kStep = kSanitized ? 6 : 1;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const std::string text = to_text(Draw(seed).evidence()).value();
    std::size_t whole = 0;
    for (std::size_t size = seed % kStep; size < text.size(); size += kStep) {
      const auto read = parse(std::string_view(text).substr(0, size), "x");
      const bool at_line_end = size > 0 && (text[size - 1] == '\n' || text[size] == '\n');
      if (read) {
        EXPECT_TRUE(at_line_end) << size;
        ++whole;
      } else {
        EXPECT_GT(read.error().line, 0u);
      }
    }
    const std::size_t exhibits = parse(text, "x").value().exhibits.size();
    EXPECT_LE(whole, 2 * (exhibits + 1));  // before and after the line feed of the head and of each end
  }
}

TEST(EvidenceFile, SecretsAreNotWritten) {
  Evidence evidence = Draw(1).evidence();
  evidence.exhibits.resize(1);
  testee::Observation& seen = evidence.exhibits[0].seen;
  seen.calls.resize(1);
  seen.calls[0].headers = {{"authorization", "Bearer topmost-secret"}, {"x-api-key", "tiny"}};
  seen.body = "";
  seen.http.emplace();
  seen.http->headers = {{"x", "is topmost-secret"}};
  const std::string text = to_text(evidence).value();
  EXPECT_EQ(text.find("topmost-secret"), std::string::npos);
  EXPECT_EQ(text.find("tiny"), std::string::npos);
}

TEST(EvidenceFile, InvalidEvidenceIsNotWritten) {
  const auto refused = [](const std::function<void(StoredExchange&)>& change) {
    Evidence evidence;
    StoredExchange& exhibit = evidence.exhibits.emplace_back();
    exhibit.upstream = exhibit.seen.body = "12345";
    exhibit.seen.http.emplace();
    exhibit.seen.http->reads = {{0, 5}};
    EXPECT_TRUE(to_text(evidence));
    change(exhibit);
    const auto text = to_text(evidence);
    return text ? "" : text.error().what;
  };
  EXPECT_NE(refused([](StoredExchange& e) { e.cuts = {6}; }).find("cuts"), std::string::npos);
  EXPECT_NE(refused([](StoredExchange& e) { e.cuts = {3, 2}; }).find("cuts"), std::string::npos);
  EXPECT_NE(refused([](StoredExchange& e) { e.holds = {6}; }).find("holds"), std::string::npos);
  EXPECT_NE(refused([](StoredExchange& e) {
              e.seen.http->reads = {{0, 6}};
            }).find("reads"),
            std::string::npos);
  EXPECT_NE(refused([](StoredExchange& e) {
              e.seen.http->reads = {{0, 3}, {0, 2}};
            }).find("reads"),
            std::string::npos);
  EXPECT_NE(refused([](StoredExchange& e) {
              e.seen.http->head_at = std::numeric_limits<double>::quiet_NaN();
            }).find("time"),
            std::string::npos);
}

TEST(EvidenceFile, BrokenFilesAreRefusedWithTheirLine) {
  struct Broken {
    std::vector<std::string> text;
    std::size_t line;
    std::string says;
  };
  const std::vector<Broken> table = {
      {{}, 1, "head is missing"},
      {{""}, 1, "not JSON"},
      {{"[]"}, 1, "not a JSON object"},
      {{"{}"}, 1, "head is missing"},
      {{R"({"evidence":2})"}, 1, "version 2"},
      {{R"({"evidence":1})"}, 1, "no `target`"},
      {{R"({"evidence":1,"x":1})"}, 1, "unknown key `x`"},
      {{R"({"evidence":1,"target":1,"client":"a","upstream":"b","kind":"http"})"}, 1, "not a string"},
      {{R"({"evidence":1,"target":"t","client":"a","upstream":"b","kind":1})"}, 1, "not a string"},
      {{R"({"evidence":1,"target":"t","client":"a","upstream":"b","kind":"pipe","turns":3})"},
       1,
       "`turns` is not 2"},
      {{R"({"evidence":1,"target":"t","client":"a","upstream":"b","kind":"http","cannot":[1]})"},
       1,
       "list of strings"},
      {{R"({"evidence":1,"target":"t","client":"a","upstream":"b","kind":"http","recording":{"id":"x","text":"{}\n"}})"},
       1,
       "line 1 of the embedded recording"},
      {{kHead, "\xff"}, 2, "not UTF-8"},
      {{kHead, "{"}, 2, "not JSON"},
      {{kHead, kEnd}, 2, "does not belong to a case"},
      {{kHead, kCase, kAnswer, kEnd}, 4, "counts the observations"},
      {{kHead, kCase, kAnswer, kEnd, R"({"exhibits":2})"}, 5, "announces another number"},
      {{kHead, kCase, kAnswer, kEnd, kCount, kCase}, 6, "after the last line"},
      {{kHead, kCase}, 2, "no end"},
      {{kHead, kCase, kCase}, 3, "before the previous case ended"},
      {{kHead, kCase, kEnd}, 3, "of a response without a head"},
      {{kHead, kCase, kAnswer, kEnd, kEnd}, 5, "does not belong to a case"},
      {{kHead, kCase, kAnswer, kAnswer}, 4, "second head"},
      {{kHead, kCase, R"({"text":"x"})", kAnswer}, 4, "after the body"},
      {{kHead, kCase, R"({"at":1,"text":"x"})"}, 3, "before the head"},
      {{kHead, kCase, kAnswer, R"({"text":"x"})", R"({"at":1,"text":"x"})"}, 5, "without a time"},
      {{kHead, kCase, kAnswer, R"({"at":"1","text":"x"})"}, 4, "number of seconds"},
      {{kHead, kCase, kAnswer, R"({"at":1,"text":"x","base64":""})"}, 4, "one of `text` and `base64`"},
      {{kHead, kCase, kAnswer, R"({"at":1})"}, 4, "one of `text` and `base64`"},
      {{kHead, kCase, kAnswer, R"({"at":1,"base64":"!"})"}, 4, "not base64"},
      {{kHead, kCase, kAnswer, R"({"at":1,"end":"well"})"}, 4, "cannot be `well`"},
      {{kHead, kCase, kAnswer, R"({"end":"complete"})"}, 4, "no `at`"},
      {{kHead, kCase, kAnswer, R"({"at":1,"end":"complete","trailing":-1})"}, 4, "whole number"},
      {{kHead, kCase, R"({"held":1,"met":1,"downstream":0})"}, 3, "not true or false"},
      {{kHead, kCase, R"({"call":{"method":"POST"}})"}, 3, "no `target`"},
      {{kHead, kCase,
        R"({"call":{"method":"POST","target":"/","status":200,"outcome":"finished","headers":["a"]}})"},
       3,
       "pairs of name and value"},
      {{kHead, kCase, R"({"at":1,"head":{"status":1000}})"}, 3, "not a status"},
      {{kHead, R"({"case":"a","upstream":{"body":"xyz","end":"complete","cuts":[4]}})"},
       2,
       "`cuts` do not increase"},
      {{kHead, R"({"case":"a","upstream":{"body":"xyz","end":"complete","holds":[2,1]}})"},
       2,
       "`holds` do not"},
      {{kHead, R"({"case":"a","upstream":{"body":{"base64":1},"end":"complete"}})"}, 2, "is not text or"},
      {{kHead, R"({"case":"a","upstream":{"body":"xyz"}})"}, 2, "no `end`"},
  };
  for (const Broken& broken : table) {
    const auto read = parse(lines(broken.text), "x.jsonl");
    const std::string last = broken.text.empty() ? "" : broken.text.back();
    ASSERT_FALSE(read) << last;
    EXPECT_EQ(read.error().file, "x.jsonl");
    EXPECT_EQ(read.error().line, broken.line) << last << ": " << describe(read.error());
    EXPECT_NE(describe(read.error()).find(broken.says), std::string::npos)
        << last << ": " << describe(read.error());
  }
  EXPECT_TRUE(parse(lines({kHead, kCase, kAnswer, R"({"at":1,"text":"x"})", kEnd, kCount}), "x.jsonl"));
}

TEST(StoredExchange, HasTheInputOfTheTestee) {
  StoredExchange exhibit;
  exhibit.upstream = "123456";
  exhibit.cuts = {2, 5};
  exhibit.end = recording::End::reset;
  exhibit.status = 429;
  exhibit.holds = {3};
  exhibit.leave_at = 3;
  const testee::Exchange exchange = exhibit.exchange(nullptr);
  EXPECT_EQ(exchange.chunks, (std::vector<std::string_view>{"12", "345", "6"}));
  EXPECT_EQ(exchange.end, recording::End::reset);
  EXPECT_EQ(exchange.status, 429);
  ASSERT_EQ(exchange.holds.size(), 1u);
  EXPECT_EQ(exchange.holds[0].offset, 3u);
  EXPECT_EQ(exchange.leave_at, 3u);
}

}  // namespace
}  // namespace splitproof::evidence::evidence_file_test
