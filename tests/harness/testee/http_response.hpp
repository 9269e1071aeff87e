#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::testee {

/// A response as RFC 9112 defines it.
struct HttpResponse {
  bool head = false;  ///< The head is complete.
  std::string version;
  int status = 0;
  std::map<std::string, std::string> headers;  ///< Names in lower case.
  std::string body;                            ///< The received part.
  std::vector<std::size_t> chunks;             ///< Sizes of the HTTP chunks whose size lines came.
  bool complete = false;                       ///< The end of the message came.
  std::size_t size = 0;                        ///< Bytes up to its end.
};

/// Reads the first response in `bytes`. `closed`: no more bytes will come. Slow and simple, as a reference. An invalid
/// response is not complete.
HttpResponse read_response(std::string_view bytes, bool closed);

}  // namespace splitproof::testee
