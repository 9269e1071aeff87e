#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::dialect {

/// Returns the end of the path that requests of a protocol go to, such as "/messages"; empty if it is not known.
std::string_view request_path_of(std::string_view protocol);

/// Returns the usual paths for clients of a protocol, as a target file has them.
std::vector<std::string> client_paths_of(std::string_view protocol);

/// Returns the protocol of requests to this path, which may have a query; empty if no protocol has such a path.
std::string_view protocol_of_path(std::string_view target);

/// The paths at which proxies list their models, in the order in which they are tried.
std::span<const std::string_view> model_list_paths();

/// A variable of the environment in which programs look for the address of a provider.
struct AddressVariable {
  std::string_view name;
  std::string_view suffix;  ///< what follows the address of the stand-in, such as "/v1"
};

/// The variables that the official SDKs read, and others that are common.
std::span<const AddressVariable> address_variables();

/// The variables in which programs look for the key of a provider. Many do not start without one.
std::span<const std::string_view> key_variables();

}  // namespace splitproof::dialect
