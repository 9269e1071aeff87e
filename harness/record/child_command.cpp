#include "harness/record/child_command.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string_view>

namespace splitproof::record {
namespace {

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::any_of(variables.begin(), variables.end(), [&](const std::string& own) {
      return name_of(own) == name_of(*entry);
    });
    if (!replaced) all.emplace_back(*entry);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<pid_t> start_command(const std::vector<std::string>& command,
                            const std::vector<std::string>& variables) {
  std::vector<std::string> words = command;
  std::vector<std::string> environment = environment_with(variables);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words.front().c_str(), nullptr, &attributes,
                                  pointers_to(words).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (failed == 0) return child;
  return tl::unexpected(Error{"cannot start '" + command.front() + "': " + std::strerror(failed),
                              {},
                              0,
                              "write the command after --, as you start it in a shell"});
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace splitproof::record
