#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/descriptor.hpp"
#include "harness/ui/page_server.hpp"
#include "harness/ui/site.hpp"

namespace splitproof::cli {
namespace {

struct UiCommand {
  std::string folder = ".";
  std::uint64_t port = 0;
};

constexpr std::uint64_t kMostPort = 65535;

Result<ui::SiteChoices> site_choices() {
  const auto contracts = load_contracts({});
  if (!contracts) return tl::unexpected(contracts.error());
  const auto folders = contract_folders({});
  if (!folders) return tl::unexpected(folders.error());
  return ui::SiteChoices{contract::profile_names(*folders), contracts->protocols()};
}

int serve_ui(const UiCommand& command) {
  std::error_code error;
  if (!std::filesystem::is_directory(command.folder, error))
    return complain(Error{"is not a folder", command.folder, 0, "name a folder of reports"});
  auto choices = site_choices();
  if (!choices) return complain(choices.error());
  const ui::Site site(command.folder, *std::move(choices));

  // Before there are threads, so that none of them takes a signal.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const Descriptor caught(signalfd(-1, &signals, SFD_CLOEXEC));

  const auto server =
      ui::PageServer::start(static_cast<std::uint16_t>(command.port),
                            [&site](const ui::PageRequest& request) { return site.respond(request); });
  if (!server) return complain(server.error());
  std::cout << (*server)->address() << "/" << std::endl;
  std::cerr << "splitproof: serving the reports in " << command.folder
            << " to browsers on this machine; press Ctrl-C to stop\n";
  signalfd_siginfo signal{};
  while (read(caught.get(), &signal, sizeof signal) != sizeof signal) {
  }
  return kInterrupted + static_cast<int>(signal.ssi_signo);
}

void add_options(Options& options, UiCommand& ui) {
  options.text("FOLDER", ui.folder, "folder with reports, written by run --report jsonl:PATH (default: .)");
  options.number("--port", ui.port, {0, kMostPort}, "port on 127.0.0.1 (default: a free port)").type("PORT");
}

}  // namespace

const Command kUi = {"ui", "Serve a local page: judge streams, read reports and watch runs",
                     "splitproof ui reports", adding(add_options, serve_ui)};

}  // namespace splitproof::cli
