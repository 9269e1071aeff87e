#include "harness/testee/running_target.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/harness/testee/watched.hpp"

namespace splitproof::testee::running_target_test {
namespace {

namespace fs = std::filesystem;

class RunningTargetTest : public testing::Test {
 protected:
  RunningTargetTest() : supervisor_(*Supervisor::start()) {
    fs::create_directory(scratch_.at("dir"));
    installation_.dir = scratch_.at("dir");
    target_.name = "some";
    target_.path = "some.yaml";
    target_.listen = "http://127.0.0.1:{port}";
  }

  Result<std::unique_ptr<RunningTarget>> start() {
    return RunningTarget::start(target_, installation_, "http://127.0.0.1:40123", *supervisor_, stop_);
  }

  void does(std::vector<std::string> actions) { target_.command = misbehaving(std::move(actions)); }

  bool serves(const RunningTarget& running) const {
    return accepts(*http_address(running.base_url()), stop_, within(kComes));
  }

  const Scratch scratch_;
  const std::unique_ptr<Supervisor> supervisor_;
  StopToken stop_;
  Installation installation_;
  TargetFile target_;
};

TEST_F(RunningTargetTest, IsReadyWhenItsPortAccepts) {
  for (const std::vector<std::string>& before : {std::vector<std::string>{},
                                                 {"sleep:300"},
                                                 {"daemonise"},
                                                 {"sleep:100", "daemonise", "sleep:100"},
                                                 {"flood:20000"}}) {
    SCOPED_TRACE(testing::PrintToString(before));
    std::vector<std::string> actions = before;
    actions.push_back("serve:{port}:");
    does(actions);
    auto running = start();
    ASSERT_TRUE(running) << describe(running.error());
    EXPECT_TRUE((*running)->running());
    EXPECT_EQ((*running)->end(), "");
    EXPECT_TRUE(serves(**running));
    const HttpAddress address = *http_address((*running)->base_url());
    const std::string home = (*running)->places().home;
    EXPECT_TRUE(fs::is_directory(home));
    running->reset();
    EXPECT_FALSE(accepts(address, stop_, within(kComes)));
    EXPECT_FALSE(fs::exists(fs::path(home).parent_path()));
  }
}

TEST_F(RunningTargetTest, FindsThePortIfTheFileHasNoListen) {
  target_.listen = "";
  does({"daemonise", "serve:{port}:"});
  const auto offered = start();
  ASSERT_TRUE(offered) << describe(offered.error());
  EXPECT_TRUE(serves(**offered));
  EXPECT_EQ((*offered)->listen(), "http://127.0.0.1:{port}");
  EXPECT_EQ((*offered)->base_url(), "http://127.0.0.1:" + (*offered)->places().port);

  std::string port = local_address(listen_on("127.0.0.1", 0)->get());
  port = port.substr(port.find(':') + 1);
  does({"serve:" + port + ":"});
  const auto other = start();
  ASSERT_TRUE(other) << describe(other.error());
  EXPECT_EQ((*other)->base_url(), "http://127.0.0.1:" + port);
  EXPECT_EQ((*other)->listen(), "") << "the next start may choose another one";
  EXPECT_TRUE(serves(**other));
}

TEST_F(RunningTargetTest, SaysThatItListensNowhereIfTheFileHasNoListen) {
  target_.listen = "";
  target_.ready_within = std::chrono::seconds(1);
  does({"wait"});
  const auto running = start();
  ASSERT_FALSE(running);
  EXPECT_NE(running.error().what.find("no process of it listens at a port"), std::string::npos)
      << running.error().what;
}

TEST_F(RunningTargetTest, IsReadyWhenItsPathAnswers) {
  target_.listen += "/base";
  target_.ready_path = "/health";
  for (const std::string statuses : {"200", "404", "503,500,200", "599,204"}) {
    SCOPED_TRACE(statuses);
    does({"sleep:100", "serve:{port}:" + statuses});
    const auto running = start();
    ASSERT_TRUE(running) << describe(running.error());
    const HttpAddress address = *http_address((*running)->base_url());
    EXPECT_EQ(address.prefix, "/base");
    EXPECT_LT(status_of_get(address, "/health", stop_, within(kComes)), 500);
  }
}

TEST_F(RunningTargetTest, IsNotReadyWhileItAnswersWithErrors) {
  target_.ready_path = "/health";
  target_.ready_within = std::chrono::milliseconds(400);
  does({"say:not yet", "serve:{port}:503"});
  const auto running = start();
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().file, "some.yaml");
  const std::string what = running.error().what;
  EXPECT_NE(
      what.find("the target 'some' cannot be tested: it was not ready within 400 ms: http://127.0.0.1:"),
      std::string::npos)
      << what;
  EXPECT_NE(what.find("/health does not answer with a status below 500; its last output:\n  not yet"),
            std::string::npos)
      << what;
}

TEST_F(RunningTargetTest, GivesUpOneThatNeverListens) {
  target_.ready_within = std::chrono::seconds(1);
  Witness witness(scratch_.at("fifo"));
  does({"say:busy", witness.announce(), "wait"});
  const auto running = start();
  ASSERT_FALSE(running);
  const std::string what = running.error().what;
  EXPECT_NE(what.find("not ready within 1 s: http://127.0.0.1:"), std::string::npos) << what;
  EXPECT_NE(what.find("accepts no connection; its last output:\n  busy"), std::string::npos) << what;
  EXPECT_FALSE(witness.sees_life());
}

TEST_F(RunningTargetTest, GivesUpAtOnceOneThatEnds) {
  target_.ready_within = std::chrono::hours(1);
  for (const auto& [action, end] : {std::pair{"exit:3", "exit code 3"}, std::pair{"exit:0", "exit code 0"},
                                    std::pair{"crash", "signal 11 (Segmentation fault)"}}) {
    does({"say:cannot find module", action});
    const auto running = start();
    ASSERT_FALSE(running);
    EXPECT_EQ(running.error().what,
              "the target 'some' cannot be tested: it ended before it was ready, with " + std::string(end) +
                  "; its last output:\n  cannot find module");
  }
  target_.command = {"no-such-program"};
  const auto running = start();
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().what,
            "the target 'some' cannot be tested: 'no-such-program' cannot start: no such file or directory");
}

