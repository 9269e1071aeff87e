#include "proxy/server/transfer.hpp"

#include <curl/curl.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "proxy/wire/ascii.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::server {
namespace {

using Clock = EventLoop::Clock;
using std::chrono::milliseconds;

constexpr std::size_t kAnswerHeadBytes = 256 * 1024;  // of a response, interim ones included
constexpr long kHighestStatus = 599;                  // RFC 9110, 15
constexpr std::size_t kReadBytes = 4096;              // at a time
constexpr std::size_t kEnough = 3072;                 // of a body, before it is looked at
constexpr std::size_t kEnoughUnpacked = 4 << 20;      // more than can come of a bomb
constexpr std::size_t kMayUnpack = 1024 * 1024;       // whatever it came as
constexpr std::size_t kMostUnpacking = 128;           // times what came: real streams stay far below

TransferEnd end_of(CURLcode code, bool connected) {
  switch (code) {
    case CURLE_OK:
      return TransferEnd::complete;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
      return TransferEnd::closed;
    case CURLE_OPERATION_TIMEDOUT:
      return connected ? TransferEnd::silent : TransferEnd::unconnected;
    default:
      return connected ? TransferEnd::reset : TransferEnd::unreachable;
  }
}

}  // namespace

TransferLibrary::TransferLibrary() { curl_global_init(CURL_GLOBAL_DEFAULT); }
TransferLibrary::~TransferLibrary() { curl_global_cleanup(); }

struct Transfer::State {
  TransferPool& pool;
  std::function<void()> moved;
  EventLoop::Timer patience;
  CURL* easy;
  curl_slist* headers = nullptr;
  std::string request;
  std::string body;
  std::string retry_after;
  bool in_retry_after = false;  // the last line of the head was of it
  std::size_t head_bytes = 0;   // of all responses
  std::size_t body_bytes = 0;   // unpacked
  bool head_over = false;
  bool packed_body = false;
  bool paused = false;  // by the transfer's owner
  bool held = false;    // until its owner has seen what came
  bool swollen = false;
  bool counted = false;  // among the pool's `transfers_`
  bool noted = false;    // among the pool's `moved_`
  int status = 0;
  std::optional<TransferEnd> end;
  milliseconds idle{0};
  curl_off_t progress = 0;  // when `patience` was set

  State(TransferPool& transfers, std::function<void()> told)
      : pool(transfers),
        moved(std::move(told)),
        patience(pool.loop_, [this] { look_at_the_clock(); }),
        easy(curl_easy_init()) {
    if (easy == nullptr) throw std::bad_alloc();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  ~State() {
    uncount();
    curl_multi_remove_handle(pool.multi_, easy);
    // Not kept for the next transfer: libcurl 7.88 leaves a pointer in it to the last header of this one, and goes on there
    // where the next head begins with a folded line.
    curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
  }

  void add_header(const std::string& text) { headers = curl_slist_append(headers, text.c_str()); }

  bool connected() const {
    curl_off_t before_request = 0;
    curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &before_request);
    return before_request > 0;
  }

  curl_off_t sent_and_come() const {
    curl_off_t sent = 0;
    curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    return sent + static_cast<curl_off_t>(head_bytes + body_bytes);
  }

  // Connecting has a limit of its own, which the library keeps. While nothing is read nothing is waited for.
  void look_at_the_clock() {
    const curl_off_t now = sent_and_come();
    if (now == progress && connected() && !paused && !end) {
      end = TransferEnd::silent;
      return moved();
    }
    progress = now;
    wait();
  }

  void uncount() {
    if (std::exchange(counted, false)) pool.count(pool.transfers_ - 1);
  }

  void hold(bool holds) {
    if (std::exchange(held, holds) != holds && !paused && !end)
      curl_easy_pause(easy, holds ? CURLPAUSE_RECV : CURLPAUSE_CONT);
  }

  void wait() { patience.set(pool.loop_.now() + idle); }

  // A line of a head.
  bool take_head(std::string_view line) {
    head_bytes += line.size();
    if (head_bytes > kAnswerHeadBytes) return false;
    long code = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
    if (line == "\r\n" || line == "\n") {
      if (code < 200) return true;
      if (code > kHighestStatus) return false;
      head_over = true;
      status = static_cast<int>(code);
      release_request();
    } else if (!head_over) {
      take_field(line);
    }
    return true;
  }

