#include "harness/testee/processor_time.hpp"

#include <unistd.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "harness/read_file.hpp"
#include "harness/testee/descendants.hpp"

namespace splitproof::testee {
namespace {

// Returns the clock ticks of one process and of its ended children: fields 14 to 17 of proc_pid_stat(5).
// Returns 0 if it has ended.
std::uint64_t ticks_of(pid_t process) {
  constexpr int kBefore = 11;  // fields between the name and the times
  const std::string stat = read_file("/proc/" + std::to_string(process) + "/stat").value_or("");
  const std::size_t name_end = stat.rfind(')');  // the name may contain blanks and parentheses
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  for (int i = 0; i < kBefore; ++i) fields >> field;
  std::uint64_t sum = 0;
  for (std::uint64_t ticks = 0, i = 0; i < 4 && fields >> ticks; ++i) sum += ticks;
  return sum;
}

}  // namespace

std::chrono::milliseconds processor_time_below(pid_t root) {
  std::uint64_t ticks = 0;
  for (const pid_t process : descendants_of(root)) ticks += ticks_of(process);
  return std::chrono::milliseconds(ticks * 1000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK)));
}

}  // namespace splitproof::testee
