#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/testee/last_lines.hpp"
#include "harness/testee/process.hpp"
#include "tests/harness/testee/watched.hpp"

namespace splitproof::testee::supervisor_test {
namespace {

std::unique_ptr<Supervisor> supervisor() {
  auto started = Supervisor::start();
  if (!started) {
    ADD_FAILURE() << describe(started.error());
    std::abort();
  }
  return *std::move(started);
}

std::unique_ptr<Process> launched(Supervisor& supervisor, const Launch& launch) {
  auto process = supervisor.launch(launch);
  if (!process) {
    ADD_FAILURE() << describe(process.error());
    std::abort();
  }
  return *std::move(process);
}

Launch launch_of(std::vector<std::string> actions, std::string errors = {}) {
  Launch launch;
  launch.command = misbehaving(std::move(actions));
  launch.errors = std::move(errors);
  return launch;
}

std::string ended(const Process& process) {
  EXPECT_TRUE(comes_true([&] { return !process.running(); }));
  return process.end();
}

TEST(Supervisor, EndOfAProgramIsReported) {
  const auto supervising = supervisor();
  for (const auto& [action, end] : {std::pair{"exit:0", "exit code 0"}, std::pair{"exit:7", "exit code 7"},
                                    std::pair{"crash", "signal 11 (Segmentation fault)"}}) {
    const auto process = launched(*supervising, launch_of({action}));
    EXPECT_EQ(ended(*process), end);
  }
  const auto process = launched(*supervising, launch_of({"wait"}));
  EXPECT_TRUE(process->running());
  EXPECT_EQ(process->end(), "");
}

TEST(Supervisor, FailedStartIsReportedWithTheReason) {
  const Scratch scratch;
  const auto supervising = supervisor();
  Launch launch;
  launch.command = {"no-such-program", "--port", "1"};
  auto process = supervising->launch(launch);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().what, "'no-such-program --port 1' cannot start: no such file or directory");

  launch.command = {scratch.put("plain", "text")};
  process = supervising->launch(launch);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().what, "'" + scratch.at("plain") + "' cannot start: permission denied");

  launch = launch_of({"wait"});
  launch.folder = scratch.at("absent");
  process = supervising->launch(launch);
  ASSERT_FALSE(process);
  EXPECT_NE(process.error().what.find("its folder '" + scratch.at("absent") +
                                      "' cannot be entered: no such file or directory"),
            std::string::npos)
      << process.error().what;

  launch = launch_of({"wait"}, scratch.at("absent/errors"));
  process = supervising->launch(launch);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().file, scratch.at("absent/errors"));

  EXPECT_FALSE(supervising->launch(Launch{}));
  launch = launch_of({"wait"});
  launch.env = {{"A=B", "C"}};
  EXPECT_FALSE(supervising->launch(launch));
  launch = launch_of({std::string("wait\0", 5)});
  EXPECT_FALSE(supervising->launch(launch));
  launch = launch_of({std::string(1 << 21, 'x')});
  process = supervising->launch(launch);
  ASSERT_FALSE(process);
  EXPECT_NE(process.error().what.find("too long"), std::string::npos) << process.error().what;

  EXPECT_EQ(ended(*launched(*supervising, launch_of({"exit:3"}))),
            "exit code 3");  // it still works after all these
}

TEST(Supervisor, ProgramGetsItsFolderEnvironmentAndErrorFile) {
  const Scratch scratch;
  const auto supervising = supervisor();
  Launch launch = launch_of({"folder", "print:TOLD", "print:HOME", "print:EMPTY", "say:last"},
                            scratch.put("errors", "before\n"));
  launch.folder = scratch.root();
  launch.env = {{"TOLD", "a=b c"}, {"EMPTY", ""}};
  EXPECT_EQ(ended(*launched(*supervising, launch)), "exit code 0");
  const char* home = std::getenv("HOME");
  EXPECT_EQ(text_of(scratch.at("errors")),
            "before\n" + scratch.root() + "\na=b c\n" + (home == nullptr ? "(none)" : home) + "\n\nlast\n");
}

