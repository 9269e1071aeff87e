#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace splitproof::record {

/// nginx as a provider's TLS end: it speaks HTTP/2 and passes each read on at once. It listens on a free port of the
/// loopback, and has a certificate for localhost that no system trusts.
class TlsEnd {
 public:
  /// Starts nginx in front of "http://HOST:PORT". Returns nullptr if nginx or openssl is not installed. Aborts if nginx does
  /// not start.
  static std::unique_ptr<TlsEnd> start(const std::string& provider_url);

  ~TlsEnd();
  TlsEnd(const TlsEnd&) = delete;
  TlsEnd& operator=(const TlsEnd&) = delete;

  const std::string& url() const { return url_; }

  /// The file with the certificate to trust.
  std::string certificate() const { return (folder_ / "cert.pem").string(); }

  /// A call as nginx logs it.
  struct LoggedCall {
    std::string protocol;        ///< "HTTP/2.0".
    std::size_t body_bytes = 0;  ///< Bytes of the body that it sent.
  };

  /// Waits until nginx has logged this many calls, and returns them. Returns fewer after a timeout.
  std::vector<LoggedCall> access_log(std::size_t count) const;

 private:
  TlsEnd() = default;

  std::filesystem::path folder_;
  std::string url_;
  pid_t nginx_ = -1;
};

}  // namespace splitproof::record
