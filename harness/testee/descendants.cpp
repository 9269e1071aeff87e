#include "harness/testee/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "harness/testee/socket.hpp"

namespace splitproof::testee {
namespace {

constexpr std::size_t kMostOfStat = 1024;  // "PID (NAME) STATE PARENT ...": a name has at most 64 bytes

// Returns the whole number at the beginning of `text`, or 0.
pid_t number_in(std::string_view text) {
  pid_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} ? number : 0;
}

// Returns 0 if the process has ended. The name may contain blanks and parentheses, so the last parenthesis
// counts.
pid_t parent_of(const std::string& pid) {
  const Descriptor file(open(("/proc/" + pid + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return 0;
  std::array<char, kMostOfStat> bytes{};
  const ssize_t size = read(file.get(), bytes.data(), bytes.size());
  if (size <= 0) return 0;
  const std::string_view stat(bytes.data(), static_cast<std::size_t>(size));
  const std::size_t name_end = stat.rfind(") ");
  constexpr std::size_t kToParent = 4;  // ") S 1"
  if (name_end == std::string_view::npos || name_end + kToParent >= stat.size()) return 0;
  return number_in(stat.substr(name_end + kToParent));
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return children;
  while (const dirent* entry = readdir(processes)) {
    const std::string name = entry->d_name;
    const pid_t pid = number_in(name);
    if (pid > 0) children.emplace(parent_of(name), pid);
  }
  closedir(processes);
  return children;
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t root, const std::set<pid_t>& spared) {
  const std::multimap<pid_t, pid_t> children = children_by_parent();
  std::vector<pid_t> found{root};
  std::set<pid_t> seen{root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) {
      if (spared.count(child->second) == 0 && seen.insert(child->second).second)
        found.push_back(child->second);
    }
  }
  found.erase(found.begin());
  return found;
}

void signal_descendants_of(pid_t root, int signal, const std::set<pid_t>& spared) {
  for (const pid_t pid : descendants_of(root, spared)) kill(pid, signal);
}

}  // namespace splitproof::testee
