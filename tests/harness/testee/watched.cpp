#include "tests/harness/testee/watched.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace splitproof::testee {

bool comes_true(const std::function<bool()>& holds) {
  for (const Deadline deadline = within(kComes); !holds();) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "splitproof-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  root_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string Scratch::put(const std::string& name, const std::string& bytes) const {
  std::ofstream(at(name), std::ios::binary) << bytes;
  return at(name);
}

std::string text_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

Witness::Witness(std::string fifo) : fifo_(std::move(fifo)) {
  if (mkfifo(fifo_.c_str(), 0600) != 0) std::abort();
  fd_ = open(fifo_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd_ < 0) std::abort();
}

Witness::~Witness() { close(fd_); }

bool Witness::sees(std::size_t processes) {
  return comes_true([&] {
    sees_life();
    return static_cast<std::size_t>(std::count(heard_.begin(), heard_.end(), '\n')) >= processes;
  });
}

bool Witness::sees_them_gone() {
  return comes_true([&] { return !sees_life(); });
}

bool Witness::sees_life() {
  while (true) {
    std::array<char, 256> bytes{};
    const ssize_t got = read(fd_, bytes.data(), bytes.size());
    if (got <= 0) return got != 0;
    heard_.append(bytes.data(), static_cast<std::size_t>(got));
  }
}

std::vector<std::string> misbehaving(std::vector<std::string> actions) {
  const char* program = std::getenv("SPLITPROOF_MISBEHAVING");
  if (program == nullptr) std::abort();
  actions.insert(actions.begin(), program);
  return actions;
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace splitproof::testee
