// `--target FILE` of misbehaving programs behind a pipe: a clear verdict, the right exit code, and no remains.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "harness/read_file.hpp"
#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::pipe_target_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarker = "SPLITPROOF_PIPE_TARGET";
constexpr const char* kCase = "openai.chat/text-plain?client=anthropic.messages&gen=whole";

class PipeTarget : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
    fs::create_directory(folder_.at("tmp"));
  }

  void TearDown() override {
    if (IsSkipped()) return;
    for (int i = 0; i < 3000 && !left_over().empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(left_over(), std::set<std::string>());
    EXPECT_TRUE(fs::is_empty(folder_.at("tmp"))) << fs::directory_iterator(folder_.at("tmp"))->path();
  }

  /// Runs cases of the target with this program, in Python.
  Finished run(const std::string& program, std::vector<std::string> options = {"--only", kCase},
               const std::string& timeout = "1s") const {
    folder_.put("program.py", program);
    return run_target("[python3, program.py]", std::move(options), timeout);
  }

  Finished run_target(const std::string& command, std::vector<std::string> options,
                      const std::string& timeout = "1s") const {
    options.insert(options.begin(), {"run", "--target", target(command, timeout)});
    return splitproof(options, start());
  }

  /// Returns the path of a target file.
  std::string target(const std::string& command, const std::string& timeout) const {
    std::string text = "target: bad\nkind: pipe\nclient: anthropic.messages\nupstream: openai.chat\n";
    text += "timeout: " + timeout + "\ncommand: " + command + "\n";
    return folder_.put("bad.yaml", text + "env: {" + kMarker + ": " + folder_.at("") + "}\n");
  }

  Start start() const {
    Start start;
    start.environment = {"TMPDIR=" + folder_.at("tmp"), "SPLITPROOF_TARGETS=" + folder_.at("targets")};
    return start;
  }

  static bool mentions(const Finished& finished, const std::string& text) {
    return (finished.out + finished.err).find(text) != std::string::npos;
  }

  const Folder folder_;

 private:
  // Returns processes with the marker in their environment, with their command lines.
  std::set<std::string> left_over() const {
    std::set<std::string> found;
    for (const fs::directory_entry& process : fs::directory_iterator("/proc")) {
      if (text_of(process.path() / "environ").find(kMarker + ("=" + folder_.at(""))) != std::string::npos)
        found.insert(process.path().string() + " " + text_of(process.path() / "cmdline"));
    }
    return found;
  }

  // Empty for a process that ends meanwhile.
  static std::string text_of(const fs::path& path) { return read_file(path.string()).value_or(""); }
};

// Acknowledges everything, with `body` for each chunk.
std::string agreeing(const std::string& body) {
  return "import json, os, sys, time\n"
         "def write(text):\n"
         "    sys.stdout.write(text)\n"
         "    sys.stdout.flush()\n"
         "for line in sys.stdin:\n"
         "    fed = 'feed' in json.loads(line)\n"
         "    if fed: " +
         body +
         "\n"
         "    write('{\"ack\":true}\\n')\n";
}

TEST_F(PipeTarget, EachFailureOfTheProgramIsItsOwnFinding) {
  struct Case {
    const char* body;
    const char* obligation;
    const char* detail;
    const char* timeout = "1s";
  };
  for (const Case& c : {
           Case{"os.kill(os.getpid(), 9)", "RUN-01", "signal 9"},
           Case{"sys.exit('no idea')", "RUN-01", "no idea"},
           Case{"write('{\"error\":\"no idea\"}\\n') or time.sleep(60)", "RUN-01", "no idea"},
           Case{"os.close(1) or time.sleep(60)", "RUN-01", "closed its standard output"},
           Case{"time.sleep(60)", "RUN-02", "did not answer within 1 s"},
           Case{"os.write(1, bytes(range(128, 256)) + b'\\n\\0')", "RUN-03", "\\x80\\x81"},
           Case{"write('debug\\n')", "RUN-03", "`debug`"},
           Case{"write('{\"ack\":true}\\n' * 2)", "RUN-03",
                ""},  // at once, so that none is taken for a later answer
           Case{"[os.write(1, b'y' * 65536) for i in range(1100)]", "RUN-03",
                "the program wrote a line of more than ", "60s"},  // so many bytes take their time
       }) {
    SCOPED_TRACE(c.body);
    const Finished finished = run(agreeing(c.body), {"--only", kCase}, c.timeout);
    EXPECT_EQ(finished.code, 1) << finished.err;
    EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: VIOLATES  ")) << finished.out;
    EXPECT_TRUE(mentions(finished, c.obligation)) << finished.out;
    EXPECT_TRUE(mentions(finished, c.detail)) << finished.out;
  }
}

