#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::testee {

/// A response as RFC 9112 defines it.
struct HttpResponse {
  bool head = false;  ///< the head is complete
  std::string version;
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;                            ///< the received part
  std::vector<std::size_t> chunks;             ///< sizes of the HTTP chunks whose size lines came
  bool complete = false;                       ///< the end of the message came
  std::size_t size = 0;                        ///< bytes up to its end
};

/// Reads the first response in `bytes`. `closed`: no more bytes will come. Slow and simple, as a reference. An invalid
/// response is not complete.
HttpResponse read_response(std::string_view bytes, bool closed);

}  // namespace splitproof::testee
