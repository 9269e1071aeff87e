#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>

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

  /// Text of nginx's access log: "HTTP/2.0" for each call over HTTP/2.
  std::string access_log() const;

 private:
  TlsEnd() = default;

  std::filesystem::path folder_;
  std::string url_;
  pid_t nginx_ = -1;
};

}  // namespace splitproof::record