TEST_F(RunningTargetTest, TriesAnotherPortIfItsOwnIsTaken) {
  for (const std::string said : {"bind: Address already in use", "Error: listen EADDRINUSE"}) {
    SCOPED_TRACE(said);
    // The first start reports this and ends; the second finds the file.
    does({"say:" + said, "once:" + scratch_.at("tried-" + std::to_string(said.size())), "serve:{port}:"});
    const auto running = start();
    ASSERT_TRUE(running) << describe(running.error());
    EXPECT_TRUE(serves(**running));
  }
  does({"say:another mistake", "once:" + scratch_.at("tried"), "serve:{port}:"});
  EXPECT_FALSE(start());
  does({"say:EADDRINUSE", "exit:1"});
  EXPECT_FALSE(start());  // not forever
}

TEST_F(RunningTargetTest, RefusesAFixedPortThatIsTaken) {
  const Result<Descriptor> taken = listen_on("127.0.0.1", 0);
  ASSERT_TRUE(taken);
  target_.listen = "http://" + local_address(taken->get());
  does({"wait"});
  const auto running = start();
  ASSERT_FALSE(running);
  EXPECT_NE(running.error().what.find("its port is in use: "), std::string::npos) << running.error().what;
}

TEST_F(RunningTargetTest, RestartsAfterACrash) {
  target_.files = {{"{home}/config", "{port} {upstream} {upstream_port}"}, {"{dir}/config", "{dir}"}};
  target_.command = {"sh", "-c",
                     misbehaving({}).front() +
                         " serve:{port}: & echo > {home}/up; cat {home}/config >&2; "
                         "while [ -e {home}/up ]; do sleep 0.01; done; kill -SEGV $$"};
  const auto started = start();
  ASSERT_TRUE(started) << describe(started.error());
  RunningTarget& running = **started;
  const Places places = running.places();
  EXPECT_EQ(running.base_url(), "http://127.0.0.1:" + places.port);
  EXPECT_EQ(places.upstream_port, "40123");
  for (int time = 0; time < 3; ++time) {
    const std::string expected = running.places().port + " http://127.0.0.1:40123 40123";
    EXPECT_TRUE(comes_true([&] { return running.said_last() == "\n  " + expected; })) << running.said_last();
    EXPECT_EQ(text_of(places.dir + "/config"), places.dir);
    std::ofstream(places.dir + "/config") << "spoilt";
    ASSERT_TRUE(comes_true([&] { return fs::exists(places.home + "/up"); }));
    fs::remove(places.home + "/up");
    EXPECT_TRUE(comes_true([&] { return !running.running(); }));
    EXPECT_EQ(running.end(), "signal 11 (Segmentation fault)");
    const Result<void> again = running.restart();
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_TRUE(running.running());
    EXPECT_TRUE(serves(running));
    EXPECT_EQ(running.places().home, places.home);
  }
}