  // What is folded means nothing: servers that are asked for it differ in what they would read.
  void take_field(std::string_view line) {
    constexpr std::string_view kName = "retry-after:";
    constexpr std::string_view kPacked = "content-encoding:";
    if (wire::lowered(line.substr(0, kPacked.size())) == kPacked) packed_body = true;
    const bool folded = line.starts_with(' ') || line.starts_with('\t');
    if (!folded) in_retry_after = wire::lowered(line.substr(0, kName.size())) == kName;
    if (!in_retry_after) return;
    line.remove_prefix(folded ? 0 : std::min(line.find_first_not_of(" \t", kName.size()), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
    const bool clean = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
    retry_after = !folded && clean ? std::string(line) : std::string();
  }

  // Unless some of it is still to be sent.
  void release_request() {
    curl_off_t sent = 0;
    curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    if (static_cast<std::size_t>(sent) >= request.size()) wire::empty(request);
  }

  bool take_body(std::string_view bytes) {
    body_bytes += bytes.size();
    curl_off_t came = 0;
    curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &came);
    const auto packed = static_cast<std::size_t>(std::max<curl_off_t>(came, kReadBytes));
    swollen = body_bytes > kMayUnpack && body_bytes / kMostUnpacking > packed;
    if (swollen) return false;
    body.append(bytes);
    // Else the library reads a hundred times before anybody can look at it. What is packed comes unpacked as a whole.
    if (body.size() >= (packed_body ? kEnoughUnpacked : kEnough)) hold(true);
    return true;
  }
};

// The library is C: nothing may be thrown through it.
struct TransferPool::Library {
  static Transfer::State& note(void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (!std::exchange(transfer.state_->noted, true)) transfer.state_->pool.moved_.push_back(&transfer);
    return *transfer.state_;
  }

  static std::size_t take_head(char* data, std::size_t, std::size_t size, void* self) {
    try {
      return note(self).take_head({data, size}) ? size : 0;
    } catch (const std::exception&) {
      return 0;
    }
  }

  static std::size_t take_body(char* data, std::size_t, std::size_t size, void* self) {
    try {
      return note(self).take_body({data, size}) ? size : 0;
    } catch (const std::exception&) {
      return 0;
    }
  }

  static int watch(CURL*, curl_socket_t descriptor, int what, void* self, void* known) {
    auto& pool = *static_cast<TransferPool*>(self);
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
    auto& pool = *static_cast<TransferPool*>(self);
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

TransferPool::TransferPool(EventLoop& loop, std::size_t idle, std::string forward_proxy)
    : loop_(loop),
      timer_(loop, [this] { act(CURL_SOCKET_TIMEOUT, 0); }),
      forward_proxy_(std::move(forward_proxy)),
      idle_(idle),
      multi_(curl_multi_init()) {
  if (multi_ == nullptr) throw std::bad_alloc();
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Library::watch);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Library::set_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
  count(0);
}

TransferPool::~TransferPool() { curl_multi_cleanup(multi_); }

// The library counts connections that are busy with those that are idle.
void TransferPool::count(std::size_t transfers) {
  transfers_ = transfers;
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(transfers_ + idle_));
}

void TransferPool::ready(int descriptor, std::uint32_t events) {
  int what = 0;
  if ((events & EPOLLIN) != 0) what |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
  act(descriptor, what);
}

void TransferPool::act(int descriptor, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, descriptor, events, &running);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    char* self = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
    Transfer::State& state = Library::note(self);
    state.uncount();
    if (!state.end)
      state.end = state.swollen ? TransferEnd::swollen : end_of(message->data.result, state.connected());
  }
  for (Transfer* transfer : std::exchange(moved_, {})) {
    transfer->state_->noted = false;
    transfer->state_->moved();
    transfer->state_->hold(false);
  }
}

Transfer::Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, TransferPool& pool,
                   std::function<void()> moved)
    : state_(std::make_unique<State>(pool, std::move(moved))) {
  State& state = *state_;
  state.idle = timeouts.idle;
  state.request = call.body;
  state.add_header("Content-Type: application/json");
  state.add_header("Accept: " + call.accepted);
  state.add_header("Expect:");  // else a large request waits a second for nothing
  for (const std::string& header : call.headers) state.add_header(header);
  CURL* easy = state.easy;
  curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  // Of streams that share a connection one that is paused would be held in memory.
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  // Else the library asks the environment, which then carries keys where nobody configured it to.
  curl_easy_setopt(easy, CURLOPT_PROXY, pool.forward_proxy_.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, state.headers);
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(state.request.size()));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, state.request.c_str());
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "splitproof-proxy");
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING,
                   "identity");  // and undo it where it is compressed all the same
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(timeouts.connect.count()));
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, static_cast<long>(kReadBytes));
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &TransferPool::Library::take_head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &TransferPool::Library::take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  state.wait();
  pool.count(pool.transfers_ + 1);
  state.counted = true;
  curl_multi_add_handle(pool.multi_, easy);
}

Transfer::~Transfer() {
  auto& moved = state_->pool.moved_;
  moved.erase(std::remove(moved.begin(), moved.end(), this), moved.end());
}

int Transfer::status() const { return state_->status; }

const std::string& Transfer::retry_after() const { return state_->retry_after; }

std::string& Transfer::body() { return state_->body; }

void Transfer::pause(bool paused) {
  if (std::exchange(state_->paused, paused) == paused || state_->end) return;
  if (!state_->held) curl_easy_pause(state_->easy, paused ? CURLPAUSE_RECV : CURLPAUSE_CONT);
  state_->progress = state_->sent_and_come();
  state_->wait();
}

std::optional<TransferEnd> Transfer::end() const { return state_->end; }

}  // namespace splitproof::server
