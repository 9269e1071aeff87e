#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "harness/record/curl_library.hpp"

namespace splitproof::record {
namespace {

// Places of the system's certificates: Debian, Fedora, older Red Hat, openSUSE, Alpine.
constexpr const char* kCertificates[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};

std::string system_certificates() {
  if (const char* chosen = std::getenv("SSL_CERT_FILE"); chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code ignored;
  for (const char* file : kCertificates)
    if (std::filesystem::exists(file, ignored)) return file;
  return {};
}

CurlLibrary linked() {
  CurlLibrary curl;
  curl.global_init = curl_global_init;
  curl.easy_init = curl_easy_init;
  curl.set = ::curl_easy_setopt;
  curl.get = ::curl_easy_getinfo;
  curl.send = curl_easy_send;
  curl.receive = curl_easy_recv;
  curl.error_text = curl_easy_strerror;
  curl.easy_cleanup = curl_easy_cleanup;
  curl.list_append = curl_slist_append;
  curl.list_free = curl_slist_free_all;
  curl.multi_init = curl_multi_init;
  curl.multi_add = curl_multi_add_handle;
  curl.multi_remove = curl_multi_remove_handle;
  curl.multi_perform = curl_multi_perform;
  curl.multi_poll = curl_multi_poll;
  curl.multi_info_read = curl_multi_info_read;
  curl.multi_cleanup = curl_multi_cleanup;
  curl.url = curl_url;
  curl.url_cleanup = curl_url_cleanup;
  curl.url_set = curl_url_set;
  curl.url_get = curl_url_get;
  curl.free = curl_free;
  curl.ca_file = system_certificates();
  return curl;
}

}  // namespace

Result<const CurlLibrary*> curl_library() {
  static const CurlLibrary kLinked = linked();
  static const CURLcode kStarted = kLinked.global_init(CURL_GLOBAL_DEFAULT);
  if (kStarted == CURLE_OK) return &kLinked;
  return tl::unexpected(
      Error{std::string("libcurl cannot start: ") + kLinked.error_text(kStarted), {}, 0, {}});
}

}  // namespace splitproof::record
