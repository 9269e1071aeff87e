#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::wire {

/// Replaces every occurrence of a secret in a text, also as JSON may write its slashes. Secrets of less than eight bytes are
/// left: they would match ordinary words.
inline void conceal(std::string& text, std::string_view secret) {
  constexpr std::size_t kShortest = 8;
  if (secret.size() < kShortest) return;
  std::string escaped;
  for (const char c : secret) escaped.append(c == '/' ? "\\/" : std::string(1, c));
  for (const std::string_view written : {secret, std::string_view(escaped)}) {
    for (std::size_t at = 0; (at = text.find(written, at)) != std::string::npos;)
      text.replace(at, written.size(), "[key]");
  }
}

}  // namespace splitproof::wire
