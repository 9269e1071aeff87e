// The reference conforms on the damaged answers in damaged_answers.txt.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::damaged_answers_test {
namespace {

// Returns the number of cases of each client.
std::map<std::string, std::size_t> clients_of(const std::string& list) {
  constexpr std::string_view kKey = "?client=";
  std::map<std::string, std::size_t> clients;
  std::ifstream file(list);
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(kKey);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + kKey.size();
    ++clients[line.substr(begin, line.find('&', begin) - begin)];
  }
  return clients;
}

TEST(DamagedAnswers, TheReferenceConforms) {
  const std::string list = (source_root() / "tests/harness/cli/damaged_answers.txt").string();
  const auto clients = clients_of(list);
  ASSERT_GE(clients.size(), 3U);
  for (const auto& [client, cases] : clients) {
    std::vector<std::string> run{"run", "--cases", list, "--client", client};
    for (const char* upstream : {"", ":anthropic.messages", ":bedrock.invoke", ":openai.responses"})
      run.insert(run.end(), {"--target", std::string("reference") + upstream});
    const Finished done = splitproof(run);
    EXPECT_EQ(done.code, 0) << done.out << done.err;
    EXPECT_NE(last_line(done.out).find(", " + std::to_string(cases) + " case"), std::string::npos)
        << done.out;
  }
}

}  // namespace
}  // namespace splitproof::cli::damaged_answers_test