TEST_F(PipeTarget, FindingThatComesAndGoesIsTriedAgain) {
  const std::string seen = "'" + folder_.at("seen") + "'";
  const std::string first_time =
      "not os.path.exists(" + seen + ") and len(line) > 800 and open(" + seen + ", 'w') and ";
  struct Case {
    std::string body;
    const char* tries;  // empty: it is there again
  };
  for (const Case& c : {Case{first_time + "write('debug\\n')", "unstable: in 1 of 5 tries of this case"},
                        Case{first_time + "os.kill(os.getpid(), 9)",
                             "unstable: in 1 of 5 tries of this case; splitproof found no"},
                        Case{"write('debug\\n')", ""}, Case{"os.kill(os.getpid(), 9)", ""}}) {
    SCOPED_TRACE(c.body);
    fs::remove(folder_.at("seen"));
    const Finished finished = run(agreeing(c.body));
    EXPECT_EQ(finished.code, 1) << finished.err;
    EXPECT_TRUE(mentions(finished, "RUN-0")) << finished.out;
    const bool comes_and_goes = c.tries[0] != '\0';
    EXPECT_EQ(mentions(finished, "1 unstable, "), comes_and_goes) << finished.out;
    EXPECT_EQ(mentions(finished, "unstable:"), comes_and_goes) << finished.out;
    EXPECT_TRUE(mentions(finished, c.tries)) << finished.out;
  }
}

TEST_F(PipeTarget, FailedStartHasItsOwnExitCode) {
  struct Case {
    const char* command;
    const char* why;
  };
  for (const Case& c :
       {Case{"[./no-such-program]", "no-such-program"}, Case{"[python3, no-such-file.py]", "no-such-file.py"},
        Case{"[sh, -c, 'echo no licence >&2; exit 3']", "no licence"}}) {
    SCOPED_TRACE(c.command);
    const Finished finished = run_target(c.command, {"--only", kCase});
    EXPECT_EQ(finished.code, 4) << finished.out;
    EXPECT_TRUE(mentions(finished, c.why)) << finished.err;
  }
}

TEST_F(PipeTarget, ChildrenEndWithTheCampaign) {
  const Finished finished = run("import os, time\nif os.fork() == 0: time.sleep(600)\n" + agreeing("pass"));
  EXPECT_EQ(finished.code, 1) << finished.err;  // it sends nothing
  EXPECT_FALSE(mentions(finished, "RUN-0")) << finished.out;
}

TEST_F(PipeTarget, NothingRunsOnWhenTheHarnessIsKilled) {
  const std::string seen = folder_.at("seen");
  folder_.put("program.py", agreeing("open('" + seen + "', 'w') and time.sleep(600)"));
  const std::string script = "\"$SPLITPROOF_PROGRAM\" run --target " +
                             target("[python3, program.py]", "600s") + " & until test -e " + seen +
                             "; do sleep 0.1; done; kill -9 $!; wait $!";
  EXPECT_EQ(run_program({"/bin/sh", "-c", script}, start()).code, 137);
  // A killed process cannot remove its folder.
  for (const fs::directory_entry& left : fs::directory_iterator(folder_.at("tmp"))) fs::remove_all(left);
}

TEST_F(PipeTarget, ExampleConformsOnPlainText) {
  const std::string target = (source_root() / "docs" / "examples" / "python.yaml").string();
  const Finished finished =
      splitproof({"run", "--target", target, "--only", "openai.chat/text-plain"}, start());
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: CONFORMS  1 recording")) << finished.out;
}

}  // namespace
}  // namespace splitproof::cli::pipe_target_test
