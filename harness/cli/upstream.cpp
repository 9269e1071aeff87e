#include "harness/campaign/upstream.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/find_case.hpp"
#include "harness/cli/listen_address.hpp"
#include "harness/cli/sources.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/testee/stand_in.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

constexpr const char* kNoSpeed = "as recorded";  // the option is not given

struct UpstreamCommand {
  std::string what;                 ///< Case id, recording id or path.
  std::string listen;               ///< HOST:PORT.
  std::string framing = "chunked";  ///< For testee::parse_framing.
  std::string packing = "piece";    ///< For testee::parse_packing.
  bool as_recorded = false;         ///< Keeps the recorded gaps between reads.
  std::string speed = kNoSpeed;     ///< Divides the gaps.
  std::uint64_t requests = 0;       ///< Ends after this many; 0: never.
  std::vector<std::string> corpus;  ///< Empty: the project's own.
};

// Returns the split that keeps the recorded gaps, at the speed that the command names.
Result<split::Generator> timed_split(const UpstreamCommand& command, const campaign::Case& one) {
  if (!command.as_recorded) {
    if (command.speed == kNoSpeed) return one.split;
    return tl::unexpected(Error{
        "--speed needs the recorded times", {}, 0, "add --as-recorded, or name the case ...?gen=timed:4"});
  }
  if (!one.timed() && one.split != campaign::Case().split) {
    return tl::unexpected(
        Error{"--as-recorded sends the recorded chunks, and the case has others: " + split::label(one.split),
              {},
              0,
              "remove one of them"});
  }
  if (command.speed == kNoSpeed) return one.timed() ? one.split : split::Timed{};
  const Result<double> speed = split::parse_speed(command.speed);
  if (!speed) return tl::unexpected(speed.error());
  return split::Timed{*speed};
}

// Returns the upstream's response in a case, as a script.
Result<testee::ResponseScript> script_of(const FoundCase& found) {
  return campaign::upstream_of(found.one, found.recording).map([&](const results::Upstream& upstream) {
    if (upstream.status) return testee::json_response(*upstream.status, upstream.body);
    return testee::response_of(found.recording, campaign::exchange_of(upstream, found.recording));
  });
}

std::string line_of(const testee::Served& served) {
  const testee::UpstreamRequest& request = served.request;
  const std::string asked =
      request.broken.empty()
          ? fmt::format("{} {}, {} bytes", request.method, request.target, request.body.size())
          : fmt::format("broken request {} {}: {}", request.method, request.target, request.broken);
  return fmt::format("{}: {}, {} writes, {}{}", visible(asked), served.status, served.writes,
                     testee::name(served.outcome), served.exact ? "" : ", boundaries unproven");
}

int upstream(const UpstreamCommand& command) {
  const auto address = parse_listen_address(command.listen);
  if (!address) return complain(address.error());
  const auto framing = testee::parse_framing(command.framing);
  if (!framing) return complain(framing.error());
  const auto packing = testee::parse_packing(command.packing);
  if (!packing) return complain(packing.error());
  auto found = find_case(command.what, command.corpus);
  if (!found) return complain(found.error());
  if (!found->one.act.empty())
    return complain(Error{"an act needs several clients, so splitproof upstream cannot serve it",
                          {},
                          0,
                          "use splitproof replay CASE --target T"});
  warn(found->recording);
  const auto split = timed_split(command, found->one);
  if (!split) return complain(split.error());
  found->one.split = *split;
  auto script = script_of(*found);
  if (!script) return complain(script.error());
  script->framing = *framing;
  script->packing = *packing;

  // Before there are threads, so that none of them takes a signal. Signals are read here, like all input.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const Descriptor caught(signalfd(-1, &signals, SFD_CLOEXEC));
  testee::StopToken served_all;

  testee::StandInSettings settings;
  settings.host = address->host;
  settings.port = address->port;
  settings.socket = dialect::socket_form_of(found->recording.protocol);
  settings.otherwise = *std::move(script);
  std::uint64_t count = 0;
  settings.on_served = [&](const testee::Served& served) {
    std::cerr << line_of(served) + "\n" << std::flush;
    if (++count == command.requests) served_all.request_stop();
  };
  const auto stand_in = testee::StandIn::start(std::move(settings));
  if (!stand_in) return complain(stand_in.error());
  if (const std::string& why = (*stand_in)->unproven(); !why.empty())
    std::cerr << "splitproof: warning: boundaries unproven: " << why
              << "; splitproof waits between writes instead\n";
  if (!address->is_loopback())
    std::cerr << "splitproof: warning: other machines that reach " << address->host
              << " can send requests; use 127.0.0.1 to serve only this machine\n";
  std::cout << (*stand_in)->base_url() << std::endl;

  testee::Io io = testee::Io::late;
  while (io == testee::Io::late)
    io = testee::wait_for(caught.get(), POLLIN, served_all, testee::within(std::chrono::minutes(1)));
  if (io == testee::Io::stopped) return kConforms;
  signalfd_siginfo signal{};
  if (read(caught.get(), &signal, sizeof signal) != sizeof signal) return kInternalError;
  return kInterrupted + static_cast<int>(signal.ssi_signo);
}

void add_options(Options& options, UpstreamCommand& upstream) {
  options.text("CASE", upstream.what, "id of a case, or id or path of a recording").required();
  options.text("--listen", upstream.listen, "address to listen on; port 0 lets the system choose a port")
      .required()
      .type("HOST:PORT");
  options
      .text("--framing", upstream.framing,
            "how HTTP marks the end of the body: chunked, content-length or close")
      .shows_default()
      .type("F");
  options
      .text("--packing", upstream.packing,
            "how writes divide HTTP chunks: piece, one-chunk, two-pieces, in-size, in-size-end, "
            "before-end, in-end or bytes")
      .shows_default()
      .type("P");
  options.flag("--as-recorded", upstream.as_recorded,
               "wait between writes as long as the recording did between reads (gen=timed)");
  options.text("--speed", upstream.speed, "with --as-recorded: 4 is four times as fast").type("FACTOR");
  options
      .number("--requests", upstream.requests, {1},
              "end after this number of requests (default: serve until a signal)")
      .type("N");
  add_corpus(options, upstream.corpus);
}

}  // namespace

const Command kUpstream = {"upstream", "Act as the provider: serve the upstream side of a case to any client",
                           "splitproof upstream 'openai.chat/text-plain?cuts=118' --listen 127.0.0.1:8089",
                           adding(add_options, upstream)};

}  // namespace splitproof::cli
