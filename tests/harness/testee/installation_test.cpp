#include "harness/testee/installation.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/testee/fresh_folder.hpp"
#include "harness/testee/last_lines.hpp"
#include "tests/harness/testee/watched.hpp"

namespace splitproof::testee::installation_test {
namespace {

namespace fs = std::filesystem;

/// An environment variable for one test.
class Variable {
 public:
  Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Variable() { set(old_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value)
      setenv(name_, value->c_str(), 1);
    else
      unsetenv(name_);
  }

  const char* name_;
  std::optional<std::string> old_;
};

class InstallationTest : public testing::Test {
 protected:
  InstallationTest() : supervisor_(*Supervisor::start()) {
    target_.name = "some";
    target_.path = "some.yaml";
    target_.command = {"sh"};
  }

  Result<Installation> install_it() { return install(target_, *supervisor_, stop_); }
  std::string in_dir(const std::string& name) const { return scratch_.at("targets/some/" + name); }

  const Scratch scratch_;
  const Variable targets_{"SPLITPROOF_TARGETS", scratch_.at("targets")};
  const std::unique_ptr<Supervisor> supervisor_;
  StopToken stop_;
  TargetFile target_;
};

TEST(FolderOfTarget, EnvironmentDecidesTheFolder) {
  const Variable home("HOME", "/h");
  {
    const Variable targets("SPLITPROOF_TARGETS", "/t/");
    const Variable cache("XDG_CACHE_HOME", "/c");
    EXPECT_EQ(folder_of_target("a"), "/t/a");
  }
  {
    const Variable targets("SPLITPROOF_TARGETS", "below/./here");
    EXPECT_EQ(folder_of_target("a"), (fs::current_path() / "below/here/a").string());
  }
  const Variable targets("SPLITPROOF_TARGETS", std::nullopt);
  {
    const Variable cache("XDG_CACHE_HOME", "/c");
    EXPECT_EQ(folder_of_target("a"), "/c/splitproof/targets/a");
  }
  for (const auto& nothing : {std::optional<std::string>(), std::optional<std::string>("relative")}) {
    const Variable cache("XDG_CACHE_HOME", nothing);
    EXPECT_EQ(folder_of_target("a"), "/h/.cache/splitproof/targets/a");
    const Variable homeless("HOME", std::nullopt);
    EXPECT_FALSE(folder_of_target("a"));
  }
}

TEST_F(InstallationTest, RunsTheCommandOnceInTheFolder) {
  target_.install = "pwd; echo {dir} >> here; echo warned >&2";
  for (int time = 0; time < 3; ++time) {
    const Result<Installation> installed = install_it();
    ASSERT_TRUE(installed) << describe(installed.error());
    EXPECT_EQ(installed->dir, scratch_.at("targets/some"));
    EXPECT_EQ(installed->version, "");
  }
  EXPECT_EQ(text_of(in_dir("here")), scratch_.at("targets/some") + "\n");
  EXPECT_EQ(text_of(in_dir(".splitproof/install.log")), scratch_.at("targets/some") + "\nwarned\n");
  target_.install += "; true";
  ASSERT_TRUE(install_it());
  EXPECT_EQ(text_of(in_dir("here")), scratch_.at("targets/some") + "\n" + scratch_.at("targets/some") + "\n");
}

TEST_F(InstallationTest, TriesAgainAfterAFailure) {
  target_.install = "echo once >> tried; seq 30; [ -e fixed ] || exit 3";
  for (int time = 1; time <= 2; ++time) {
    const Result<Installation> installed = install_it();
    ASSERT_FALSE(installed);
    EXPECT_EQ(installed.error().file, "some.yaml");
    const std::string what = installed.error().what;
    EXPECT_NE(what.find("the target 'some' cannot be installed: exit code 3"), std::string::npos) << what;
    EXPECT_NE(what.find("\n  29\n  30"), std::string::npos) << what;
    EXPECT_EQ(what.find("\n  18\n"), std::string::npos) << what;
    EXPECT_NE(installed.error().hint.find(in_dir(".splitproof/install.log")), std::string::npos);
  }
  EXPECT_EQ(text_of(in_dir("tried")), "once\nonce\n");
  const std::ofstream fixed(in_dir("fixed"));
  EXPECT_TRUE(install_it());
  EXPECT_TRUE(install_it());
  EXPECT_EQ(text_of(in_dir("tried")), "once\nonce\nonce\n");
}

TEST_F(InstallationTest, FailedChangeIsNotTakenForTheOldInstallation) {
  target_.install = "echo good >> tried";
  ASSERT_TRUE(install_it());
  const std::string good = target_.install;
  target_.install = "exit 1";
  EXPECT_FALSE(install_it());
  target_.install = good;
  EXPECT_TRUE(install_it());
  EXPECT_EQ(text_of(in_dir("tried")), "good\ngood\n");
}

TEST_F(InstallationTest, IsDoneByOneRunAtATime) {
  target_.install = "mkdir busy && echo run >> runs && sleep 0.2 && rmdir busy";
  std::vector<std::thread> runs;
  std::array<bool, 4> installed{};
  for (bool& each : installed) runs.emplace_back([&] { each = install_it().has_value(); });
  for (std::thread& run : runs) run.join();
  EXPECT_EQ(std::count(installed.begin(), installed.end(), true), 4);
  EXPECT_EQ(text_of(in_dir("runs")), "run\n");
}

TEST_F(InstallationTest, ProcessesOfTheCommandAreEnded) {
  Witness witness(scratch_.at("fifo"));
  target_.install = misbehaving({}).front() + " leave ignore " + witness.announce() + " wait & sleep 0.2";
  EXPECT_TRUE(install_it());
  EXPECT_TRUE(witness.sees_them_gone());
}

TEST_F(InstallationTest, StopsWhenTheBellRings) {
  Witness witness(scratch_.at("fifo"));
  target_.install = misbehaving({}).front() + " ignore " + witness.announce() + " wait";
  std::thread ringing([&] {
    EXPECT_TRUE(witness.sees(1));
    stop_.request_stop();
  });
  const Result<Installation> installed = install_it();
  ringing.join();
  ASSERT_FALSE(installed);
  EXPECT_NE(installed.error().what.find("stopped"), std::string::npos);
  EXPECT_FALSE(witness.sees_life());
  EXPECT_EQ(text_of(in_dir(".splitproof/installed")), "");
}

TEST_F(InstallationTest, AsksForTheVersion) {
  target_.version = "cat {dir}/nothing; echo; echo '  v1.2.3 (x) '; echo more";
  Result<Installation> installed = install_it();
  ASSERT_TRUE(installed) << describe(installed.error());
  EXPECT_EQ(installed->version, "v1.2.3 (x)");
  target_.version = "seq 100000";  // more than a pipe holds
  installed = install_it();
  ASSERT_TRUE(installed) << describe(installed.error());
  EXPECT_EQ(installed->version, "1");
  target_.version = "echo 1; echo broken >&2; exit 2";
  installed = install_it();
  ASSERT_FALSE(installed);
  EXPECT_NE(installed.error().what.find("is unknown: exit code 2; its last output:\n  broken"),
            std::string::npos)
      << installed.error().what;
}

TEST_F(InstallationTest, NeedsAFolder) {
  target_.install = "true";
  const Variable targets("SPLITPROOF_TARGETS", scratch_.put("file", "") + "/targets");
  EXPECT_FALSE(install_it());
}

TEST_F(InstallationTest, NoInstallationUsesTheFolderOfTheTargetFile) {
  target_.path = scratch_.at("project/target.yaml");
  const Result<Installation> installed = install_it();
  ASSERT_TRUE(installed);
  EXPECT_EQ(installed->dir, scratch_.at("project"));
  EXPECT_FALSE(fs::exists(scratch_.at("targets")));
}

TEST_F(InstallationTest, LeavesOneThatRunsAlreadyAlone) {
  target_.command.clear();
  const Result<Installation> installed = install_it();
  ASSERT_TRUE(installed);
  EXPECT_EQ(*installed, Installation{});
  EXPECT_FALSE(fs::exists(scratch_.at("targets")));
}

TEST_F(InstallationTest, LeavesNoDescriptorOpen) {
  target_.install = "true";
  target_.version = "echo 1";
  const std::size_t before = open_descriptors();
  for (int time = 0; time < 5; ++time) {
    target_.install += "; true";
    EXPECT_TRUE(install_it());
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(WriteFiles, FillsAndWritesThem) {
  const Scratch scratch;
  TargetFile target;
  target.files = {{"{dir}/a/b.json", "{\"port\": {port}}"}, {"{home}/.c", "{upstream}\n"}};
  const Places places{scratch.at("dir"), scratch.at("home"), "1", "http://u:2", "2"};
  for (int time = 0; time < 2; ++time) {
    const Result<void> written = write_files(target, places);
    ASSERT_TRUE(written) << describe(written.error());
    EXPECT_EQ(text_of(scratch.at("dir/a/b.json")), "{\"port\": 1}");
    EXPECT_EQ(text_of(scratch.at("home/.c")), "http://u:2\n");
    std::ofstream(scratch.at("home/.c"), std::ios::app) << "the target's own words";
  }
}

TEST(WriteFiles, WritesNothingOutside) {
  const Scratch scratch;
  const Places places{scratch.at("dir"), scratch.at("home"), "../../x", "http://u:2", "2"};
  for (const std::string name : {"{dir}/../out", "out", "/out", "{home}", "{home}/.", "{dir}/a/../../out",
                                 "{dir}/{port}", "{dir}er/out", ""}) {
    SCOPED_TRACE(name);
    TargetFile target;
    target.files = {{name, "text"}};
    EXPECT_FALSE(write_files(target, places));
  }
  EXPECT_TRUE(fs::is_empty(scratch.root()));
  scratch.put("dir", "a file where a folder should be");
  TargetFile target;
  target.files = {{"{dir}/a", "text"}};
  EXPECT_FALSE(write_files(target, places));
}

TEST(LaunchOf, FillsEverything) {
  TargetFile target;
  target.command = {"node", "{dir}/x", "{port}"};
  target.env = {{"HOME", "{home}"}};
  const Places places{"/d", "/h", "1", "u", "2"};
  const Launch launch = launch_of(target, places, "/e");
  EXPECT_EQ(launch.command, (std::vector<std::string>{"node", "/d/x", "1"}));
  EXPECT_EQ(launch.env, (std::map<std::string, std::string>{{"HOME", "/h"}}));
  EXPECT_EQ(launch.folder, "/d");
  EXPECT_EQ(launch.errors, "/e");
  EXPECT_FALSE(launch.pipes);
  target.kind = TargetFile::Kind::pipe;
  EXPECT_TRUE(launch_of(target, places, "/e").pipes);
}

TEST(FreshFolder, IsThisUsersAloneAndGoneWithTheValue) {
  const Scratch scratch;
  const Variable temporary("TMPDIR", scratch.root());
  std::string path;
  {
    const auto folder = FreshFolder::make("some");
    ASSERT_TRUE(folder) << describe(folder.error());
    path = (*folder)->path();
    EXPECT_EQ(path.rfind(scratch.at("splitproof-some-"), 0), 0U) << path;
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directories(path + "/a/b");
    std::ofstream(path + "/a/b/c") << "text";
    fs::create_symlink(scratch.root(), path + "/a/out");
    fs::permissions(path + "/a/b", fs::perms::owner_read | fs::perms::owner_exec);
    fs::permissions(path + "/a", fs::perms::none);
    EXPECT_NE((*FreshFolder::make("some"))->path(), path);
  }
  EXPECT_TRUE(fs::is_empty(scratch.root()));
  const Variable nowhere("TMPDIR", scratch.at("absent"));
  EXPECT_FALSE(FreshFolder::make("some"));
}

TEST(LastLines, AreTheEndOfAFile) {
  const Scratch scratch;
  EXPECT_EQ(last_lines(scratch.at("absent")), "");
  EXPECT_EQ(last_lines(scratch.put("empty", "\n\n")), "");
  EXPECT_EQ(last_lines(scratch.put("one", "word")), "\n  word");
  EXPECT_EQ(last_lines(scratch.put("blank", "a\n\nb\n\n")), "\n  a\n  \n  b");
  std::string many;
  std::string expected;
  for (int line = 1; line <= 5000; ++line) {
    many += std::to_string(line) + "\n";
    if (line > 5000 - kMostLastLines) expected += "\n  " + std::to_string(line);
  }
  EXPECT_EQ(last_lines(scratch.put("many", many)), expected);
  EXPECT_EQ(last_lines(scratch.put("long", std::string(100000, 'x'))), "\n  " + std::string(4096, 'x'));
  EXPECT_EQ(with_last_lines("It ended", scratch.at("one")), "It ended; its last output:\n  word");
  EXPECT_EQ(with_last_lines("It ended", scratch.at("absent")), "It ended");
}

TEST(LastLines, ShowTheErrorAndItsPlaceInsteadOfTheStack) {
  const Scratch scratch;
  std::string trace =
      "\x1b[32minfo\x1b[39m: starts\n    throw new TypeError();\n          ^\n\nTypeError: no text\n";
  trace +=
      "    at read (node:events:1:2)\n    at JSON.parse (<anonymous>)\n    at answer (/app/proxy.js:30:5)\n";
  for (int frame = 0; frame < 20; ++frame) trace += "    at emit (node:events:524:28)\n";
  trace += "    at other (/app/main.js:1:1)\n\nNode.js v20.1.0\n";
  EXPECT_EQ(last_lines(scratch.put("trace", trace)),
            "\n  info: starts\n      throw new TypeError();\n  \n  TypeError: no text"
            "\n      at answer (/app/proxy.js:30:5)");
}

}  // namespace
}  // namespace splitproof::testee::installation_test
