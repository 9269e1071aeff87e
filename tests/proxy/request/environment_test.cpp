#include "proxy/request/environment.hpp"

#include <gtest/gtest.h>

#include "tests/proxy/request/requests.hpp"

namespace splitproof::request::environment_test {
namespace {

using namespace requests;

std::string directory_in(const std::string& text) {
  EnvironmentFacts facts;
  find_facts(text, facts);
  return facts.directory;
}

struct Row {
  const char* text;
  const char* directory;
};

// Every form that clients were seen to use, and forms without a directory.
const Row kRows[] = {
    {"Working directory: /home/u/p", "/home/u/p"},
    {"working directory = /home/u/p", "/home/u/p"},
    {"- Working directory: /home/u/p\r", "/home/u/p"},
    {"* Working directory: `/home/u/p`", "/home/u/p"},
    {"  Primary working directory: ~/p", "~/p"},
    {"CWD: D:\\work\\p", "D:\\work\\p"},
    {"cwd=c:/work", "c:/work"},
    {"<env>\nWorking directory: /a b/c\n</env>", "/a b/c"},
    {"<environment_context>\n  <cwd>/repo</cwd>\n", "/repo"},
    {"<cwd> /repo", "/repo"},
    {"You work in <cwd> ~/my repo \r", "~/my repo"},
    {"<cwd>/repo", "/repo"},
    {"<cwd>/repo\n</cwd>", "/repo"},
    {"The current working directory is /srv/app.", "/srv/app"},
    {"Your current working directory is `/srv/my app`, which is new.", "/srv/my app"},
    {"(current working directory is /srv/app)", "/srv/app"},
    {"Working directory: /first\nWorking directory: /second", "/first"},
    {"Working directory: relative/p\nWorking directory: /second", "/second"},
    // No directory.
    {"", ""},
    {"Use the working directory you choose.", ""},
    {"The current working directory is important.", ""},
    {"The current working directory is ", ""},
    {"My Working directory: /x", ""},
    {"Working directory: src/main.py", ""},
    {"Working directory: C:", ""},
    {"Working directory:", ""},
    {"Working directory: ``", ""},
    {"Working directory: \xE2\x80\xA6", ""},
    {"Working directory: /a/\xE2\x80\xA6", ""},
    {"Working directory: <workspace>", ""},
    {"Working directory: /a/<workspace>/b", ""},
    {"Working directory: ./tail", ""},
    {"Working directory: /a\tb", ""},
    {"Working directory: /a\x1B[0m", ""},
    {"<cwd></cwd>", ""},
    {"<cwd>", ""},
    {"<cwd> repo", ""},
    {"<cwd> /repo/\xE2\x80\xA6", ""},
    {"<cwd>\n/repo\n</cwd>", ""},
};

TEST(Environment, FindsTheDirectoryInEachForm) {
  for (const Row& row : kRows) EXPECT_EQ(directory_in(row.text), row.directory) << row.text;
  // In a line of a longer text, and after a directory from elsewhere.
  for (const Row& row : kRows) {
    EXPECT_EQ(directory_in("a\n" + std::string(row.text) + "\nb"), row.directory) << row.text;
    EXPECT_EQ(directory_in("cwd: /known\n" + std::string(row.text)), "/known") << row.text;
  }
}

TEST(Environment, FindsTheOtherFacts) {
  EnvironmentFacts facts;
  find_facts("Is directory a git repo: Yes\nPlatform: linux\nOS Version: Linux 6.8.0\nPlatform: other",
             facts);
  EXPECT_EQ(facts, (EnvironmentFacts{"", "Yes", "linux", "Linux 6.8.0"}));
  EnvironmentFacts others;
  find_facts(" - Is a git repository: true\n* Platform: `darwin`\nOS version: \x7F", others);
  EXPECT_EQ(others, (EnvironmentFacts{"", "true", "darwin", ""}));
}

const char* const kEnvironment =
    "You are an agent.\n<env>\nWorking directory: /home/u/\"p\"\nIs directory a git repo: No\nPlatform: linux\n"
    "OS Version: Linux 6.8\n</env>";
const char* const kBlock =
    "## Environment facts\n\n- Working directory: /home/u/\"p\"\n- Is the directory a git repo: No\n- Platform: linux\n"
    "- OS version: Linux 6.8";

TranslatorOptions lifting(std::string_view upstream) {
  TranslatorOptions options = between("anthropic.messages", upstream);
  options.request.environment = EnvironmentRule::lift;
  return options;
}

std::vector<std::string> systems(const json& asked) {
  std::vector<std::string> texts;
  for (const json& block : asked.value("system", json::array())) texts.push_back(block["text"]);
  return texts;
}

TEST(Environment, IsSaidAgainBehindTheSystemsTexts) {
  const json with_tools = messages({{"system", kEnvironment}, {"tools", tools({"read"})}});
  EXPECT_EQ(systems(asked_of(lifting("anthropic.messages"), with_tools)),
            (std::vector<std::string>{kEnvironment, kBlock}));
  EXPECT_EQ(asked_of(lifting("openai.chat"), with_tools)["messages"][0]["content"],
            std::string(kEnvironment) + "\n\n" + kBlock);
  EXPECT_EQ(asked_of(lifting("openai.responses"), with_tools)["instructions"],
            std::string(kEnvironment) + "\n\n" + kBlock);
}

TEST(Environment, IsReadInTextsOfTheUserToo) {
  json request = messages({{"tools", tools({"read"})}});
  request["messages"] = json::parse(R"([{"role":"user","content":[
      {"type":"text","text":"<system-reminder>\nWorking directory: /w\n</system-reminder>"},
      {"type":"text","text":"Platform: linux"}]}])");
  EXPECT_EQ(systems(asked_of(lifting("anthropic.messages"), request)),
            (std::vector<std::string>{"## Environment facts\n\n- Working directory: /w\n- Platform: linux"}));
  // Text of the model or of a tool is not the client's.
  request["messages"] = json::parse(R"([{"role":"user","content":"a"},
      {"role":"assistant","content":[{"type":"text","text":"Working directory: /w"},
        {"type":"tool_use","id":"c","name":"read","input":{}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"Working directory: /w"}]}])");
  EXPECT_TRUE(systems(asked_of(lifting("anthropic.messages"), request)).empty());
}

TEST(Environment, WithoutADirectoryOrToolsNothingIsSaid) {
  const std::string without_directory =
      "Platform: linux\nOS Version: Linux 6.8\nIs directory a git repo: Yes";
  for (const json& request :
       {messages({{"system", kEnvironment}}),
        messages({{"system", without_directory}, {"tools", tools({"read"})}}),
        messages({{"system", "Pick the working directory you like."}, {"tools", tools({"read"})}}),
        messages(
            {{"system", kEnvironment}, {"tools", tools({"read"})}, {"tool_choice", {{"type", "none"}}}})}) {
    for (const char* upstream : {"openai.chat", "openai.responses", "kiro.eventstream", "ollama.chat"}) {
      EXPECT_EQ(body_of(lifting(upstream), request.dump()),
                body_of(between("anthropic.messages", upstream), request.dump()))
          << upstream;
    }
  }
}

}  // namespace
}  // namespace splitproof::request::environment_test
