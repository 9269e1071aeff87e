#pragma once

namespace splitproof {

/// Whether these tests run under AddressSanitizer, where some try less: everything takes many times as long.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

}  // namespace splitproof
