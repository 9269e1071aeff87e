#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace splitproof::mutants {

/// State of a mutant within one stream.
struct Memory {
  std::string text;
  std::size_t count = 0;
  bool flag = false;
  std::map<std::size_t, std::size_t> places;

  bool operator==(const Memory&) const = default;
};

/// The bug of one stream.
struct Mutation {
  int number = 0;  ///< Number in mutants.toml, from 1; 0: the unmodified translator.
  Memory memory;

  bool operator==(const Mutation&) const = default;
};

/// Activates a mutation for the current thread during its lifetime. Only one can be active.
class Switched {
 public:
  explicit Switched(Mutation& mutation);
  ~Switched();
  Switched(const Switched&) = delete;
  Switched& operator=(const Switched&) = delete;
};

/// True if mutant `number` is active. Value of $MUTANT.
bool on(int number);

/// Returns the memory of the active mutation, which must exist. Value of $MEMORY.
Memory& memory();

/// Decodes bytes as a complete UTF-8 text; incomplete characters become U+FFFD.
std::string decoded_alone(std::string_view bytes);

}  // namespace splitproof::mutants
