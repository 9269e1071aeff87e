#include "harness/ui/page_server.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace splitproof::ui {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr testee::RequestLimits kLimits{64 * 1024, 32 * 1024 * 1024};
constexpr std::size_t kMostConnections = 64;
constexpr std::chrono::seconds kTimeOfRequest(60);  // also of a browser that connects in advance
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

std::string header_of(const testee::UpstreamRequest& request, std::string_view name) {
  const std::string* value = testee::find_header(request.headers, name);
  return value == nullptr ? std::string() : *value;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string message_of(const PageResponse& answer) {
  return fmt::format(
             "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nContent-Security-Policy: {}\r\n"
             "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\nCache-Control: no-store\r\n"
             "Connection: close\r\n\r\n",
             answer.status, answer.status < 400 ? "OK" : "Refused", answer.type, answer.body.size(),
             answer.inline_script ? "frame-ancestors 'none'" : kPolicy) +
         answer.body;
}

}  // namespace

bool is_own_host(std::string_view host, std::uint16_t port) {
  const std::string after = ":" + std::to_string(port);
  return host == kLoopback + after || host == "localhost" + after;
}

bool is_own_origin(std::string_view origin, std::uint16_t port) {
  constexpr std::string_view kScheme = "http://";
  return origin.empty() || (origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size()), port));
}

PageRequest parse_target(std::string_view target) {
  PageRequest request;
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = std::string(target.substr(0, mark));
  std::string_view rest = target.substr(std::min(mark + 1, target.size()));
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    request.query.emplace(unescaped(pair.substr(0, equals)),
                          unescaped(pair.substr(std::min(equals + 1, pair.size()))));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
  }
  return request;
}

Result<std::unique_ptr<PageServer>> PageServer::start(std::uint16_t port, Respond respond) {
  auto listener = testee::listen_on(kLoopback, port);
  if (!listener) return tl::unexpected(listener.error());
  const std::string address = testee::local_address(listener->get());
  const std::string_view digits = std::string_view(address).substr(address.rfind(':') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), port);
  std::unique_ptr<PageServer> server(new PageServer(port, "http://" + address, std::move(respond)));
  server->threads_.emplace(*std::move(listener), kMostConnections,
                           [server = server.get()](const Descriptor& socket, const testee::StopToken& stop) {
                             server->serve(socket, stop);
                           });
  return server;
}

PageServer::PageServer(std::uint16_t port, std::string address, Respond respond)
    : port_(port), address_(std::move(address)), respond_(std::move(respond)) {}

void PageServer::serve(const Descriptor& socket, const testee::StopToken& stop) const {
  testee::RequestReader reader(kLimits);
  std::string unread;
  bool invited = false;
  const testee::Deadline deadline = testee::within(kTimeOfRequest);
  while (!reader.done()) {
    unread.erase(0, reader.feed(unread));
    if (reader.done()) break;
    if (!invited && reader.wants_continue()) {
      invited = true;
      if (testee::send_all(socket.get(), "HTTP/1.1 100 Continue\r\n\r\n", stop, deadline) != testee::Io::done)
        return;
    }
    if (testee::receive(socket.get(), unread, stop, deadline) != testee::Io::done) return;
  }
  const std::string message = message_of(answer_to(reader.request()));
  testee::send_all(socket.get(), message, stop, testee::within(kTimeOfRequest));
}

PageResponse PageServer::answer_to(const testee::UpstreamRequest& request) const {
  const std::string site = header_of(request, "Sec-Fetch-Site");
  if (!is_own_host(header_of(request, "Host"), port_) ||
      !is_own_origin(header_of(request, "Origin"), port_) ||
      (!site.empty() && site != "same-origin" && site != "none"))
    return {403, "text/plain", "this server answers only to its own pages\n"};
  if (!request.broken.empty()) return {400, "text/plain", request.broken + "\n"};
  if (request.method != "GET" && request.method != "POST") return {405, "text/plain", "use GET or POST\n"};
  PageRequest asked = parse_target(request.target);
  asked.method = request.method;
  asked.body = request.body;
  return respond_(asked);
}

}  // namespace splitproof::ui
