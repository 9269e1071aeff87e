#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace splitproof::mutants {

/// What a mutant may remember of one stream.
struct Memory {
  std::string text;
  std::size_t count = 0;
  bool flag = false;
  std::map<std::size_t, std::size_t> places;
};

/// The fault of one stream.
struct Mutation {
  int number = 0;  ///< of the mutant in mutants.toml, from 1; 0: none, the translator as it is
  Memory memory;
};

/// Switches a mutation on for whatever this thread does in the meantime. No two at a time.
class Switched {
 public:
  explicit Switched(Mutation& mutation);
  ~Switched();
  Switched(const Switched&) = delete;
  Switched& operator=(const Switched&) = delete;
};

/// Whether mutant `number` is switched on. What $MUTANT stands for.
bool on(int number);

/// Of the mutation that is switched on, which there must be. What $MEMORY stands for.
Memory& memory();

/// Bytes as UTF-8, taken for a whole text: what is no whole character becomes U+FFFD.
std::string decoded_alone(std::string_view bytes);

}  // namespace splitproof::mutants
