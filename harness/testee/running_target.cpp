#include "harness/testee/running_target.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/testee/last_lines.hpp"
#include "harness/testee/listening_ports.hpp"

namespace splitproof::testee {
namespace {

// Marks the processes of a target whose port is not known.
constexpr const char* kOwnVariable = "SPLITPROOF_TARGET_HOME";
constexpr int kPorts = 5;                                // tried until one stays free
constexpr std::chrono::milliseconds kAskAgain{20};       // between two readiness checks
constexpr std::chrono::milliseconds kOtherPorts{700};    // then another port than the offered one counts
constexpr std::chrono::milliseconds kAnswersOnce{2000};  // a target may lose a request that came too early

// Returns "40123" for "http://127.0.0.1:40123".
std::string port_of(const std::string& url) {
  const Result<HttpAddress> address = http_address(url);
  return address ? std::to_string(address->port) : std::string();
}

std::string seconds(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s"
                                  : std::to_string(time.count()) + " ms";
}

}  // namespace

RunningTarget::RunningTarget(const TargetFile& target, const Installation& installation,
                             const std::string& upstream, Supervisor& supervisor, const StopToken& stop,
                             std::unique_ptr<FreshFolder> folder)
    : target_(target),
      supervisor_(supervisor),
      stop_(stop),
      folder_(std::move(folder)),
      errors_(folder_ ? folder_->path() + "/errors" : "") {
  places_.dir = installation.dir;
  places_.home = folder_ ? folder_->path() + "/home" : "";
  places_.upstream = upstream;
  places_.upstream_port = port_of(upstream);
}

RunningTarget::~RunningTarget() { process_.reset(); }

Result<std::unique_ptr<RunningTarget>> RunningTarget::start(const TargetFile& target,
                                                            const Installation& installation,
                                                            const std::string& upstream,
                                                            Supervisor& supervisor, const StopToken& stop) {
  std::unique_ptr<FreshFolder> folder;
  if (!target.command.empty()) {
    Result<std::unique_ptr<FreshFolder>> made = FreshFolder::make(target.name);
    if (!made) return tl::unexpected(std::move(made.error()));
    folder = *std::move(made);
    std::error_code failed;
    std::filesystem::create_directory(folder->path() + "/home", failed);
    if (failed)
      return tl::unexpected(Error{"cannot make a home folder: " + failed.message(), folder->path(), 0, {}});
  }
  std::unique_ptr<RunningTarget> running(
      new RunningTarget(target, installation, upstream, supervisor, stop, std::move(folder)));
  if (Result<void> started = running->restart(); !started) return tl::unexpected(std::move(started.error()));
  return running;
}

Result<void> RunningTarget::restart() {
  for (int port = 1;; ++port) {
    process_.reset();
    Result<void> started = launch();
    if (started) started = wait_until_ready();
    if (started) return {};
    const bool again = port < kPorts && process_ != nullptr && lost_its_port();
    if (!again) {
      process_.reset();
      return started;
    }
  }
}

bool RunningTarget::chooses_port() const { return target_.listen.find("{port}") != std::string::npos; }

Result<void> RunningTarget::offer_port(const std::string& host) {
  Result<OfferedPort> port = OfferedPort::choose(host, supervisor_.network());
  if (!port) return tl::unexpected(failure("no port is free for it: " + port.error().what));
  offered_port_ = *std::move(port);
  places_.port = std::to_string(offered_port_.number());
  return {};
}

// A target that already runs only needs its address.
Result<void> RunningTarget::choose_address() {
  if (finds_port() && !target_.command.empty()) {
    if (const Result<void> offered = offer_port("127.0.0.1"); !offered) return offered;
    base_url_ = "http://127.0.0.1:" + places_.port;
    address_ = *http_address(base_url_, supervisor_.network());
    return {};
  }
  Places any = places_;
  any.port = "1";
  Result<HttpAddress> address = http_address(filled(target_.listen, any));
  if (!address) return tl::unexpected(failure("splitproof cannot reach it: " + address.error().what));
  if (target_.command.empty()) {
    places_.port = std::to_string(address->port);
  } else if (chooses_port()) {
    if (const Result<void> offered = offer_port(address->host); !offered) return offered;
  } else {
    places_.port = std::to_string(address->port);
    if (const Result<Descriptor> free = listen_on(address->host, address->port, supervisor_.network());
        !free) {
      Error error = failure("its port is in use: " + free.error().what);
      error.hint =
          "end the program that uses the port, or write {port} in the target file to let splitproof "
          "choose a port";
      return tl::unexpected(std::move(error));
    }
  }
  base_url_ = filled(target_.listen, places_);
  address_ = *http_address(base_url_, supervisor_.network());
  return {};
}

Result<void> RunningTarget::launch() {
  if (Result<void> chosen = choose_address(); !chosen) return chosen;
  if (target_.command.empty()) return {};

  if (Result<void> written = write_files(target_, places_); !written) return written;
  std::error_code ignored;
  std::filesystem::remove(errors_, ignored);
  Launch launch = launch_of(target_, places_, errors_);
  if (finds_port()) launch.env[kOwnVariable] = places_.home;
  Result<std::unique_ptr<Process>> process = supervisor_.launch(launch);
  if (!process) {
    Error error = failure(process.error().what);
    return tl::unexpected(std::move(error));
  }
  process_ = *std::move(process);
  return {};
}

// The offered port counts at once. Another one may be one of several, so it counts only after `others_count`, and the first
// that answers a request does.
bool RunningTarget::found_port(Deadline others_count) {
  const std::vector<ListeningPort> ports = listening_ports_of(getpid(), kOwnVariable + ("=" + places_.home));
  const auto take = [&](const ListeningPort& port) {
    places_.port = std::to_string(port.port);
    base_url_ = "http://" + port.host + ":" + places_.port;
    address_ = *http_address(base_url_, supervisor_.network());
  };
  for (const ListeningPort& port : ports) {
    if (port.port != offered_port_.number()) continue;
    take(port);
    return true;
  }
  if (!has_passed(others_count)) return false;
  for (const ListeningPort& port : ports) {
    take(port);
    if (ports.size() == 1 || status_of_get(address_, "/", stop_, within(kAnswersOnce)) != 0) return true;
  }
  return false;
}

bool RunningTarget::is_ready(Deadline deadline) {
  if (target_.ready_path.empty()) return accepts(address_, stop_, deadline);
  const int status = status_of_get(address_, target_.ready_path, stop_, deadline);
  return status != 0 && status < 500;
}

Result<void> RunningTarget::wait_until_ready() {
  const Deadline deadline = within(target_.ready_within);
  const Deadline others_count = within(kOtherPorts);
  while (true) {
    const bool ready =
        (!finds_port() || found_port(others_count)) && is_ready(std::min(deadline, within(kAnswersOnce)));
    // Checked last: if the target has ended, another program answered.
    if (!running()) {
      return tl::unexpected(
          failure(with_last_lines("it ended before it was ready, with " + process_->end(), errors_)));
    }
    if (ready) return {};
    if (std::chrono::steady_clock::now() >= deadline) {
      const std::string where = finds_port()                 ? "no process of it listens at a port"
                                : target_.ready_path.empty() ? base_url_ + " accepts no connection"
                                                             : base_url_ + target_.ready_path +
                                                                   " does not answer with a status below 500";
      return tl::unexpected(failure(with_last_lines(
          "it was not ready within " + seconds(target_.ready_within) + ": " + where, errors_)));
    }
    if (sleep_until(stop_, within(kAskAgain)) == Io::stopped) return tl::unexpected(failure("stopped"));
  }
}

// True if the target ended because its chosen port was taken meanwhile. Then the port is still taken, or the
// target reports this in the words of the C library or of libuv.
bool RunningTarget::lost_its_port() const {
  if (!chooses_port() || running()) return false;
  if (!listen_on(address_.host, address_.port, *address_.network)) return true;
  const std::string said = said_last();
  return said.find("ddress already in use") != std::string::npos ||
         said.find("EADDRINUSE") != std::string::npos;
}

std::string RunningTarget::listen() const {
  if (!finds_port()) return target_.listen;
  if (places_.port != std::to_string(offered_port_.number())) return {};
  return base_url_.substr(0, base_url_.rfind(':')) + ":{port}";
}

bool RunningTarget::running() const { return process_ ? process_->running() : target_.command.empty(); }

std::string RunningTarget::end() const { return process_ ? process_->end() : std::string(); }

std::string RunningTarget::said_last() const { return errors_.empty() ? std::string() : last_lines(errors_); }

Error RunningTarget::failure(const std::string& what) const {
  return Error{"the target '" + target_.name + "' cannot be tested: " + what, target_.path, 0, {}};
}

}  // namespace splitproof::testee
