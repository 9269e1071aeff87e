#include "harness/record/provider_address.hpp"

#include <charconv>
#include <memory>

#include "harness/record/curl_library.hpp"

namespace splitproof::record {
namespace {

std::string part_of(const CurlLibrary& curl, CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl.url_get(url, part, &text, flags) != CURLUE_OK) return {};
  std::string value = text;
  curl.free(text);
  return value;
}

}  // namespace

Result<ProviderAddress> provider_address(const std::string& url) {
  const auto library = curl_library();
  if (!library) return tl::unexpected(library.error());
  const CurlLibrary& curl = **library;
  const std::unique_ptr<CURLU, decltype(curl.url_cleanup)> parts(curl.url(), curl.url_cleanup);
  const bool parsed =
      parts != nullptr && curl.url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
  const std::string scheme = parsed ? part_of(curl, parts.get(), CURLUPART_SCHEME) : "";
  if (scheme != "https" && scheme != "http") {
    return tl::unexpected(Error{"--to " + url + " is not an http or https URL",
                                {},
                                0,
                                "write the provider's base URL, for example https://api.example.com/v1"});
  }
  if (!part_of(curl, parts.get(), CURLUPART_QUERY).empty() ||
      !part_of(curl, parts.get(), CURLUPART_USER).empty()) {
    return tl::unexpected(Error{"--to " + url + " has a query or a user",
                                {},
                                0,
                                "write only scheme, host, port and path; the client sends its own key"});
  }
  ProviderAddress address;
  const std::string name = part_of(curl, parts.get(), CURLUPART_HOST);
  const std::string port = part_of(curl, parts.get(), CURLUPART_PORT, CURLU_NO_DEFAULT_PORT);
  const std::string any_port = part_of(curl, parts.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  std::from_chars(any_port.data(), any_port.data() + any_port.size(), address.port);
  address.name = name;
  address.host = port.empty() ? name : name + ":" + port;
  address.origin = scheme + "://" + address.host;
  address.path = part_of(curl, parts.get(), CURLUPART_PATH);
  while (address.path.ends_with('/')) address.path.pop_back();
  address.is_local = name == "localhost" || name == "[::1]" || name.starts_with("127.");
  return address;
}

std::string url_for(const ProviderAddress& address, std::string_view target) {
  const bool has_path = target.starts_with(address.path) &&
                        (target.size() == address.path.size() || target[address.path.size()] == '/' ||
                         target[address.path.size()] == '?');
  // The slash ends the authority, so no target can change the host.
  return address.origin + (has_path ? "" : address.path) + (target.starts_with('/') ? "" : "/") +
         std::string(target);
}

std::string client_base_url(const std::string& recorder, const ProviderAddress& address,
                            std::string_view suffix) {
  constexpr std::string_view kVersion = "/v1";
  std::string path = address.path;
  if (suffix.empty() && path.ends_with(kVersion)) path.resize(path.size() - kVersion.size());
  if (path.empty()) path = suffix;
  return recorder + path;
}

}  // namespace splitproof::record
