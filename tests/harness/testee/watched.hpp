#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/testee/process.hpp"

namespace splitproof::testee {

/// Longest wait of a test. Nothing is asserted about time: it only keeps a failing test from hanging.
inline constexpr std::chrono::seconds kComes{30};

/// Polls until `holds` is true. Returns false after kComes.
bool comes_true(const std::function<bool()>& holds);

/// A temporary folder of one test.
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

/// Returns the bytes of a file; empty without one.
std::string text_of(const std::string& path);

/// Counts processes that announced themselves at a FIFO, and detects if any of them is left: the kernel keeps the FIFO
/// open until the last of them ends.
class Witness {
 public:
  explicit Witness(std::string fifo);
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// Returns the action of `misbehaving` that announces it here.
  std::string announce() const { return "announce:" + fifo_; }

  /// Waits until this many have announced themselves. Returns false on timeout.
  bool sees(std::size_t processes);

  /// Waits until none of them is left. Requires that one has announced itself.
  bool sees_them_gone();

  /// True if one of them is alive now.
  bool sees_life();

 private:
  std::string fifo_;
  int fd_ = -1;
  std::string heard_;
};

/// Returns the command that runs tests/harness/testee/misbehaving.cpp with these actions.
std::vector<std::string> misbehaving(std::vector<std::string> actions);

/// Returns the number of open descriptors of this process.
std::size_t open_descriptors();

}  // namespace splitproof::testee
