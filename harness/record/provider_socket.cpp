#include "harness/record/provider_socket.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

namespace splitproof::record {
namespace {

constexpr long kConnectTime = 60;  // seconds
constexpr int kPoll = 1000;        // milliseconds
constexpr std::size_t kPiece = 64 * 1024;

}  // namespace

ProviderSocket::ProviderSocket(const CurlLibrary& curl)
    : curl_(curl), multi_(curl.multi_init()), easy_(curl.easy_init()) {}

ProviderSocket::~ProviderSocket() {
  curl_.multi_remove(multi_, easy_);
  curl_.easy_cleanup(easy_);
  curl_.multi_cleanup(multi_);
}

Result<std::unique_ptr<ProviderSocket>> ProviderSocket::connect(const CurlLibrary& curl,
                                                                const std::string& url, bool is_local,
                                                                const std::string& ca_file,
                                                                const testee::StopToken& stop) {
  std::unique_ptr<ProviderSocket> one(new ProviderSocket(curl));
  if (auto opened = one->open(url, is_local, ca_file, stop); !opened) return tl::unexpected(opened.error());
  return one;
}

Result<void> ProviderSocket::open(const std::string& url, bool is_local, const std::string& ca_file,
                                  const testee::StopToken& stop) {
  std::array<char, CURL_ERROR_SIZE> why{};
  curl_.set(easy_, CURLOPT_URL, url.c_str());
  curl_.set(easy_, CURLOPT_CONNECT_ONLY, 1L);
  curl_.set(easy_, CURLOPT_NOSIGNAL, 1L);
  curl_.set(easy_, CURLOPT_CONNECTTIMEOUT, kConnectTime);
  curl_.set(easy_, CURLOPT_TCP_NODELAY, 1L);
  curl_.set(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_.set(easy_, CURLOPT_ERRORBUFFER, why.data());
  if (is_local) curl_.set(easy_, CURLOPT_NOPROXY, "*");
  const std::string& trusted = ca_file.empty() ? curl_.ca_file : ca_file;
  if (!trusted.empty()) curl_.set(easy_, CURLOPT_CAINFO, trusted.c_str());
  curl_.multi_add(multi_, easy_);
  std::optional<CURLcode> code;
  while (!code) {
    int running = 0;
    curl_.multi_perform(multi_, &running);
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi_, &left))
      if (message->msg == CURLMSG_DONE) code = message->data.result;
    if (code) break;
    std::array<curl_waitfd, 1> watched{{{stop.descriptor(), CURL_WAIT_POLLIN, 0}}};
    curl_.multi_poll(multi_, watched.data(), watched.size(), kPoll, nullptr);
    if (watched[0].revents != 0) return tl::unexpected(Error{"stopped", {}, 0, {}});
  }
  curl_.set(easy_, CURLOPT_ERRORBUFFER, nullptr);
  curl_socket_t socket = CURL_SOCKET_BAD;
  if (*code == CURLE_OK) curl_.get(easy_, CURLINFO_ACTIVESOCKET, &socket);
  if (socket == CURL_SOCKET_BAD)
    return tl::unexpected(Error{why[0] != '\0' ? why.data() : curl_.error_text(*code), {}, 0, {}});
  socket_ = socket;
  return {};
}

ProviderSocket::Got ProviderSocket::receive(std::string& bytes) {
  std::array<char, kPiece> piece{};
  std::size_t size = 0;
  errno = 0;
  const CURLcode code = curl_.receive(easy_, piece.data(), piece.size(), &size);
  if (code == CURLE_AGAIN) return Got::later;
  if (code != CURLE_OK) return errno == ECONNRESET || errno == EPIPE ? Got::reset : Got::end;
  if (size == 0) return Got::end;
  bytes.append(piece.data(), size);
  return Got::bytes;
}

bool ProviderSocket::send(std::string_view bytes, const testee::StopToken& stop) {
  while (!bytes.empty()) {
    std::size_t sent = 0;
    const CURLcode code = curl_.send(easy_, bytes.data(), bytes.size(), &sent);
    if (code == CURLE_OK) {
      bytes.remove_prefix(sent);
      continue;
    }
    if (code != CURLE_AGAIN) return false;
    const testee::Io io =
        testee::wait_for(socket_, POLLOUT, stop, testee::within(std::chrono::milliseconds(kPoll)));
    if (io != testee::Io::done && io != testee::Io::late) return false;
  }
  return true;
}

}  // namespace splitproof::record
