#include "proxy/server/profile.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "harness/contract/profile.hpp"
#include "harness/testee/reference_options.hpp"
#include "proxy/server/built_in_profiles.hpp"
#include "proxy/server/config.hpp"
#include "proxy/server/profile_files.hpp"
#include "tests/proxy/server/proxy_process.hpp"

namespace splitproof::server::profile_test {
namespace {

namespace fs = std::filesystem;

fs::path contracts() { return fs::path(std::getenv("SPLITPROOF_CORPUS")).parent_path() / "contracts"; }

// A folder for the files of a test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "splitproof-profiles-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Restores SPLITPROOF_DATA afterwards.
class Data {
 public:
  explicit Data(const std::string& folder) { setenv("SPLITPROOF_DATA", folder.c_str(), 1); }
  ~Data() { unsetenv("SPLITPROOF_DATA"); }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

std::string problem(const std::string& name_or_file) {
  const auto played = play_profile(name_or_file, {});
  return played ? "played" : played.error();
}

// Two readings of the same files: the proxy plays the same profile as the harness's reference.
TEST(Profile, MeansTheSameToProxyAndHarness) {
  const Data data(contracts().parent_path().string());
  const auto names = ProfileFiles::find()->names();
  EXPECT_EQ(names, contract::profile_names({contracts()}));
  EXPECT_GE(names.size(), 13U);
  std::size_t departures = 0;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto played = play_profile(name, {});
    ASSERT_TRUE(played) << played.error();
    const contract::Profile profile = contract::load_profile(name, {contracts()}).value();
    TranslatorOptions expected = testee::reference_options(profile.knobs).value();
    if (!profile.upstreams.empty())
      expected.upstream = proxy::dialect::find_upstream(profile.upstreams.front());
    EXPECT_EQ(*played, expected);
    departures += *played == TranslatorOptions() ? 0 : 1;
  }
  EXPECT_GE(departures, 6U);
}

TEST(Profile, BuiltInProfileEqualsTheFile) {
  std::vector<std::string> names;
  for (const BuiltInProfile& profile : built_in_profiles()) {
    names.emplace_back(profile.name);
    std::ifstream file(contracts() / "profiles" / (names.back() + ".yaml"), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_TRUE(profile.text == text) << names.back();
  }
  EXPECT_EQ(names, contract::profile_names({contracts()}));
}

TEST(Profile, OwnProfileExtendsAndOverrides) {
  const Folder folder;
  folder.write("base.yaml",
               "profile: base\nextends: kiro-go\nknobs: {end-event: metadata, idless-call: drop}\n");
  const std::string own =
      folder.write("own.yaml", "profile: own\nextends: base\nknobs: {idless-call: synthesize}\n");
  TranslatorOptions before;
  before.rules.model = "kept";
  const auto played = play_profile(own, before);
  ASSERT_TRUE(played) << played.error();
  TranslatorOptions expected = before;
  expected.upstream = proxy::dialect::find_upstream("kiro.eventstream");
  expected.leaked_markup = text::LeakedMarkup::rescue;
  expected.cleaning.stop_sequences = text::StopRule::cut;
  expected.request.tool_choice = request::ToolChoice::emulate;
  EXPECT_EQ(*played, expected);
}

TEST(Profile, ConfigurationOverridesTheProfile) {
  ServerSettings settings;
  settings.translator = play_profile("kiro-go", settings.translator).value();
  const auto read = parse_config("knobs: {leaked-markup: pass}\n", "c.yaml", settings);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->translator.leaked_markup, text::LeakedMarkup::pass);
  EXPECT_EQ(read->translator.dialect.answer_end, proxy::dialect::AnswerEnd::metering);
}

TEST(Profile, MistakesNameTheFileAndTheValidNames) {
  const Folder folder;
  const auto of = [&](const std::string& text) {
    const std::string file = folder.write("odd.yaml", text);
    std::string said = problem(file);
    if (said.starts_with(file)) said.replace(0, file.size(), "FILE");
    return said;
  };
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"profile: odd\nextends: nobody\n", "FILE:2: there is no profile 'nobody'; use one of: ai-sdk, "},
      {"profile: odd\nknobs:\n  nameless: x\n",
       "FILE:3: there is no knob 'nameless'; use one of: added-items, "},
      {"profile: odd\nknobs: {marker: dots}\n",
       "FILE:2: the knob 'marker' has no value 'dots'; use one of: none, pr54, structural"},
      {"profile: odd\nknobs: {signature: required}\n",
       "FILE:2: the proxy cannot sign thinking without a signature from its upstream"},
      {"profile: odd\nextends: default\nupstreams: [foo]\n",
       "FILE:3: the proxy has no upstream protocol 'foo'; use one of: "},
      {"profile: odd\nextends: kiro-go\nupstreams: [bedrock.agents]\n",
       "FILE:3: the proxy has no upstream protocol 'bedrock.agents'; use one of: "},
      {"profile: odd\nupstreams: sse\n", "FILE:2: the proxy has no upstream protocol 'sse'; use one of: "},
      {"profile: odd\nextends: kiro-go\nupstreams: []\n", "FILE:3: the list of upstreams is empty"},
      {"\xEF\xBB\xBFprofile: odd\n", "FILE:1: the file starts with a byte order mark"},
      {"profile: odd\nextends: default\nvalues: {marker: [dots]}\nknobs: {marker: dots}\n",
       "FILE:3: the values of 'marker' are already declared as: none, pr54, structural"},
      {"profile: odd\nextends: odd\n", "FILE:2: the profile 'odd' extends itself"},
      {"profile: odd\nknob: {}\n",
       "FILE:2: unknown key 'knob'; use one of: profile, extends, upstreams, values, knobs"},
      {"knobs: {}\n", "FILE: the key 'profile' with the name is missing"},
      {"profile: [odd\n", "FILE:"},
      {"", "FILE: the key 'profile' with the name is missing"},
  };
  for (const auto& [text, message] : rows) {
    SCOPED_TRACE(text);
    EXPECT_EQ(of(text).substr(0, message.size()), message);
  }
  EXPECT_TRUE(
      problem("nobody").starts_with("there is no profile 'nobody'; use one of: ai-sdk, anthropic-sdk, "));
  EXPECT_TRUE(problem("/no/such.yaml").starts_with("/no/such.yaml: cannot be read: "));
  EXPECT_EQ(problem("/tmp"), "/tmp: is a folder, not a file");
  const Data data(folder.path().string());
  EXPECT_EQ(problem("default"),
            "SPLITPROOF_DATA names a folder that has no contracts: " + folder.path().string());
}

