#pragma once

#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace splitproof::record {

/// The provider's base URL in parts.
struct ProviderAddress {
  std::string origin;     ///< "https://api.example.com"
  std::string host;       ///< "api.example.com:8443"; the port only if it is not the scheme's.
  std::string path;       ///< "/v1", or "" without one.
  std::string name;       ///< "api.example.com", or "[::1]".
  unsigned port = 0;      ///< Also if it is the scheme's.
  bool is_local = false;  ///< It is this machine.
};

/// Parses the value of --to.
Result<ProviderAddress> provider_address(const std::string& url);

/// Returns the URL for a request that the recorder received. Clients have the base path in their base URL, or not.
std::string url_for(const ProviderAddress& address, std::string_view target);

/// Returns the base URL for a client that looks for it in a variable of the environment. `suffix` is the path that
/// such a client expects, such as "/v1".
std::string client_base_url(const std::string& recorder, const ProviderAddress& address,
                            std::string_view suffix);

}  // namespace splitproof::record
