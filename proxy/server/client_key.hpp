#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::server {

/// Returns the client's key for the upstream: from the protocol's own place, or after `Bearer ` in `authorization`, or
/// empty without both. Returns none if the key cannot go unescaped into a header and a JSON string.
inline std::optional<std::string> client_key(std::string_view own, std::string_view authorization) {
  constexpr std::string_view kBearer = "bearer ";
  std::string_view key = own;
  if (key.empty() && authorization.size() > kBearer.size()) {
    bool bearer = true;
    for (std::size_t i = 0; i < kBearer.size(); ++i) bearer &= (authorization[i] | 0x20) == kBearer[i];
    if (bearer) key = authorization.substr(kBearer.size());
  }
  for (const char c : key) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\') return std::nullopt;
  }
  return std::string(key);
}

}  // namespace splitproof::server
