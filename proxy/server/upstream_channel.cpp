#include "proxy/server/upstream_channel.hpp"

#include <curl/curl.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

namespace splitproof::server {
namespace {

using Clock = EventLoop::Clock;
using std::chrono::milliseconds;

constexpr std::size_t kReadBytes = 4096;  // at a time
// Longest idle time of a connection: a firewall on the way may have forgotten it.
constexpr std::chrono::seconds kOldest{100};

// Returns a part of a URL; empty without it.
std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
  std::string value = text;
  curl_free(text);
  return value;
}

}  // namespace

UpstreamLibrary::UpstreamLibrary() { curl_global_init(CURL_GLOBAL_DEFAULT); }
UpstreamLibrary::~UpstreamLibrary() { curl_global_cleanup(); }

UpstreamAddress upstream_address(const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parts(curl_url(), &curl_url_cleanup);
  if (parts == nullptr) throw std::bad_alloc();
  if (curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    throw std::invalid_argument("'" + url + "' is not a URL");
  UpstreamAddress address;
  address.url = url;
  const std::string scheme = part_of(parts.get(), CURLUPART_SCHEME);
  address.secure = scheme == "https";
  address.host = part_of(parts.get(), CURLUPART_HOST);
  const std::string port = part_of(parts.get(), CURLUPART_PORT, CURLU_NO_DEFAULT_PORT);
  if (!port.empty()) address.host += ":" + port;
  address.path = part_of(parts.get(), CURLUPART_PATH);
  const std::string query = part_of(parts.get(), CURLUPART_QUERY);
  if (!query.empty()) address.path += "?" + query;
  address.origin = scheme + "://" + address.host;
  return address;
}

// The library is C, so exceptions must not pass through it.
struct UpstreamPool::Library {
  static int watch(CURL*, curl_socket_t descriptor, int what, void* self, void* known) {
    auto& pool = *static_cast<UpstreamPool*>(self);
    try {
      if (what == CURL_POLL_REMOVE) {
        if (known != nullptr) pool.loop_.forget(descriptor);
        return 0;
      }
      const std::uint32_t events =
          ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
      if (known != nullptr) {
        pool.loop_.change(descriptor, events);
      } else {
        pool.loop_.watch(descriptor, events, pool);
        curl_multi_assign(pool.multi_, descriptor, self);
      }
      return 0;
    } catch (const std::exception&) {
      return -1;
    }
  }

  static int set_timer(CURLM*, long milliseconds_left, void* self) {
    auto& pool = *static_cast<UpstreamPool*>(self);
    try {
      if (milliseconds_left < 0)
        pool.timer_.clear();
      else
        pool.timer_.set(Clock::now() + milliseconds(milliseconds_left));
      return 0;
    } catch (const std::exception&) {
      return -1;
    }
  }
};

UpstreamChannel::UpstreamChannel(UpstreamPool& pool, std::string origin)
    : pool_(pool),
      loop_(pool.loop_),
      origin_(std::move(origin)),
      easy_(curl_easy_init()),
      more_(loop_, [this] { ready(descriptor_, EPOLLIN); }) {
  if (easy_ == nullptr) throw std::bad_alloc();
}

UpstreamChannel::~UpstreamChannel() {
  wait_for(false, false);
  // Closes the connection, which only this handle uses.
  curl_multi_remove_handle(pool_.multi_, easy_);
  curl_easy_cleanup(easy_);
}

void UpstreamChannel::begin(const UpstreamAddress& address, milliseconds within) {
  curl_easy_setopt(easy_, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy_, CURLOPT_URL, address.url.c_str());
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_CONNECT_ONLY, 1L);
  // TLS offers no HTTP/2: a paused stream of a shared connection would accumulate in memory.
  curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  // Otherwise the library reads the environment, and keys would go to a proxy that nobody configured.
  curl_easy_setopt(easy_, CURLOPT_PROXY, pool_.forward_proxy_.c_str());
  curl_easy_setopt(easy_, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy_, CURLOPT_USERAGENT, "splitproof-proxy");  // for a forward proxy
  curl_easy_setopt(easy_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(within.count()));
  curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy_, CURLOPT_BUFFERSIZE, static_cast<long>(kReadBytes));
  curl_multi_add_handle(pool_.multi_, easy_);
}

void UpstreamChannel::finish_connecting(int result) {
  std::optional<Failure> failure;
  if (result != CURLE_OK) failure = result == CURLE_OPERATION_TIMEDOUT ? Failure::late : Failure::unreachable;
  curl_socket_t descriptor = CURL_SOCKET_BAD;
  if (!failure) curl_easy_getinfo(easy_, CURLINFO_ACTIVESOCKET, &descriptor);
  if (descriptor == CURL_SOCKET_BAD) {
    failure = failure.value_or(Failure::unreachable);
  } else {
    descriptor_ = descriptor;
    wait_for(true, false);
  }
  if (user_ != nullptr) user_->connected(failure);
}

UpstreamChannel::Io UpstreamChannel::send(std::string_view& bytes) {
  while (!bytes.empty()) {
    std::size_t sent = 0;
    const CURLcode result = curl_easy_send(easy_, bytes.data(), bytes.size(), &sent);
    if (result == CURLE_AGAIN) return Io::again;
    if (result != CURLE_OK) return Io::broken;
    bytes.remove_prefix(sent);
  }
  return Io::done;
}

