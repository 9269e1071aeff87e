#pragma once

#include <cstddef>
#include <vector>

namespace splitproof {

/// True under AddressSanitizer. Some tests then do less, because everything is many times slower.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

/// Returns `all`; under the sanitizers every `step`th element, from the first.
template <class T>
std::vector<T> sampled(const std::vector<T>& all, std::size_t step) {
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += kSanitized ? step : 1) some.push_back(all[i]);
  return some;
}

}  // namespace splitproof
