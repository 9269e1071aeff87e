#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::testee {

/// A response as RFC 9112 reads it.
struct HttpResponse {
  bool head = false;  ///< the head is complete
  std::string version;
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;                            ///< as far as it came
  std::vector<std::size_t> chunks;             ///< sizes of the HTTP chunks, as far as their size lines came
  bool complete = false;                       ///< the message's end came
  std::size_t size = 0;                        ///< bytes up to there
};

/// Reads the first response in `bytes`; `closed` says that no more will come. Slow and plain: it is here to be right.
/// What does not follow the grammar is not complete.
HttpResponse read_response(std::string_view bytes, bool closed);

}  // namespace splitproof::testee
