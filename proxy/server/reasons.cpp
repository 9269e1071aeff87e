#include "proxy/server/reasons.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace splitproof::server {

std::string_view reason_of(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 22> kReasons = {
      {{200, "OK"},
       {400, "Bad Request"},
       {401, "Unauthorized"},
       {402, "Payment Required"},
       {403, "Forbidden"},
       {404, "Not Found"},
       {405, "Method Not Allowed"},
       {408, "Request Timeout"},
       {413, "Payload Too Large"},
       {414, "URI Too Long"},
       {415, "Unsupported Media Type"},
       {417, "Expectation Failed"},
       {422, "Unprocessable Content"},
       {426, "Upgrade Required"},
       {429, "Too Many Requests"},
       {431, "Request Header Fields Too Large"},
       {500, "Internal Server Error"},
       {501, "Not Implemented"},
       {502, "Bad Gateway"},
       {503, "Service Unavailable"},
       {504, "Gateway Timeout"},
       {505, "HTTP Version Not Supported"}}};
  const auto found =
      std::find_if(kReasons.begin(), kReasons.end(), [&](const auto& row) { return row.first == status; });
  return found != kReasons.end() ? found->second : "Error";
}

}  // namespace splitproof::server
