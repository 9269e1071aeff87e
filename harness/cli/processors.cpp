#include "harness/cli/processors.hpp"

#include <fstream>
#include <string>

namespace splitproof::cli {

// The first line is "cpu", then the times for user, nice, system, idle, waiting for disks, and so on: see
// proc(5).
IdleProcessors::Times IdleProcessors::now() {
  constexpr int kIdle = 3;
  constexpr int kWaiting = 4;
  Times times;
  std::ifstream file("/proc/stat");
  std::string word;
  file >> word;
  double ticks = 0;
  for (int i = 0; file >> ticks; ++i) {
    times.all += ticks;
    if (i == kIdle || i == kWaiting) times.idle += ticks;
  }
  return times;
}

double IdleProcessors::share() const {
  const Times end = now();
  return end.all > begin_.all ? (end.idle - begin_.idle) / (end.all - begin_.all) : 0;
}

}  // namespace splitproof::cli
