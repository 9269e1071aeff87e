#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "harness/record/curl_library.hpp"
#include "harness/result.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::record {

/// A connection to the provider that carries any bytes, over TLS if its URL is https. It belongs to one thread.
class ProviderSocket {
 public:
  /// Connects. The Error has the library's description; its text is "stopped" if a stop came first.
  static Result<std::unique_ptr<ProviderSocket>> connect(const CurlLibrary& curl, const std::string& url,
                                                         bool is_local, const std::string& ca_file,
                                                         const testee::StopToken& stop);
  ~ProviderSocket();
  ProviderSocket(const ProviderSocket&) = delete;
  ProviderSocket& operator=(const ProviderSocket&) = delete;

  /// For poll(2). With TLS, receive() may have bytes although the socket has none: call it until it returns `later`.
  int descriptor() const { return socket_; }

  enum class Got : std::uint8_t { bytes, later, end, reset };

  /// Appends the bytes that have come, without waiting.
  Got receive(std::string& bytes);

  /// Sends all bytes. Waits for a slow provider. Returns false if it has left, or if a stop came.
  bool send(std::string_view bytes, const testee::StopToken& stop);

 private:
  explicit ProviderSocket(const CurlLibrary& curl);
  Result<void> open(const std::string& url, bool is_local, const std::string& ca_file,
                    const testee::StopToken& stop);

  const CurlLibrary& curl_;
  CURLM* multi_;
  CURL* easy_;
  int socket_ = -1;
};

}  // namespace splitproof::record
