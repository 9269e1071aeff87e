#include "harness/record/provider_call.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

namespace splitproof::record {
namespace {

constexpr long kReadBytes = 512L * 1024;  // the library's largest buffer, so that a read is one piece
constexpr long kConnectSeconds = 60;
constexpr int kPollMilliseconds = 1000;

/// One call in progress.
struct ProviderCall {
  const CurlLibrary& curl;
  const ResponseTaker& taker;
  ProviderHead head;
  bool has_head = false;
  bool client_left = false;
};

// The library is C, so no exception may pass through it. Bad memory ends the program elsewhere too.
std::size_t take_bytes(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& call = *static_cast<ProviderCall*>(self);
  if (call.client_left || !call.taker.bytes({bytes, size})) {
    call.client_left = true;
    return 0;
  }
  return size;
}

// Reads "HTTP/1.1 200 OK".
void read_status_line(std::string_view line, ProviderHead& head) {
  head = {};
  const std::size_t blank = line.find(' ');
  head.version = line.substr(0, blank);
  if (blank == line.npos) return;
  line.remove_prefix(blank + 1);
  std::from_chars(line.data(), line.data() + line.size(), head.status);
  if (line.size() > 4) head.reason = line.substr(4);
}

std::size_t take_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& call = *static_cast<ProviderCall*>(self);
  if (call.has_head) return size;  // a trailer
  std::string_view line(bytes, size);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    read_status_line(line, call.head);
  } else if (const std::size_t colon = line.find(':'); colon != line.npos) {
    call.head.headers.push_back(
        {std::string(line.substr(0, colon)), std::string(testee::without_blanks(line.substr(colon + 1)))});
  } else if (line.empty() && call.head.status >= 200) {
    call.has_head = true;
    if (!call.taker.head(call.head)) {
      call.client_left = true;
      return 0;
    }
  }
  return size;
}

using HeaderList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

HeaderList header_list(const CurlLibrary& curl, const testee::Headers& headers) {
  HeaderList list(nullptr, curl.list_free);
  const auto add = [&](const std::string& line) {
    if (curl_slist* longer = curl.list_append(list.get(), line.c_str()); longer != nullptr) {
      static_cast<void>(list.release());
      list.reset(longer);
    }
  };
  for (const testee::Header& header : headers)
    add(header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
  // The library adds these if the client does not send them.
  for (const char* name : {"accept", "content-type", "expect"})
    if (testee::find_header(headers, name) == nullptr) add(std::string(name) + ":");
  return list;
}

void set_options(const CurlLibrary& curl, CURL* easy, const ProviderRequest& request, ProviderCall& call) {
  curl.set(easy, CURLOPT_URL, request.url.c_str());
  curl.set(easy, CURLOPT_PATH_AS_IS, 1L);
  curl.set(easy, CURLOPT_NOSIGNAL, 1L);
  curl.set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl.set(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl.set(easy, CURLOPT_BUFFERSIZE, kReadBytes);
  curl.set(easy, CURLOPT_TCP_NODELAY, 1L);
  if (request.is_local) curl.set(easy, CURLOPT_NOPROXY, "*");
  const std::string& ca_file = request.ca_file.empty() ? curl.ca_file : request.ca_file;
  if (!ca_file.empty()) curl.set(easy, CURLOPT_CAINFO, ca_file.c_str());
  // Bytes of the body come with the framing of chunks, so that every boundary is seen.
  curl.set(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0L);
  curl.set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl.set(easy, CURLOPT_WRITEFUNCTION, take_bytes);
  curl.set(easy, CURLOPT_WRITEDATA, &call);
  curl.set(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl.set(easy, CURLOPT_HEADERDATA, &call);
  if (request.method == "HEAD") {
    curl.set(easy, CURLOPT_NOBODY, 1L);
  } else if (!request.body.empty() || request.method == "POST" || request.method == "PUT" ||
             request.method == "PATCH") {
    curl.set(easy, CURLOPT_POST, 1L);
    curl.set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl.set(easy, CURLOPT_POSTFIELDS, request.body.data());
  }
  curl.set(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

// True if the client has ended its side or broken the connection. `pipelined`: it has sent more bytes instead.
bool has_left(int client, bool& pipelined) {
  char byte = 0;
  const ssize_t got = recv(client, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  pipelined = got > 0;
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

CallEnd end_of(const CurlLibrary& curl, CURL* easy, CURLcode code, const ProviderCall& call) {
  if (call.client_left) return CallEnd::client_left;
  switch (code) {
    case CURLE_OK:
      return CallEnd::complete;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return CallEnd::unreachable;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
      return CallEnd::closed;
    default:
      break;
  }
  long error = 0;
  curl.get(easy, CURLINFO_OS_ERRNO, &error);
  // TLS without a proper end reports no error of the system.
  return code == CURLE_RECV_ERROR && error != ECONNRESET && error != EPIPE ? CallEnd::closed : CallEnd::reset;
}

}  // namespace

CallEnd ProviderConnections::call(const ProviderRequest& request, const ResponseTaker& taker, int client,
                                  const testee::StopToken& stop, std::string& detail) {
  ProviderCall call{curl_, taker, {}, false, false};
  const std::unique_ptr<CURL, decltype(curl_.easy_cleanup)> easy(curl_.easy_init(), curl_.easy_cleanup);
  const HeaderList headers = header_list(curl_, request.headers);
  std::array<char, CURL_ERROR_SIZE> why{};
  set_options(curl_, easy.get(), request, call);
  curl_.set(easy.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_.set(easy.get(), CURLOPT_ERRORBUFFER, why.data());
  curl_.multi_add(multi_, easy.get());
  std::optional<CallEnd> end;
  bool pipelined = false;
  while (!end) {
    int running = 0;
    curl_.multi_perform(multi_, &running);
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      end = end_of(curl_, easy.get(), message->data.result, call);
      detail = why[0] != '\0' ? why.data() : curl_.error_text(message->data.result);
    }
    if (end) break;
    std::array<curl_waitfd, 2> watched{
        {{stop.descriptor(), CURL_WAIT_POLLIN, 0}, {client, CURL_WAIT_POLLIN, 0}}};
    curl_.multi_poll(multi_, watched.data(), pipelined ? 1 : 2, kPollMilliseconds, nullptr);
    if (watched[0].revents != 0) {
      end = CallEnd::stopped;
    } else if (has_left(client, pipelined)) {
      end = CallEnd::client_left;
    }
  }
  curl_.multi_remove(multi_, easy.get());
  return *end;
}

}  // namespace splitproof::record