TEST_F(RunningTargetTest, RestartsOneWithAFixedPort) {
  {
    const Result<Descriptor> free = listen_on("127.0.0.1", 0);
    target_.listen = "http://" + local_address(free->get());
  }
  does({"serve:" + target_.listen.substr(target_.listen.rfind(':') + 1) + ":200"});
  target_.ready_path = "/";
  const auto running = start();
  ASSERT_TRUE(running) << describe(running.error());
  for (int time = 0; time < 3; ++time) {
    const Result<void> again = (*running)->restart();
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ((*running)->base_url(), target_.listen);
  }
}

TEST_F(RunningTargetTest, WaitsForOneThatRunsAlready) {
  target_.ready_within = std::chrono::milliseconds(200);
  Result<Descriptor> listener = listen_on("127.0.0.1", 0);
  ASSERT_TRUE(listener);
  target_.listen = "http://" + local_address(listener->get());
  target_.upstream_listen = "127.0.0.1:1";
  {
    const auto running = start();
    ASSERT_TRUE(running) << describe(running.error());
    EXPECT_EQ((*running)->base_url(), target_.listen);
    EXPECT_TRUE((*running)->running());
    EXPECT_EQ((*running)->end(), "");
    EXPECT_EQ((*running)->places().home, "");
    EXPECT_TRUE((*running)->restart());
  }
  EXPECT_TRUE(accepts(*http_address(target_.listen), stop_, within(kComes)));
  listener->close();
  EXPECT_FALSE(start());
}

TEST_F(RunningTargetTest, StopsWhenTheBellRings) {
  target_.ready_within = std::chrono::hours(1);
  Witness witness(scratch_.at("fifo"));
  does({witness.announce(), "wait"});
  std::thread ringing([&] {
    EXPECT_TRUE(witness.sees(1));
    stop_.request_stop();
  });
  const auto running = start();
  ringing.join();
  ASSERT_FALSE(running);
  EXPECT_FALSE(witness.sees_life());
}

TEST_F(RunningTargetTest, LeavesNoDescriptorOpen) {
  const std::size_t before = open_descriptors();
  target_.ready_path = "/";
  for (int time = 0; time < 3; ++time) {
    does({"serve:{port}:503,200"});
    EXPECT_TRUE(start());
    does({"exit:1"});
    EXPECT_FALSE(start());
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(HttpAddress, IsTakenFromAUrl) {
  EXPECT_EQ(http_address("http://127.0.0.1:8080"), (HttpAddress{"127.0.0.1", 8080, ""}));
  EXPECT_EQ(http_address("http://localhost/"), (HttpAddress{"localhost", 80, ""}));
  EXPECT_EQ(http_address("http://[::1]:8080/a/b/"), (HttpAddress{"::1", 8080, "/a/b"}));
  EXPECT_EQ(http_address("http://[::1]"), (HttpAddress{"::1", 80, ""}));
  for (const char* bad : {"", "https://a:1", "a:1", "http://", "http://:1", "http://a:", "http://a:b",
                          "http://a:65536", "http://a:0", "http://a:1b", "http://[]:1"}) {
    EXPECT_FALSE(http_address(bad)) << bad;
  }
}

TEST(StatusOfGet, OnlyAStatusLineIsRead) {
  const StopToken stop;
  for (const auto& [answer, status] :
       {std::pair{"HTTP/1.1 204 No\r\n\r\n", 204}, std::pair{"HTTP/1.0 500\r\n", 500},
        std::pair{"SSH-2.0-x\r\n", 0}, std::pair{"HTTP/1.1 2", 0}, std::pair{"HTTP/1.1 2x0 So\r\n", 0},
        std::pair{"", 0}}) {
    SCOPED_TRACE(answer);
    const Result<Descriptor> listener = listen_on("127.0.0.1", 0);
    ASSERT_TRUE(listener);
    const HttpAddress address = *http_address("http://" + local_address(listener->get()));
    std::string asked;
    std::thread server([&, text = std::string(answer)] {
      Io io = Io::done;
      const Descriptor client = accept_from(listener->get(), stop, within(kComes), io);
      while (asked.find("\r\n\r\n") == std::string::npos && io == Io::done)
        io = receive(client.get(), asked, stop, within(kComes));
      for (const char byte : text) send_all(client.get(), std::string(1, byte), stop, within(kComes));
    });
    EXPECT_EQ(status_of_get(address, "/ready?x=1", stop, within(kComes)), status);
    server.join();
    EXPECT_EQ(
        asked.rfind("GET /ready?x=1 HTTP/1.1\r\nhost: 127.0.0.1:" + std::to_string(address.port) + "\r\n", 0),
        0U)
        << asked;
  }
}

}  // namespace
}  // namespace splitproof::testee::running_target_test
