#include "proxy/server/http_server.hpp"

#include <httplib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <thread>
#include <utility>

#include "proxy/request/head.hpp"
#include "proxy/server/client_key.hpp"
#include "proxy/server/client_socket.hpp"
#include "proxy/server/connection_threads.hpp"
#include "proxy/server/models.hpp"
#include "proxy/server/relayed_request.hpp"
#include "proxy/server/request_log.hpp"

namespace splitproof::server {
namespace {

using turn::ErrorKind;

constexpr std::size_t kHeadBytes = 65536;  // of a request
constexpr int kBacklog = 1024;             // the library's own is 5
constexpr std::size_t kIdleConnections = 64;
constexpr std::chrono::seconds kKeepAlive{60};
constexpr const char* kHealth = "/health";

// What belongs to one connection, and to the request that it is busy with.
struct ServedConnection {
  ClientSocket socket;
  RequestLog log;
  std::shared_ptr<RelayedRequest> exchange;  // while a message is answered
  bool close = false;                        // a body was left unread, or the answer was cut off
};

// Rides on a request from the connection that read it to the handler.
struct Rider {
  ServedConnection* connection;
  bool operator()(std::uint64_t, std::uint64_t) const { return true; }
};

ServedConnection& connection_of(const httplib::Request& request) {
  return *request.progress.target<Rider>()->connection;
}

// A client's socket as the library wants it.
class SocketStream final : public httplib::Stream {
 public:
  SocketStream(ClientSocket& socket, int descriptor) : socket_(socket), descriptor_(descriptor) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return !socket_.gone(); }
  ssize_t read(char* data, std::size_t size) override { return socket_.read(data, size); }
  ssize_t write(const char* data, std::size_t size) override {
    return socket_.write(data, size) ? static_cast<ssize_t>(size) : -1;
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return descriptor_; }

 private:
  ClientSocket& socket_;
  int descriptor_;
};

// Gives the library's queue of tasks to threads of our own.
class Tasks final : public httplib::TaskQueue {
 public:
  explicit Tasks(std::size_t most) : threads_(most) {}
  void enqueue(std::function<void()> task) override { threads_.run(std::move(task)); }
  void shutdown() override { threads_.join(); }

 private:
  ConnectionThreads threads_;
};

void send(const Answer& answer, httplib::Response& response) {
  response.status = answer.status;
  if (!answer.retry_after.empty()) response.set_header("retry-after", answer.retry_after);
  response.set_content(answer.body, "application/json");
}

// Whose protocol a request speaks, by its path. At any other path errors are those of the first.
const proxy::dialect::Client& asker(const httplib::Request& request) {
  const auto clients = proxy::dialect::clients();
  const auto found = std::find_if(clients.begin(), clients.end(), [&](const proxy::dialect::Client& client) {
    return client.path == request.path;
  });
  return found == clients.end() ? clients.front() : *found;
}

// What the client says in headers of the protocol that it shares with the upstream.
void add_own_headers(const proxy::dialect::Client& client, const httplib::Request& request,
                     UpstreamPost& call) {
  for (const auto& [name, value] : request.headers) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower.starts_with(client.own_headers)) call.headers.push_back(name + ": " + value);
  }
}

// In seconds since 1970.
std::uint64_t now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(since).count());
}

bool has_body(const httplib::Request& request) {
  return request.has_header("Content-Length") || request.has_header("Transfer-Encoding");
}

}  // namespace

