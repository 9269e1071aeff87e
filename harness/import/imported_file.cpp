#include "harness/import/imported_file.hpp"

#include <utility>

namespace splitproof::imports {

std::string_view name(Segments segments) {
  switch (segments) {
    case Segments::exact:
      return "exact";
    case Segments::frames:
      return "frames";
    case Segments::body:
      return "body";
  }
  return "";
}

void take_as_one_chunk(ImportedResponse& response, std::string body, double at) {
  response.body = std::move(body);
  response.arrivals.clear();
  if (!response.body.empty()) response.arrivals.push_back({at, response.body.size()});
  response.ended_at = at;
  response.segments = Segments::body;
}

std::string without_secrets(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t host = url.find("://") == url.npos ? 0 : url.find("://") + 3;
  const std::string_view authority = url.substr(host, url.find('/', host) - host);
  const std::size_t user = authority.rfind('@');
  if (user == authority.npos) return std::string(url);
  return std::string(url.substr(0, host)) + std::string(url.substr(host + user + 1));
}

}  // namespace splitproof::imports
