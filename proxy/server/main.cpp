#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include "proxy/server/address.hpp"
#include "proxy/server/arguments.hpp"
#include "proxy/server/config.hpp"
#include "proxy/server/http_server.hpp"
#include "proxy/server/profile.hpp"
#include "proxy/server/profile_files.hpp"
#include "proxy/server/transfer.hpp"

namespace splitproof::server {
namespace {

constexpr int kWrongInput = 2;
constexpr int kBroken = 3;
constexpr std::chrono::seconds kGrace{2};  // for threads to end after a stop

using Clock = std::chrono::steady_clock;

int complain(int code, const std::string& what) {
  fmt::print(stderr, "splitproof-proxy: {}\n", what);
  return code;
}

// Waits for a signal of `ends`. Returns false if none came in time.
bool wait_for(const sigset_t& ends, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::nanoseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    const auto whole = std::chrono::floor<std::chrono::seconds>(left);
    const timespec wait{static_cast<time_t>(whole.count()), static_cast<long>((left - whole).count())};
    if (sigtimedwait(&ends, nullptr, &wait) >= 0) return true;
    if (errno == EAGAIN) return false;
  }
}

// Ends the process while threads are busy or blocked on the log. So nothing here may wait for a thread.
[[noreturn]] void end_by_force() {
  constexpr std::string_view kLine =
      "splitproof-proxy: forced to exit, because a thread is busy and does not end\n";
  pollfd log{STDERR_FILENO, POLLOUT, 0};
  if (poll(&log, 1, 0) == 1) (void)!write(STDERR_FILENO, kLine.data(), kLine.size());
  _exit(kBroken);
}

// Serves until a signal of `ends` comes.
int serve(HttpServer server, const Address& address, const sigset_t& ends, Clock::duration shutdown) {
  fmt::print("splitproof-proxy: listening on {}\n", url_of({address.host, server.port()}));
  std::fflush(stdout);
  std::thread serving([&server] {
    server.run();
    kill(getpid(), SIGTERM);  // wakes the wait below if the server ends by itself
  });
  int signal = 0;
  sigwait(&ends, &signal);
  const bool asked = !server.ended();
  server.stop();
  // A second signal ends the remaining streams, and so does the end of the waiting time.
  auto until = Clock::now() + shutdown + kGrace;
  while (!server.ended()) {
    if (!wait_for(ends, until)) end_by_force();
    server.stop();
    until = std::min(until, Clock::now() + kGrace);
  }
  serving.join();
  return asked ? 0 : complain(kBroken, "the server can accept no more connections");
}

// Returns the signals that end the program. Signals that `nohup` ignores stay ignored.
sigset_t ending_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (signal != SIGHUP || action.sa_handler != SIG_IGN) sigaddset(&ends, signal);
  }
  return ends;
}

// The TLS libraries would write the secrets of upstream connections to the file in this variable.
void refuse_key_log() {
  if (std::getenv("SSLKEYLOGFILE") == nullptr) return;
  unsetenv("SSLKEYLOGFILE");
  complain(0,
           "warning: splitproof-proxy ignores SSLKEYLOGFILE, because it would write secrets of "
           "connections to a file");
}

// glibc raises the size from which it returns freed buffers to the system, up to 32 MB. After a few hundred large
// requests the process would be several times larger than its content.
void give_memory_back() {
#ifdef __GLIBC__
  constexpr int kLarge = 256 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

int run(const ServeCommand& command) {
  give_memory_back();
  // Before any thread starts: all threads inherit the mask, and only `serve` waits for the signals.
  const sigset_t ends = ending_signals();
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  refuse_key_log();
  std::signal(SIGPIPE, SIG_IGN);

  const auto address = parse_address(command.listen);
  if (!address) return complain(kWrongInput, "--listen: " + address.error());
  ServerSettings settings;
  if (!command.profile.empty()) {
    auto played = play_profile(command.profile, settings.translator);
    if (!played) return complain(kWrongInput, "--profile: " + played.error());
    settings.translator = *std::move(played);
  }
  if (!command.config.empty()) {
    auto read = read_config(command.config, settings);
    if (!read) return complain(kWrongInput, read.error());
    settings = std::move(*read);
  }
  if (settings.translator.names != names::Names::same) {
    const auto files = ProfileFiles::find();
    if (const std::string problem = files ? files->problem_with_maps() : std::string(); !problem.empty())
      return complain(kWrongInput, problem);
  }
  if (!command.upstream_protocol.empty())
    settings.translator.upstream = proxy::dialect::find_upstream(command.upstream_protocol);
  const auto& row = *settings.translator.upstream;
  const auto socket_base = websocket_base(command.upstream);
  if (socket_base && row.socket == nullptr)
    return complain(kWrongInput, "--upstream: '" + command.upstream + "' is a WebSocket, and the protocol " +
                                     std::string(row.protocol) + " has none; write http:// or https://");
  if (socket_base && socket_base->starts_with("http:") && !settings.forward_proxy.empty())
    return complain(kWrongInput,
                    "--upstream: with upstream-proxy a WebSocket needs TLS; write wss://, or leave out "
                    "upstream-proxy");
  const auto upstream =
      upstream_url(socket_base.value_or(command.upstream), row.path_for == nullptr ? row.path : "");
  if (!upstream) return complain(kWrongInput, "--upstream: " + upstream.error());
  settings.upstream_socket = socket_base.has_value();
  settings.upstream = *upstream;
  settings.seed = command.seed;
  if (command.relay) settings.translator.relay = *command.relay;
  if (!is_loopback(address->host)) {
    complain(0,
             "warning: " + address->host +
                 " is not a loopback address, so other machines can send requests, and the server does not "
                 "authenticate them");
  }
  const UpstreamLibrary library;
  const Clock::duration shutdown = settings.shutdown;
  auto server = HttpServer::bind(address->host, address->port, std::move(settings));
  if (!server) return complain(kWrongInput, server.error());
  return serve(std::move(*server), *address, ends, shutdown);
}

}  // namespace
}  // namespace splitproof::server

int main(int argc, char** argv) {
  using namespace splitproof::server;
  try {
    const auto command = parse_arguments(argc, argv);
    if (const auto* ended = std::get_if<EarlyExit>(&command)) return ended->code;
    return run(std::get<ServeCommand>(command));
  } catch (const std::exception& broken) {
    // What the system refuses: memory, a thread.
    std::fprintf(stderr, "splitproof-proxy: cannot continue: %s\n", broken.what());
    return kBroken;
  }
}
