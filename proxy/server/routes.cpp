#include "proxy/server/routes.hpp"

#include <httplib.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include "proxy/dialect/model_list.hpp"
#include "proxy/server/request_log.hpp"

namespace splitproof::server {
namespace {

using turn::ErrorKind;

constexpr const char* kHealth = "/health";

// A request in memory, with a buffer for the answer. The next version of the library has other virtual functions. This
// class implements both versions, so it cannot mark overrides.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winconsistent-missing-override"
#endif
class Memory final : public httplib::Stream {
 public:
  Memory(std::string_view request, std::string& answer) : request_(request), answer_(answer) {}

  bool is_readable() const { return true; }
  bool is_writable() const { return true; }
  bool wait_readable() const { return true; }
  bool wait_writable() const { return true; }
  time_t duration() const { return 0; }
  ssize_t read(char* data, std::size_t size) override {
    const std::size_t n = std::min(size, request_.size());
    std::memcpy(data, request_.data(), n);
    request_.remove_prefix(n);
    return static_cast<ssize_t>(n);
  }
  ssize_t write(const char* data, std::size_t size) override {
    answer_.append(data, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

 private:
  std::string_view request_;
  std::string& answer_;
};
#ifdef __clang__
#pragma clang diagnostic pop
#endif

// Returns the request for the library without settled fields: body framing and connection are handled already. The path
// stays unchanged.
std::string text_of(const RequestHead& head) {
  constexpr std::string_view kSettled[] = {"content-length", "transfer-encoding", "connection", "expect",
                                           "range",          "accept-encoding"};
  std::string text = head.method + " ";
  for (const char c : head.path) text.append(c == '%' ? "%25" : std::string(1, c));
  text += " HTTP/1.1\r\n";
  for (const auto& [name, value] : head.fields) {
    if (std::find(std::begin(kSettled), std::end(kSettled), name) == std::end(kSettled))
      text.append(name).append(": ").append(value).append("\r\n");
  }
  return text + "\r\n";
}

void send(const Answer& answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_content(answer.body, "application/json");
  const std::size_t colon = answer.header.find(": ");
  if (colon != std::string::npos)
    response.set_header(answer.header.substr(0, colon), answer.header.substr(colon + 2));
}

// Sends an error of this status in the protocol of the path.
void refuse(const httplib::Request& request, ErrorKind kind, std::string_view message, int status,
            httplib::Response& response) {
  const proxy::dialect::ClientRow& client = asker(request.path);
  proxy::dialect::Answer answer = client.error(kind, message);
  client.set_status(answer, status);
  send(answer, response);
}

}  // namespace

struct Routes::Router : httplib::Server {
  explicit Router(const ServerSettings& of_server) : settings(of_server) {
    set_keep_alive_timeout(kKeepAlive.count());
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      route(request, response);
      return HandlerResponse::Handled;
    });
    set_error_handler([](const httplib::Request& request, httplib::Response& response) {
      if (!response.body.empty()) return;
      const int status = response.status;
      if (status >= 500)
        refuse(request, ErrorKind::api, "the proxy could not serve the request", status, response);
      else
        refuse(request, ErrorKind::invalid_request, "the request is not well-formed", status, response);
    });
    set_exception_handler(
        [](const httplib::Request& request, httplib::Response& response, const std::exception_ptr&) {
          refuse(request, ErrorKind::api, "the proxy could not serve the request", 500, response);
        });
    set_post_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      outcome.status = response.status;
      response.set_header("request-id", request_name(id));
    });
  }

  // The library's next version also takes the addresses.
  template <class Server>
  static void process(Server& server, httplib::Stream& stream, bool close) {
    bool closed = false;
    const auto nothing = [](httplib::Request&) {};
    if constexpr (requires { server.process_request(stream, close, closed, nothing); })
      server.process_request(stream, close, closed, nothing);
    else
      server.process_request(stream, std::string(), 0, std::string(), 0, close, closed, nothing);
  }

  void route(const httplib::Request& request, httplib::Response& response) {
    const bool asks = asks_for_answer(request.path, head->query);
    const bool post = request.method == "POST";
    const bool get = request.method == "GET" || request.method == "HEAD";
    if (asks && post) {
      call(response);
    } else if (request.path == kHealth && get) {
      send({200, "{\"status\":\"ok\"}"}, response);
    } else if (asks && get && !request.get_header_value("Upgrade").empty()) {
      // The one answer upon which a client that dials a WebSocket first asks by POST at once.
      refuse(request, ErrorKind::invalid_request,
             "the proxy has no WebSocket at this path; send the request with POST", 426, response);
      response.set_header("Upgrade", "HTTP/1.1");
    } else if (const bool models = proxy::dialect::is_model_list(request.path); models && get) {
      const auto sent = [&](std::string_view header) { return request.has_header(std::string(header)); };
      send(proxy::dialect::answer_model_list(names_of(settings.models), request.path, sent), response);
    } else if (asks || models || request.path == kHealth) {
      refuse(request, ErrorKind::invalid_request, "this path does not allow the method", 405, response);
      response.set_header("Allow", asks ? "POST" : "GET, HEAD");
    } else {
      refuse(request, ErrorKind::not_found, "this path does not exist", 404, response);
    }
  }

  void call(httplib::Response& response) {
    auto made = upstream_call(*head, *body, id, settings);
    if (made)
      outcome.call = std::move(*made);
    else
      send(made.error(), response);
  }

  const ServerSettings& settings;
  // The current request.
  const RequestHead* head = nullptr;
  const std::string* body = nullptr;
  std::uint64_t id = 0;
  Outcome outcome;
};

Routes::Routes(const ServerSettings& settings) : router_(std::make_unique<Router>(settings)) {}
Routes::~Routes() = default;

bool Routes::wants_body(const RequestHead& head) {
  return head.method == "POST" && asks_for_answer(head.path, head.query);
}

Routes::Outcome Routes::serve(const RequestHead& head, const std::string& body, std::uint64_t id,
                              bool close) {
  Router& router = *router_;
  router.head = &head;
  router.body = &body;
  router.id = id;
  router.outcome = {};
  const std::string request = text_of(head);
  std::string answer;
  Memory memory(request, answer);
  Router::process(router, memory, close);
  // If a call comes first, the library's output is not sent.
  if (!router.outcome.call) router.outcome.answer = std::move(answer);
  return std::exchange(router.outcome, {});
}

}  // namespace splitproof::server