struct HttpServer::State : httplib::Server {
  explicit State(ServerSettings settings) : settings_(std::move(settings)), stop_(eventfd(0, EFD_CLOEXEC)) {
    set_keep_alive_timeout(kKeepAlive.count());  // what responses announce; the waiting itself is done here
    set_keep_alive_max_count(1000);
    set_socket_options([](socket_t descriptor) {
      const int yes = 1;
      // Not the library's SO_REUSEPORT: with it a second server would share the port without a word.
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    new_task_queue = [this] { return new Tasks(settings_.limits.streams + kIdleConnections); };
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return route(request, response);
    });
    for (const proxy::dialect::Client& client : proxy::dialect::clients()) {
      Post(std::string(client.path),
           [this, &client](const httplib::Request& request, httplib::Response& response,
                           const httplib::ContentReader& body) { answer(client, request, response, body); });
    }
    set_error_handler([](const httplib::Request& request, httplib::Response& response) {
      if (!response.body.empty()) return;
      const int status = response.status;
      const auto error = asker(request).error;
      send(status == 413   ? error(ErrorKind::request_too_large, "the request is too large")
           : status == 404 ? error(ErrorKind::not_found, "there is nothing at this path")
           : status >= 500 ? error(ErrorKind::api, "the proxy could not serve the request")
                           : error(ErrorKind::invalid_request, "the request is not well-formed HTTP"),
           response);
      response.status = status;
      response.set_header("Connection", "close");
      if (request.progress) connection_of(request).close = true;
    });
    set_exception_handler(
        [](const httplib::Request& request, httplib::Response& response, std::exception_ptr) {
          send(asker(request).error(ErrorKind::api, "the proxy could not serve the request"), response);
          response.status = 500;
          connection_of(request).close = true;
        });
    set_post_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      if (!request.progress) return;
      RequestLog& log = connection_of(request).log;
      log.status = response.status;
      response.set_header("request-id", log.request_id());
    });
  }

  ~State() override { close(stop_); }

  bool listen_more() {
    const int listening = svr_sock_;
    return ::listen(listening, kBacklog) == 0;
  }

  void end() {
    const std::uint64_t one = 1;
    if (::write(stop_, &one, sizeof one) < 0) std::perror("splitproof-proxy: eventfd");
    ending_ = true;
    // The library loses a stop that comes before it runs, and does not bear a second one.
    while (!ended_ && !is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!ended_) stop();
  }

  void serve() {
    if (!ending_) listen_after_bind();
    ended_ = true;
  }

  bool ended() const { return ended_; }

  int port_ = 0;

 private:
  bool process_and_close_socket(socket_t descriptor) override {
    const int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ServedConnection connection{ClientSocket(descriptor, stop_, settings_.client_timeout), {}, {}, false};
    SocketStream stream(connection.socket, descriptor);
    bool served = false;
    while (!connection.close && connection.socket.wait_for_request(kKeepAlive)) {
      connection.socket.allow(kHeadBytes);
      connection.log.begin(seed(), connection.socket.sent());
      bool closed = false;
      served = process_request(stream, false, closed, [&](httplib::Request& request) {
        request.progress = Rider{&connection};
        // The body goes out as it is, all of it.
        request.headers.erase("Accept-Encoding");
        request.ranges.clear();
        connection.log.method = request.method;
        connection.log.path = request.path;
      });
      connection.log.end(connection.socket.sent(), served);
      if (connection.exchange != nullptr) connection.exchange->settle();
      connection.exchange.reset();
      // What follows a request that could not be read is not the beginning of another.
      if (!served || closed || connection.log.method.empty()) break;
    }
    if (connection.close) connection.socket.linger();
    shutdown(descriptor, SHUT_RDWR);
    close(descriptor);
    return served;
  }

  // Answers everything but what `answer` is for.
  HandlerResponse route(const httplib::Request& request, httplib::Response& response) {
    const bool post = request.method == "POST";
    const proxy::dialect::Client& client = asker(request);
    const bool asks = request.path == client.path;
    if (post && asks && !request.is_multipart_form_data()) return HandlerResponse::Unhandled;
    // A body that nobody reads would be taken for the next request.
    if (has_body(request)) {
      connection_of(request).close = true;
      response.set_header("Connection", "close");
    }
    const bool get = request.method == "GET" || request.method == "HEAD";
    if (request.path == kHealth && get) {
      response.set_content("{\"status\":\"ok\"}", "application/json");
      response.status = 200;
    } else if (asks && post) {
      send(client.error(ErrorKind::invalid_request, "the body has to be JSON"), response);
    } else if (asks && get && !request.get_header_value("Upgrade").empty()) {
      // The one answer upon which a client that dials a WebSocket first asks by POST at once.
      send(client.error(ErrorKind::invalid_request, "there is no WebSocket here: POST the request"),
           response);
      response.status = 426;
      response.set_header("Upgrade", "HTTP/1.1");
    } else if (asks || request.path == kHealth) {
      send(client.error(ErrorKind::invalid_request, "the method is not allowed here"), response);
      response.status = 405;
      response.set_header("Allow", asks ? "POST" : "GET, HEAD");
    } else {
      send(client.error(ErrorKind::not_found, "there is nothing at this path"), response);
    }
    return HandlerResponse::Handled;
  }

  void answer(const proxy::dialect::Client& client, const httplib::Request& request,
              httplib::Response& response, const httplib::ContentReader& reader) {
    ServedConnection& connection = connection_of(request);
    const auto refuse = [&](ErrorKind kind, std::string message) {
      send(client.error(kind, std::move(message)), response);
    };
    std::string body;
    if (const auto problem = read_body(client, reader, connection.socket, body)) {
      connection.close = true;
      response.set_header("Connection", "close");
      return send(*problem, response);
    }
    TranslatorOptions options = settings_.translator;
    options.client = &client;
    const bool relays = options.relays();
    const std::size_t depth = options.rules.limits.json_depth;
    auto asked = relays ? request::read_head(body, depth) : client.read_request(body, depth);
    if (!asked) return refuse(ErrorKind::invalid_request, asked.error().message);
    choose_model(settings_.models, *asked);
    const auto key = client_key(request.get_header_value(std::string(client.key_header).c_str()),
                                request.get_header_value("authorization"));
    if (!key) return refuse(ErrorKind::authentication, "the key holds characters that no key can have");
    auto place = std::make_shared<StreamSlot>(streams_, settings_.limits.streams);
    if (!place->taken()) return refuse(ErrorKind::overloaded, "the proxy has no room for one more stream");
    options.reply = {connection.log.id, now(), request::plain(asked->model), asked->usage, asked->aliases};
    for (const std::string& text : asked->stop) options.rules.stop_sequences.push_back(request::plain(text));
    auto written = relays ? request::with_model(body, asked->model, depth)
                          : options.upstream->write_request(*asked, options.dialect);
    if (!written) return refuse(ErrorKind::invalid_request, written.error().message);
    UpstreamPost call{settings_.upstream, *key, {}, std::move(*written), !relays || asked->stream};
    if (!key->empty()) call.headers.push_back(std::string(options.upstream->key_header) + *key);
    const std::string_view header = options.upstream->header;
    if (!header.empty() &&
        !(relays && request.has_header(std::string(header.substr(0, header.find(':'))).c_str())))
      call.headers.emplace_back(header);
    if (relays) add_own_headers(client, request, call);
    auto exchange =
        std::make_shared<RelayedRequest>(call, asked->stream, options, settings_, connection.socket, pool_);
    connection.exchange = exchange;
    switch (exchange->begin()) {
      case RelayedRequest::Begun::answer:
        return send(exchange->answer(), response);
      case RelayedRequest::Begun::gone:
        connection.socket.give_up();
        response.status = 499;  // nobody reads it but the log
        return;
      case RelayedRequest::Begun::stream:
        break;
    }
    response.status = 200;
    response.set_header("Cache-Control", "no-cache");
    response.set_chunked_content_provider("text/event-stream", [exchange, place](std::size_t,
                                                                                 httplib::DataSink& sink) {
      const bool whole =
          exchange->stream([&](std::string_view piece) { return sink.write(piece.data(), piece.size()); });
      if (whole) sink.done();
      return whole;
    });
  }

  // The answer that says why there is no body, where there is none.
  std::optional<Answer> read_body(const proxy::dialect::Client& client, const httplib::ContentReader& reader,
                                  ClientSocket& socket, std::string& body) const {
    const std::size_t most = settings_.limits.request_bytes;
    socket.allow(most + most / 4 + kHeadBytes);  // chunks have heads of their own
    bool large = false;
    const bool read = reader([&](const char* data, std::size_t size) {
      large = body.size() + size > most;
      if (!large) body.append(data, size);
      return !large;
    });
    if (large) {
      return client.error(ErrorKind::request_too_large,
                          "the request is larger than " + std::to_string(most) + " bytes");
    }
    if (!read) return client.error(ErrorKind::invalid_request, "the body did not come whole");
    return std::nullopt;
  }

  std::uint64_t seed() const {
    if (settings_.seed) return *settings_.seed;
    std::uint64_t random = 0;
    // Cannot fail with so few bytes, once the system has started.
    (void)getrandom(&random, sizeof random, 0);
    return random;
  }

  // One of the streams that may be open at a time.
  class StreamSlot {
   public:
    StreamSlot(std::atomic<std::size_t>& open, std::size_t most)
        : open_(open), taken_(open_.fetch_add(1) < most) {}
    ~StreamSlot() { open_.fetch_sub(1); }
    StreamSlot(const StreamSlot&) = delete;
    StreamSlot& operator=(const StreamSlot&) = delete;
    bool taken() const { return taken_; }

   private:
    std::atomic<std::size_t>& open_;
    bool taken_;
  };

  const ServerSettings settings_;
  const int stop_;
  std::atomic<bool> ending_ = false;
  std::atomic<bool> ended_ = false;
  std::atomic<std::size_t> streams_ = 0;
  TransferPool pool_;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

tl::expected<HttpServer, std::string> HttpServer::bind(const std::string& host, int port,
                                                       ServerSettings settings) {
  auto state = std::make_unique<State>(std::move(settings));
  state->port_ = port == 0 ? state->bind_to_any_port(host) : state->bind_to_port(host, port) ? port : -1;
  if (state->port_ <= 0 || !state->listen_more())
    return tl::make_unexpected("cannot listen on " + host + " port " + std::to_string(port));
  return HttpServer(std::move(state));
}

int HttpServer::port() const { return state_->port_; }

void HttpServer::run() { state_->serve(); }

bool HttpServer::ended() const { return state_->ended(); }

void HttpServer::stop() { state_->end(); }

}  // namespace splitproof::server