UpstreamChannel::Io UpstreamChannel::receive(std::string& bytes) {
  std::array<char, kReadBytes> piece;
  std::size_t size = 0;
  const CURLcode result = curl_easy_recv(easy_, piece.data(), piece.size(), &size);
  if (result == CURLE_AGAIN) return Io::again;
  if (result != CURLE_OK) return Io::broken;
  if (size == 0) return Io::closed;
  bytes.append(piece.data(), size);
  if (size == piece.size()) read_again();
  return Io::done;
}

bool UpstreamChannel::delivered() const {
  int under_way = 0;
  return ioctl(descriptor_, SIOCOUTQ, &under_way) != 0 || under_way == 0;
}

void UpstreamChannel::wait_for(bool reads, bool writes) {
  if (descriptor_ < 0) return;
  const std::uint32_t events = (reads ? EPOLLIN : 0U) | (writes ? EPOLLOUT : 0U);
  const bool read = (events_ & EPOLLIN) != 0;
  const bool watched = std::exchange(events_, events) != 0;
  // A descriptor without events would still report a broken connection, again and again.
  if (events == 0 && watched)
    loop_.forget(descriptor_);
  else if (events != 0 && watched)
    loop_.change(descriptor_, events);
  else if (events != 0)
    loop_.watch(descriptor_, events, *this);
  if (!reads)
    more_.clear();
  else if (!read)
    read_again();
}

// A timer that is due at once would run before other events, again and again. So it is set one nanosecond later.
void UpstreamChannel::read_again() { more_.set(loop_.now() + std::chrono::nanoseconds(1)); }

void UpstreamChannel::ready(int, std::uint32_t) {
  if (user_ != nullptr)
    user_->ready();
  else
    pool_.look_at_idle(*this);
}

bool UpstreamChannel::is_silent() {
  std::string unasked;
  return receive(unasked) == Io::again;
}

UpstreamPool::UpstreamPool(EventLoop& loop, std::size_t idle, std::string forward_proxy, milliseconds rest)
    : loop_(loop),
      timer_(loop, [this] { act(CURL_SOCKET_TIMEOUT, 0); }),
      forward_proxy_(std::move(forward_proxy)),
      most_idle_(idle),
      rest_(rest),
      multi_(curl_multi_init()) {
  if (multi_ == nullptr) throw std::bad_alloc();
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Library::watch);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Library::set_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
}

UpstreamPool::~UpstreamPool() {
  idle_.clear();
  dead_.clear();
  curl_multi_cleanup(multi_);
}

std::unique_ptr<UpstreamChannel> UpstreamPool::take_idle(const UpstreamAddress& address,
                                                         UpstreamChannel::User& user) {
  const Clock::time_point now = Clock::now();
  // The upstream is least likely to have closed the connection with the shortest rest.
  for (auto at = idle_.end(); at != idle_.begin();) {
    --at;
    UpstreamChannel& connection = **at;
    if (connection.origin_ != address.origin || now - connection.idle_since_ < rest_) continue;
    std::unique_ptr<UpstreamChannel> taken = std::move(*at);
    at = idle_.erase(at);
    if (now - connection.idle_since_ < kOldest && connection.is_silent()) {
      connection.user_ = &user;
      return taken;
    }
    destroy(std::move(taken));
  }
  return nullptr;
}

std::unique_ptr<UpstreamChannel> UpstreamPool::connect(const UpstreamAddress& address, milliseconds within,
                                                       UpstreamChannel::User& user) {
  std::unique_ptr<UpstreamChannel> made(new UpstreamChannel(*this, address.origin));
  made->user_ = &user;
  made->begin(address, within);
  return made;
}

void UpstreamPool::give_back(std::unique_ptr<UpstreamChannel> connection, bool reusable) {
  if (connection == nullptr) return;
  connection->leave();
  if (!reusable || most_idle_ == 0) return destroy(std::move(connection));
  connection->idle_since_ = Clock::now();
  connection->wait_for(true, false);
  // If there are too many, drop the newest: the others have rested longer and are usable sooner.
  if (idle_.size() >= most_idle_) {
    const bool outdated = connection->idle_since_ - idle_.front()->idle_since_ >= kOldest;
    if (!outdated) return destroy(std::move(connection));
    destroy(std::move(idle_.front()));
    idle_.pop_front();
  }
  idle_.push_back(std::move(connection));
}

void UpstreamPool::destroy(std::unique_ptr<UpstreamChannel> connection) {
  connection->leave();
  connection->wait_for(false, false);
  dead_.push_back(std::move(connection));
  loop_.later([this] { dead_.clear(); });
}

// Handles bytes or the end on an idle connection. TLS may send bytes that are not data.
void UpstreamPool::look_at_idle(const UpstreamChannel& connection) {
  const auto at =
      std::find_if(idle_.begin(), idle_.end(), [&](const auto& idle) { return idle.get() == &connection; });
  if (at == idle_.end() || (*at)->is_silent()) return;
  std::unique_ptr<UpstreamChannel> spoilt = std::move(*at);
  idle_.erase(at);
  destroy(std::move(spoilt));
}

void UpstreamPool::ready(int descriptor, std::uint32_t events) {
  int what = 0;
  if ((events & EPOLLIN) != 0) what |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
  act(descriptor, what);
}

void UpstreamPool::act(int descriptor, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, descriptor, events, &running);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    char* self = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
    static_cast<UpstreamChannel*>(static_cast<void*>(self))->finish_connecting(message->data.result);
  }
}

}  // namespace splitproof::server
