#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/curl_library.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::record {

/// A request as the provider gets it.
struct ProviderRequest {
  std::string method;
  std::string url;
  testee::Headers headers;
  std::string body;
  bool is_local = false;  ///< The provider is this machine, so no forward proxy is used.
  std::string ca_file;    ///< Certificates to trust; empty: the system's.
};

/// The head of the provider's response.
struct ProviderHead {
  std::string version;  ///< "HTTP/1.1" or "HTTP/2".
  int status = 0;
  std::string reason;
  testee::Headers headers;
};

/// End of a call to the provider.
enum class CallEnd : std::uint8_t {
  complete,
  closed,       ///< The provider closed the connection before the end of the response.
  reset,        ///< It reset the connection or the stream.
  unreachable,  ///< There is no connection to it.
  client_left,  ///< The client closed or broke its connection.
  stopped,      ///< The recorder was stopped.
};

/// Functions that take the response. They run on the thread of the call. If one returns false, the client has left.
struct ResponseTaker {
  std::function<bool(const ProviderHead&)> head;
  std::function<bool(std::string_view)> bytes;  ///< HTTP/1.1: with the framing of chunks.
};

/// Connections to the provider that one thread uses for one call after the other.
class ProviderConnections {
 public:
  explicit ProviderConnections(const CurlLibrary& curl) : curl_(curl), multi_(curl.multi_init()) {}
  ~ProviderConnections() { curl_.multi_cleanup(multi_); }
  ProviderConnections(const ProviderConnections&) = delete;
  ProviderConnections& operator=(const ProviderConnections&) = delete;

  /// Sends a request and takes the response until one side ends it. `client` is the client's socket: if it ends, the
  /// call ends. `detail` becomes the library's description of a failure.
  CallEnd call(const ProviderRequest& request, const ResponseTaker& taker, int client,
               const testee::StopToken& stop, std::string& detail);

 private:
  const CurlLibrary& curl_;
  CURLM* multi_;
};

}  // namespace splitproof::record
