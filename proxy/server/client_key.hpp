#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::server {

/// The key that a client sends, as the upstream is to get it: that of the
/// protocol's own header, else the one after `Bearer ` in
/// `authorization`; empty where there is neither. None: it holds what could not be put into a header or into a JSON
/// string as it is.
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
