#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace splitproof::coverage {

/// Numbers the places of a target from 0, in the order in which they became known.
class PlaceTable {
 public:
  /// Returns the number of the place with this name, and adds the place if it is new.
  std::uint32_t number_of(const std::string& name);

  /// Returns the name of a place, or "" for an unknown number.
  std::string name(std::uint32_t place) const;

  std::vector<std::uint32_t> all() const;
  bool empty() const { return names_.empty(); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace splitproof::coverage
