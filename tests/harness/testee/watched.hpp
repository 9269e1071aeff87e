#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/testee/process.hpp"

namespace splitproof::testee {

/// How long a test waits for what must come. Nothing is asserted about time: it only keeps a failing test from hanging.
inline constexpr std::chrono::seconds kComes{30};

/// Asks again and again until `holds`; false where it does not in kComes.
bool comes_true(const std::function<bool()>& holds);

/// A folder of one test's own, gone with it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string at(const std::string& name) const { return root_ + "/" + name; }
  std::string put(const std::string& name, const std::string& bytes) const;  ///< returns its path
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

/// The bytes of a file; empty where there is none.
std::string text_of(const std::string& path);

/// Sees how many processes announced themselves at a FIFO, and whether any of them is left: the kernel holds its end back
/// as long as one of them has it open.
class Witness {
 public:
  explicit Witness(std::string fifo);
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// The action of `misbehaving` that lets itself be seen here.
  std::string announce() const { return "announce:" + fifo_; }

  /// Waits until so many have announced themselves; false where they do not.
  bool sees(std::size_t processes);

  /// Waits until none of them is left. Only after one has announced itself.
  bool sees_them_gone();

  /// Whether one of them is alive, now.
  bool sees_life();

 private:
  std::string fifo_;
  int fd_ = -1;
  std::string heard_;
};

/// The command that runs tests/harness/testee/misbehaving.cpp with these actions.
std::vector<std::string> misbehaving(std::vector<std::string> actions);

/// How many descriptors this process has open.
std::size_t open_descriptors();

}  // namespace splitproof::testee