// A custom knob is declared where it is set, and does not affect the translator.
TEST(Profile, CustomKnobsAreIgnored) {
  const Folder folder;
  const std::string own = folder.write(
      "own.yaml", "profile: own\nextends: default\nvalues: {house: [brick, wood]}\nknobs: {house: wood}\n");
  EXPECT_EQ(play_profile(own, {}), TranslatorOptions());
}

// The harness would judge it by another map.
TEST(Profile, MapThatTheProxyWasNotBuiltWithIsRefused) {
  const Folder folder;
  fs::create_directories(folder.path() / "contracts");
  fs::copy(contracts() / "profiles", folder.path() / "contracts" / "profiles");
  fs::copy(contracts() / "names", folder.path() / "contracts" / "names");
  const Data data(folder.path().string());
  const std::string map = "contracts/names/opencode.yaml";
  const auto names = [&](const std::string& which) {
    return folder.write("names.yaml", "knobs: {names: " + which + "}\n");
  };
  const auto with = [&](const std::string& config) {
    return std::vector<std::string>{"--seed", "1", "--config", config};
  };
  const std::string url = "http://127.0.0.1:9/v1";
  EXPECT_TRUE(ProxyProcess(url, "", with(names("opencode"))).runs());
  folder.write(map, "tools:\n  - {client: sh, upstream: Bash}\n");
  EXPECT_TRUE(ProxyProcess(url, "", with(names("same"))).runs());
  const ProxyRun run = run_proxy({"--upstream", url, "--config", names("opencode")});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.err.starts_with("splitproof-proxy: " + (folder.path() / map).string() +
                                  ": splitproof-proxy was built with a different map"))
      << run.err;
  // Absent, or not a file: the harness refuses to run without it too.
  fs::remove(folder.path() / map);
  const std::string missing = "splitproof-proxy: " + (folder.path() / map).string() + ": ";
  const ProxyRun gone = run_proxy({"--upstream", url, "--config", names("opencode")});
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(gone.err.starts_with(missing + "cannot be read: No such file")) << gone.err;
  EXPECT_TRUE(ProxyProcess(url, "", with(names("same"))).runs());
  fs::create_directory(folder.path() / map);
  const ProxyRun odd = run_proxy({"--upstream", url, "--config", names("opencode")});
  EXPECT_EQ(odd.code, 2);
  EXPECT_TRUE(odd.err.starts_with(missing + "is a folder, not a file")) << odd.err;
}

TEST(Profile, IsNamedOnTheCommandLine) {
  const ProxyRun run = run_proxy({"--upstream", "http://127.0.0.1:9/v1", "--profile", "nobody"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.err.starts_with("splitproof-proxy: --profile: there is no profile 'nobody'; use one of: "))
      << run.err;
  for (const char* option : {"--profile", "--config"}) {
    const ProxyRun folder = run_proxy({"--upstream", "http://127.0.0.1:9/v1", option, "/tmp"});
    EXPECT_EQ(folder.code, 2) << option;
    EXPECT_NE(folder.err.find("/tmp: is a folder, not a file\n"), std::string::npos) << folder.err;
  }
  ProxyProcess proxy("http://127.0.0.1:9/v1", "knobs: {leaked-markup: pass}\n", {"--profile", "windsurf"});
  EXPECT_TRUE(proxy.runs());
}

}  // namespace
}  // namespace splitproof::server::profile_test
