#include "proxy/server/request_log.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <cstdio>

namespace splitproof::server {
namespace {

constexpr std::size_t kLongest = 200;

std::string printable(std::string_view text) {
  std::string shown(text.substr(0, kLongest));
  for (char& c : shown) {
    if (c <= ' ' || c > '~') c = '?';
  }
  return shown.empty() ? "-" : shown;
}

}  // namespace

void RequestLog::begin(std::uint64_t number, std::size_t sent) {
  *this = {};
  id = number;
  sent_before_ = sent;
  since_ = std::chrono::steady_clock::now();
}

std::uint64_t new_request_id(std::optional<std::uint64_t> seed) {
  if (seed) return *seed;
  std::uint64_t random = 0;
  // Cannot fail for so few bytes once the system has started.
  (void)getrandom(&random, sizeof random, 0);
  return random;
}

std::string request_name(std::uint64_t id) { return fmt::format("req_{:016x}", id); }

void RequestLog::end(std::size_t sent, bool whole) const {
  if (method.empty() && sent == sent_before_) return;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - since_;
  const std::string line = log_line(*this, took.count(), sent - sent_before_, whole) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);  // one write, because requests end concurrently
}

std::string log_line(const RequestLog& request, double seconds, std::size_t bytes, bool whole) {
  return fmt::format("splitproof-proxy: {} {} {} {:.3f}s {} bytes {}{}", printable(request.method),
                     printable(request.path), request.status, seconds, bytes, request.request_id(),
                     whole ? "" : ", cut");
}

}  // namespace splitproof::server
