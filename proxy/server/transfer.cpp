#include "proxy/server/transfer.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace splitproof::server {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostIdle = 64;      // connections
constexpr milliseconds kMostSettling{20};  // the end of a body comes right behind what it ends, or not soon

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

// The library keeps connections with the handle that it drives transfers with. One handle drives one transfer at a time,
// so what the pool holds is handles with a connection each; the library's own sharing is not made for threads.
struct TransferPool::Line {
  CURLM* multi = curl_multi_init();
  CURL* easy = curl_easy_init();

  Line() = default;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  ~Line() {
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
  }
};

TransferPool::TransferPool() = default;
TransferPool::~TransferPool() = default;

std::unique_ptr<TransferPool::Line> TransferPool::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<Line>();
  std::unique_ptr<Line> line = std::move(idle_.back());
  idle_.pop_back();
  return line;
}

void TransferPool::give_back(std::unique_ptr<Line> line) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(line));
}

struct Transfer::State {
  TransferPool& pool;
  std::unique_ptr<TransferPool::Line> line;
  CURLM* multi;
  CURL* easy;
  curl_slist* headers = nullptr;
  std::string request;
  std::string body;
  std::size_t bytes = 0;  // of head and body, ever
  bool head_over = false;
  std::optional<TransferEnd> end;
  milliseconds idle{0};
  Clock::time_point last = Clock::now();  // when something last moved
  curl_off_t moved = 0;

  explicit State(TransferPool& lines)
      : pool(lines), line(lines.take()), multi(line->multi), easy(line->easy) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  ~State() {
    curl_multi_remove_handle(multi, easy);
    if (end == TransferEnd::complete) {
      curl_easy_reset(easy);
      pool.give_back(std::move(line));
    }
    line.reset();  // before the headers that it may still point to
    curl_slist_free_all(headers);
  }

  void add_header(const std::string& text) { headers = curl_slist_append(headers, text.c_str()); }

  bool connected() const {
    curl_off_t before_request = 0;
    curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &before_request);
    return before_request > 0;
  }

  static std::size_t take_head(char* data, std::size_t, std::size_t size, void* self) {
    auto& state = *static_cast<State*>(self);
    state.bytes += size;
    const std::string_view line(data, size);
    long status = 0;
    curl_easy_getinfo(state.easy, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200 && (line == "\r\n" || line == "\n")) state.head_over = true;
    return size;
  }

  static std::size_t take_body(char* data, std::size_t, std::size_t size, void* self) {
    auto& state = *static_cast<State*>(self);
    state.bytes += size;
    state.body.append(data, size);
    return size;
  }

  void perform() {
    int running = 0;
    curl_multi_perform(multi, &running);
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
      if (message->msg == CURLMSG_DONE) end = end_of(message->data.result, connected());
    }
  }

  // Connecting has a limit of its own, which the library keeps.
  void look_at_the_clock() {
    curl_off_t sent = 0;
    curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    const curl_off_t now_moved = sent + static_cast<curl_off_t>(bytes);
    if (now_moved != moved || !connected()) {
      moved = now_moved;
      last = Clock::now();
    } else if (!end && Clock::now() - last >= idle) {
      end = TransferEnd::silent;
    }
  }
};

Transfer::Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, TransferPool& pool)
    : state_(std::make_unique<State>(pool)) {
  State& state = *state_;
  state.idle = timeouts.idle;
  state.request = call.body;
  state.add_header("Content-Type: application/json");
  state.add_header(call.streamed ? "Accept: text/event-stream" : "Accept: application/json");
  state.add_header("Expect:");  // else a large request waits a second for nothing
  for (const std::string& header : call.headers) state.add_header(header);
  CURL* easy = state.easy;
  curl_easy_setopt(easy, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
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
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &State::take_head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &state);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &State::take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &state);
  curl_multi_add_handle(state.multi, easy);
}

Transfer::~Transfer() = default;

void Transfer::wait(const std::vector<int>& watched, milliseconds at_most) {
  State& state = *state_;
  if (state.end) return;
  const std::size_t before = state.bytes;
  state.perform();
  if (state.bytes == before && !state.end) {
    std::vector<curl_waitfd> others;
    for (const int descriptor : watched) others.push_back({descriptor, CURL_WAIT_POLLIN, 0});
    const auto left = std::chrono::duration_cast<milliseconds>(state.last + state.idle - Clock::now());
    const milliseconds longest = std::clamp(left + milliseconds(1), milliseconds(0), at_most);
    curl_multi_poll(state.multi, others.data(), static_cast<unsigned>(others.size()),
                    static_cast<int>(longest.count()), nullptr);
    state.perform();
  }
  state.look_at_the_clock();
}

void Transfer::settle() {
  const Clock::time_point until = Clock::now() + kMostSettling;
  for (auto now = Clock::now(); !end() && now < until; now = Clock::now()) {
    wait({}, std::chrono::ceil<milliseconds>(until - now));
    state_->body.clear();
  }
}

int Transfer::status() const {
  long status = 0;
  if (state_->head_over) curl_easy_getinfo(state_->easy, CURLINFO_RESPONSE_CODE, &status);
  return static_cast<int>(status);
}

std::string Transfer::header(const std::string& name) const {
  curl_header* header = nullptr;
  if (curl_easy_header(state_->easy, name.c_str(), 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return {};
  return header->value;
}

std::string Transfer::take_body() { return std::exchange(state_->body, {}); }

std::optional<TransferEnd> Transfer::end() const { return state_->end; }

}  // namespace splitproof::server
