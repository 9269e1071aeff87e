// Agents on a socket, which answer with prepared blocks.

#include "harness/coverage/tcp_coverage.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace splitproof::coverage::tcp_coverage_test {
namespace {

using namespace std::string_literals;
using Names = std::vector<std::string>;

std::string lcov_block(const std::string& text) {
  std::string size(4, '\0');
  for (std::size_t i = 0; i < size.size(); ++i) size[i] = static_cast<char>(text.size() >> 8 * i & 0xFF);
  return "\x11" + size + text;
}

std::string whole(const std::string& text) { return "\x01\xC1\xC0"s + lcov_block(text) + "\x20"; }

// Answers one request after the other. Each answer gets a connection of its own.
class FakeAgent {
 public:
  explicit FakeAgent(std::vector<std::string> answers) : listener_(*testee::listen_on("127.0.0.1", 0)) {
    address_ = testee::local_address(listener_.get());
    thread_ = std::thread([this, answers = std::move(answers)] {
      for (const std::string& answer : answers) {
        testee::Io io{};
        const auto late = testee::within(std::chrono::seconds(30));
        const Descriptor socket = testee::accept_from(listener_.get(), stop_, late, io);
        if (socket.get() < 0) return;
        std::string asked;
        while (asked.size() < 8)
          if (testee::receive(socket.get(), asked, stop_, late) != testee::Io::done) return;
        asked_.push_back(asked);
        testee::send_all(socket.get(), answer, stop_, late);
      }
    });
  }
  ~FakeAgent() {
    stop_.request_stop();
    thread_.join();
  }
  FakeAgent(const FakeAgent&) = delete;
  FakeAgent& operator=(const FakeAgent&) = delete;

  std::shared_ptr<TcpCoverage> coverage() const {
    testee::TargetFile target;
    target.path = "t.yaml";
    target.coverage.at = address_;
    return *TcpCoverage::at(target, nobody_);
  }

  const std::vector<std::string>& asked() const { return asked_; }

 private:
  testee::StopToken stop_;
  testee::StopToken nobody_;
  Descriptor listener_;
  std::string address_;
  std::vector<std::string> asked_;
  std::thread thread_;
};

Names reached(TcpCoverage& coverage) {
  const auto places = coverage.take();
  EXPECT_TRUE(places) << describe(places.error());
  Names names;
  for (const std::uint32_t place : places.value_or(std::vector<std::uint32_t>()))
    names.push_back(coverage.name(place));
  return names;
}

std::string why(std::string answer) {
  const FakeAgent agent({std::move(answer)});
  const auto places = agent.coverage()->take();
  return places ? ""
                : places.error().what.substr(0, places.error().what.find("127.0.0.1")) + "..." +
                      places.error().what.substr(
                          places.error().what.find(' ', places.error().what.find("127.")));
}

TEST(TcpCoverage, ReadsTheLinesOfTheAgent) {
  const FakeAgent agent(
      {whole("SF:a.go\nDA:1,2\nDA:2,0\nend_of_record\nSF:b.go\nDA:1,1,sum\nend_of_record\n"),
       "\x01\xC1\xC0"s + lcov_block("SF:a.go\r\nDA:1,0\r\n") + lcov_block("DA:2,7\n") + "\x20"});
  const auto coverage = agent.coverage();
  EXPECT_EQ(reached(*coverage), (Names{"a.go:1", "b.go:1"}));
  EXPECT_EQ(coverage->known(), (std::vector<std::uint32_t>{0, 1, 2}));
  // The second connection is that of an agent that was started again.
  EXPECT_EQ(reached(*coverage), Names{"a.go:2"});
  EXPECT_EQ(agent.asked(), std::vector<std::string>(2, "\x01\xC0\xC0\x10\x07\x40\x01\x01"s));
}

TEST(TcpCoverage, SaysWhatIsWrongWithAnAnswer) {
  EXPECT_EQ(why(whole("")), "coverage: tcp gives nothing: the agent at ... knows no line");
  EXPECT_EQ(why("\x01\xC0\xC0"s),
            "coverage: tcp gives nothing: the agent at ... sends another format than LCOV");
  EXPECT_EQ(why("\x30"s), "coverage: tcp gives nothing: the agent at ... sends a block of an unknown type");
  EXPECT_EQ(why(whole("SF:a\nDA:1,1\n").substr(0, 12)),
            "coverage: tcp gives nothing: the agent at ... broke off its answer");
  EXPECT_EQ(why("\x11\xFF\xFF\xFF\x7F"s),
            "coverage: tcp gives nothing: the agent at ... sends more than 64 MiB");
}

TEST(TcpCoverage, SaysThatNobodyListens) {
  std::string address;
  {
    const auto free = testee::listen_on("127.0.0.1", 0);
    address = testee::local_address(free->get());
  }
  testee::TargetFile target;
  target.coverage.at = address;
  const testee::StopToken stop;
  const auto coverage = *TcpCoverage::at(target, stop);
  const auto places = coverage->take();
  ASSERT_FALSE(places);
  EXPECT_EQ(places.error().what, "coverage: tcp gives nothing: no agent answers at " + address);
  target.coverage.at = "nowhere";
  EXPECT_EQ(TcpCoverage::at(target, stop).error().what,
            "'nowhere' is not the address of an agent for coverage");
}

}  // namespace
}  // namespace splitproof::coverage::tcp_coverage_test
