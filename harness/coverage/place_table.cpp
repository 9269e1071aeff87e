#include "harness/coverage/place_table.hpp"

#include <numeric>

namespace splitproof::coverage {

std::uint32_t PlaceTable::number_of(const std::string& name) {
  const auto [entry, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return entry->second;
}

std::string PlaceTable::name(std::uint32_t place) const {
  return place < names_.size() ? names_[place] : std::string();
}

std::vector<std::uint32_t> PlaceTable::all() const {
  std::vector<std::uint32_t> numbers(names_.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

}  // namespace splitproof::coverage