TEST(Supervisor, FindsAProgramInThePathOfItsOwnEnvironment) {
  const Scratch scratch;
  const auto supervising = supervisor();
  scratch.put("only-there", "#!/bin/sh\nexit 5\n");
  ASSERT_EQ(chmod(scratch.at("only-there").c_str(), 0700), 0);
  Launch launch;
  launch.command = {"only-there"};
  EXPECT_FALSE(supervising->launch(launch));
  launch.env = {{"PATH", scratch.root() + ":/bin:/usr/bin"}};
  EXPECT_EQ(ended(*launched(*supervising, launch)), "exit code 5");
}

TEST(Supervisor, ProgramInheritsNoDescriptorsOrSignals) {
  const Scratch scratch;
  const int inheritable = open("/dev/null", O_RDONLY);  // before the supervisor, and inheritable
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigset_t before;
  sigprocmask(SIG_BLOCK, &blocked, &before);
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  const auto supervising = supervisor();
  const auto other = launched(*supervising, launch_of({"wait"}));
  EXPECT_EQ(ended(*launched(*supervising, launch_of({"descriptors", "signals"}, scratch.at("errors")))),
            "exit code 0");
  EXPECT_EQ(text_of(scratch.at("errors")), "0 1 2 \nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  std::signal(SIGPIPE, old);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(inheritable);
}

TEST(Supervisor, ConnectsPipes) {
  const auto supervising = supervisor();
  Launch launch = launch_of({"echo", "exit:4"});
  launch.pipes = true;
  const auto process = launched(*supervising, launch);
  const std::string sent = "from end to end";
  ASSERT_EQ(write(process->input(), sent.data(), sent.size()), static_cast<ssize_t>(sent.size()));
  std::string got;
  EXPECT_TRUE(comes_true([&] {
    std::array<char, 64> bytes{};
    const ssize_t size = read(process->output(), bytes.data(), bytes.size());
    if (size > 0) got.append(bytes.data(), static_cast<std::size_t>(size));
    return got.size() >= sent.size();
  }));
  EXPECT_EQ(got, sent);
  process->close_input();
  EXPECT_EQ(ended(*process), "exit code 4");
}

TEST(Supervisor, LargeOutputOfAProgramDoesNotBlock) {
  const Scratch scratch;
  const auto supervising = supervisor();
  EXPECT_EQ(ended(*launched(*supervising, launch_of({"flood:100000"}, scratch.at("errors")))), "exit code 0");
  EXPECT_EQ(text_of(scratch.at("errors")).size(), 10'000'000U);
}

// Actions of a program before it waits. Nothing may remain of any of them after its end.
const std::vector<std::vector<std::string>>& evasions() {
  static const std::vector<std::vector<std::string>> all = {
      {},
      {"ignore"},
      {"daemonise"},
      {"fork:2"},
      {"ignore", "fork:3"},
      {"ignore", "daemonise"},
      {"leave"},
      {"leave", "leave", "leave"},
      {"fork:1", "leave", "ignore", "clear", "fork:1"},
      {"clear", "daemonise", "clear", "daemonise", "clear"},
  };
  return all;
}

std::size_t processes_of(const std::vector<std::string>& evasion) {
  std::size_t count = 1;
  for (const std::string& action : evasion) {
    if (action == "leave") count *= 2;
    if (action.rfind("fork:", 0) == 0) count <<= std::stoul(action.substr(5));
  }
  return count;
}

Launch evading(std::vector<std::string> evasion, const Witness& witness) {
  evasion.push_back(witness.announce());
  evasion.push_back("wait");
  return launch_of(std::move(evasion));
}

// Returns a shell that starts a remaining process, and acts when the file `go` exists.
std::vector<std::string> leaving(const std::string& actions, const Witness& witness, const std::string& go,
                                 const std::string& then) {
  return {"sh", "-c",
          misbehaving({}).front() + " " + actions + " " + witness.announce() + " wait & until [ -e " + go +
              " ]; do sleep 0.01; done; " + then};
}

TEST(Supervisor, EndOfALargeOutputIsKept) {
  const Scratch scratch;
  const auto supervising = supervisor();
  Launch launch;
  launch.command = {"sh", "-c", "yes | head -c 40000000 >&2; echo the last line >&2; exec sleep 600"};
  launch.errors = scratch.at("errors");
  const auto process = launched(*supervising, launch);
  const auto said_all = [&] { return last_lines(launch.errors).ends_with("the last line"); };
  EXPECT_TRUE(comes_true(
      [&] { return said_all() && std::filesystem::file_size(launch.errors) <= (std::uintmax_t{16} << 20); }));
  EXPECT_TRUE(process->running());
}

TEST(Supervisor, EndsAllThatAProgramStarted) {
  const Scratch scratch;
  const auto supervising = supervisor();
  for (std::size_t i = 0; i < evasions().size(); ++i) {
    SCOPED_TRACE(testing::PrintToString(evasions()[i]));
    Witness witness(scratch.at("fifo-" + std::to_string(i)));
    auto process = launched(*supervising, evading(evasions()[i], witness));
    ASSERT_TRUE(witness.sees(processes_of(evasions()[i])));
    EXPECT_TRUE(process->running());
    process.reset();
    EXPECT_FALSE(witness.sees_life());  // at once: the destructor has waited
  }
}

TEST(Supervisor, AsksEveryProcessToEndBeforeItKills) {
  const Scratch scratch;
  const auto supervising = supervisor();
  Witness witness(scratch.at("fifo"));
  Launch launch;
  const std::string program = misbehaving({}).front() + " ";
  const std::string then = " " + witness.announce() + " wait & ";
  launch.command = {"sh", "-c",
                    program + "answer:" + scratch.at("child") + then + "sh -c '" + program +
                        "answer:" + scratch.at("grandchild") + then + "wait' & " + program +
                        "daemonise answer:" + scratch.at("daemon") + then + "wait"};
  auto process = launched(*supervising, launch);
  ASSERT_TRUE(witness.sees(3));
  process.reset();
  for (const char* asked : {"child", "grandchild", "daemon"})
    EXPECT_EQ(access(scratch.at(asked).c_str(), F_OK), 0) << asked;
}

TEST(Supervisor, OnlyProcessesOfTheProgramAreEnded) {
  const Scratch scratch;
  const auto supervising = supervisor();
  std::vector<std::unique_ptr<Witness>> witnesses;
  std::vector<std::unique_ptr<Process>> processes;
  for (std::size_t i = 0; i < evasions().size(); ++i) {
    witnesses.push_back(std::make_unique<Witness>(scratch.at("fifo-" + std::to_string(i))));
    processes.push_back(launched(*supervising, evading(evasions()[i], *witnesses.back())));
  }
  for (std::size_t i = 0; i < evasions().size(); ++i)
    ASSERT_TRUE(witnesses[i]->sees(processes_of(evasions()[i])));
  for (std::size_t i = 0; i < evasions().size(); ++i) {
    SCOPED_TRACE(testing::PrintToString(evasions()[i]));
    processes[i].reset();
    for (std::size_t other = 0; other < evasions().size(); ++other) {
      EXPECT_EQ(witnesses[other]->sees_life(), other > i) << other;
      EXPECT_EQ(processes[other] != nullptr && processes[other]->running(), other > i) << other;
    }
  }
}

TEST(Supervisor, EndsEverythingWhenItIsDestroyed) {
  const Scratch scratch;
  Witness witness(scratch.at("fifo"));
  auto supervising = supervisor();
  const auto process = launched(*supervising, evading({"ignore", "leave"}, witness));
  ASSERT_TRUE(witness.sees(2));
  supervising.reset();
  EXPECT_FALSE(witness.sees_life());
  EXPECT_FALSE(process->running());
}

TEST(Supervisor, EndsEverythingWhenThisProgramIsKilled) {
  for (const int signal : {SIGKILL, SIGTERM, SIGSEGV}) {
    SCOPED_TRACE(signal);
    const Scratch scratch;
    std::vector<std::unique_ptr<Witness>> witnesses;
    for (std::size_t i = 0; i < evasions().size(); ++i)
      witnesses.push_back(std::make_unique<Witness>(scratch.at("fifo-" + std::to_string(i))));
    const pid_t program = fork();
    ASSERT_GE(program, 0);
    if (program == 0) {
      setpgid(0, 0);
      std::signal(signal, SIG_DFL);
      const auto supervising = supervisor();
      std::vector<std::unique_ptr<Process>> processes;
      for (std::size_t i = 0; i < evasions().size(); ++i)
        processes.push_back(launched(*supervising, evading(evasions()[i], *witnesses[i])));
      while (true) pause();
    }
    for (std::size_t i = 0; i < evasions().size(); ++i)
      EXPECT_TRUE(witnesses[i]->sees(processes_of(evasions()[i])));
    kill(-program, signal);  // the whole process group, which must not contain the supervisor
    waitpid(program, nullptr, 0);
    for (const auto& witness : witnesses) EXPECT_TRUE(witness->sees_them_gone());
  }
}

TEST(Supervisor, DaemonRunsAsLongAsAnyOfIt) {
  const Scratch scratch;
  const auto supervising = supervisor();
  Witness witness(scratch.at("fifo"));
  const auto daemon = launched(
      *supervising, launch_of({"daemonise", witness.announce(), "once:" + scratch.at("first"), "crash"}));
  ASSERT_TRUE(witness.sees(1));
  EXPECT_EQ(ended(*daemon), "exit code 1");
  EXPECT_FALSE(witness.sees_life());

  const auto crashing = launched(*supervising, launch_of({"daemonise", "crash"}));
  EXPECT_EQ(ended(*crashing), "signal 11 (Segmentation fault)");
  const auto done = launched(*supervising, launch_of({"daemonise", "fork:2", "exit:0"}));
  EXPECT_EQ(ended(*done), "exit code 0");
}

TEST(Supervisor, ProcessesOfAFailedProgramAreEnded) {
  const Scratch scratch;
  const auto supervising = supervisor();
  for (const bool once : {false, true}) {
    SCOPED_TRACE(once);
    Witness witness(scratch.at(once ? "once" : "crash"));
    // The program makes the file and exits with code 1. Its remaining process finds the file, or makes it and exits.
    Launch launch;
    const std::string go = scratch.at(once ? "go-once" : "go-crash");
    launch.command = leaving("ignore", witness, go, once ? "exit 0" : "kill -SEGV $$");
    launch.once = once;
    const auto process = launched(*supervising, launch);
    ASSERT_TRUE(witness.sees(1));
    EXPECT_TRUE(process->running());
    const std::ofstream made(go);
    EXPECT_EQ(ended(*process), once ? "exit code 0" : "signal 11 (Segmentation fault)");
    EXPECT_TRUE(witness.sees_them_gone());
  }
}

TEST(Supervisor, SignalForTheTerminalsProcessesReachesNoProgram) {
  const Scratch scratch;
  Witness witness(scratch.at("fifo"));
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t program = fork();
  if (program == 0) {
    setpgid(0, 0);
    std::signal(SIGINT, SIG_IGN);
    const auto supervising = supervisor();
    const auto process = launched(*supervising, evading({"leave"}, witness));
    kill(0, SIGINT);  // as a terminal does: the whole process group
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const char alive = process->running() ? 'y' : 'n';
    static_cast<void>(!write(told[1], &alive, 1));
    _exit(0);
  }
  EXPECT_TRUE(witness.sees(2));
  char alive = '?';
  EXPECT_EQ(read(told[0], &alive, 1), 1);
  EXPECT_EQ(alive, 'y');
  waitpid(program, nullptr, 0);
  EXPECT_TRUE(witness.sees_them_gone());
  close(told[0]);
  close(told[1]);
}

TEST(Supervisor, ProgramIsEndedIfItsKeeperWasKilled) {
  const Scratch scratch;
  const auto supervising = supervisor();
  Witness witness(scratch.at("fifo"));
  Witness other(scratch.at("other"));
  Launch launch;
  launch.command = leaving("ignore leave", witness, scratch.at("go"), "kill -9 $PPID; wait");
  launch.confined = false;
  const auto unharmed = launched(*supervising, evading({"leave"}, other));
  const auto process = launched(*supervising, launch);
  ASSERT_TRUE(witness.sees(2));
  ASSERT_TRUE(other.sees(2));
  scratch.put("go", "");
  EXPECT_EQ(ended(*process), "unknown, because its keeper was killed");
  EXPECT_TRUE(witness.sees_them_gone());
  EXPECT_TRUE(other.sees_life());
  EXPECT_TRUE(unharmed->running());
}

// A program without namespaces can reach the processes that supervise it.
TEST(Supervisor, EndsAProgramThatStoppedItsSupervisors) {
  const Scratch scratch;
  auto supervising = supervisor();
  Witness witness(scratch.at("fifo"));
  Launch launch;
  launch.command = leaving("ignore leave", witness, scratch.at("go"),
                           "kill -STOP $(cut -d ' ' -f 4 /proc/$PPID/stat) $PPID; echo > " +
                               scratch.at("stopped") + "; exec sleep 600");
  launch.confined = false;
  auto process = launched(*supervising, launch);
  ASSERT_TRUE(witness.sees(2));
  scratch.put("go", "");
  ASSERT_TRUE(comes_true([&] { return access(scratch.at("stopped").c_str(), F_OK) == 0; }));
  EXPECT_EQ(ended(*launched(*supervising, launch_of({"exit:5"}))), "exit code 5");
  process.reset();
  EXPECT_FALSE(witness.sees_life());
}

TEST(Supervisor, EndsAProgramThatKilledItsSupervisors) {
  const Scratch scratch;
  auto supervising = supervisor();
  Witness witness(scratch.at("fifo"));
  Launch launch;
  launch.command = leaving("ignore leave", witness, scratch.at("go"),
                           "kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat) $PPID; exec sleep 600");
  launch.confined = false;
  auto process = launched(*supervising, launch);
  ASSERT_TRUE(witness.sees(2));
  scratch.put("go", "");
  EXPECT_EQ(ended(*process), "unknown, because its keeper was killed");
  EXPECT_FALSE(supervising->launch(launch_of({"exit:0"})));
  supervising.reset();
  EXPECT_FALSE(witness.sees_life());
}

TEST(Supervisor, ServesManyThreads) {
  const auto supervising = supervisor();
  std::vector<std::thread> threads;
  std::array<std::string, 8> ends;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int time = 0; time < 5; ++time) {
        const auto process = supervising->launch(launch_of({"exit:" + std::to_string(i)}));
        ends[i] += process ? ended(**process) + " " : describe(process.error());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    std::string five;
    for (int time = 0; time < 5; ++time) five += "exit code " + std::to_string(i) + " ";
    EXPECT_EQ(ends[i], five);
  }
}

TEST(Supervisor, MustBeStartedBeforeThereAreThreads) {
  StopToken over;
  std::thread other([&] { sleep_until(over, within(kComes)); });
  EXPECT_FALSE(Supervisor::start());
  over.request_stop();
  other.join();
  EXPECT_TRUE(Supervisor::start());  // at once, though the kernel still shows the thread for a moment
}

TEST(Supervisor, LeavesNoDescriptorOpen) {
  const Scratch scratch;
  const std::size_t before = open_descriptors();
  {
    const auto supervising = supervisor();
    const std::size_t with_supervisor = open_descriptors();
    for (int time = 0; time < 20; ++time) {
      Launch launch = launch_of({"exit:0"}, scratch.at("errors"));
      launch.pipes = time % 2 == 0;
      ended(*launched(*supervising, launch));
      launch.command = {"no-such-program"};
      EXPECT_FALSE(supervising->launch(launch));
    }
    EXPECT_EQ(open_descriptors(), with_supervisor);
  }
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace splitproof::testee::supervisor_test
