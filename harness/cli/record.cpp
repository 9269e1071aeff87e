#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/listen_address.hpp"
#include "harness/cli/record_check.hpp"
#include "harness/cli/record_distil.hpp"
#include "harness/cli/sources.hpp"
#include "harness/descriptor.hpp"
#include "harness/dialect/endpoints.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/read_file.hpp"
#include "harness/record/child_command.hpp"
#include "harness/record/recorder.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

struct RecordCommand {
  std::string check;   ///< Folder to check for secrets, instead of recording.
  std::string distil;  ///< Folder to distil, instead of recording.
  std::string to;
  std::string protocol;
  std::string out;
  std::string listen = "127.0.0.1:0";
  std::string name = "call";
  std::string keep = "all";
  std::string ca_file;
  std::vector<std::string> masks;
  bool no_mask = false;
  bool anonymise = false;
  std::vector<std::string> command;
};

// Blocks the signals that end a recording, and those about the command.
Descriptor catch_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // Recording goes on if nobody reads the output any more, or if a file would be larger than the system's limit.
  sigset_t failed_writes;
  sigemptyset(&failed_writes);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&failed_writes, signal);
  pthread_sigmask(SIG_BLOCK, &failed_writes, nullptr);
  return Descriptor(signalfd(-1, &signals, SFD_CLOEXEC));
}

// Waits for a signal, or for the end of the command. The command gets SIGTERM and SIGHUP too. A terminal sends it SIGINT
// itself.
int wait_for_end(const Descriptor& caught, std::optional<pid_t> child) {
  while (true) {
    signalfd_siginfo signal{};
    if (read(caught.get(), &signal, sizeof signal) != sizeof signal) return kInternalError;
    const auto number = static_cast<int>(signal.ssi_signo);
    if (number == SIGCHLD) {
      int status = 0;
      if (child && waitpid(*child, &status, WNOHANG) == *child) return record::exit_code_of(status);
    } else if (!child) {
      return kInterrupted + number;
    } else if (number != SIGINT) {
      kill(*child, number);
    }
  }
}

std::vector<std::string> variables_for(const std::string& recorder, const record::ProviderAddress& provider) {
  std::vector<std::string> variables;
  for (const dialect::AddressVariable& variable : dialect::address_variables()) {
    variables.push_back(std::string(variable.name) + "=" +
                        record::client_base_url(recorder, provider, variable.suffix));
  }
  variables.push_back("OLLAMA_HOST=" + recorder);
  return variables;
}

Result<record::SecretShapes> shapes_of(const std::vector<std::string>& masks) {
  record::SecretShapes shapes;
  for (const std::string& mask : masks) {
    if (const auto added = shapes.add(mask); !added) return tl::unexpected(added.error());
  }
  return shapes;
}

// Calls whose clients have just left end by themselves.
void let_calls_end(const record::Recorder& recorder) {
  using std::chrono::milliseconds;
  const testee::StopToken never;
  for (int i = 0; i < 100 && recorder.calls_in_progress() > 0; ++i)
    static_cast<void>(testee::sleep_until(never, testee::within(milliseconds(10))));
}

// True if the provider is the recorder itself, which would then call itself again and again.
bool is_own_address(const ListenAddress& listen, const record::ProviderAddress& provider) {
  if (listen.port == 0 || listen.port != provider.port) return false;
  const std::string own = listen.host.find(':') == std::string::npos ? listen.host : "[" + listen.host + "]";
  const bool is_every_address = own == "0.0.0.0" || own == "[::]";
  const bool is_by_name = own == "localhost" || provider.name == "localhost";
  return own == provider.name ||
         (provider.is_local && (is_every_address || (is_by_name && listen.is_loopback())));
}

int record_calls(const RecordCommand& command, const record::ProviderAddress& provider) {
  const auto address = parse_listen_address(command.listen);
  if (!address) return complain(address.error());
  if (is_own_address(*address, provider))
    return complain(
        Error{fmt::format("--to {} is the address of --listen {}, so each call would come back",
                          provider.origin + provider.path, command.listen),
              {},
              0,
              "name the provider with --to, and another port with --listen, or port 0 for a free one"});
  const auto shapes = shapes_of(command.masks);
  if (!shapes) return complain(shapes.error());
  if (!command.ca_file.empty()) {
    if (const auto read = read_file(command.ca_file); !read) return complain(read.error());
  }
  const auto contracts = load_contracts({});
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile("default", {});
  if (!profile) return complain(profile.error());
  if (const auto made = make_folder(command.out); !made) return complain(made.error());
  const auto curl = record::curl_library();
  if (!curl) return complain(curl.error());

  // Before there are threads, so that none of them takes a signal.
  const Descriptor caught = catch_signals();
  const bool has_command = !command.command.empty();
  std::ostream& out = has_command ? std::cerr : std::cout;
  record::Secrets secrets(*shapes, !command.no_mask);
  const record::Gate gate(*contracts, *profile, command.no_mask ? std::nullopt : std::optional(*shapes));
  record::Recorder recorder({provider, command.protocol, command.out, command.name, command.keep == "all",
                             command.anonymise, command.ca_file},
                            **curl, secrets, gate, [&out](const record::CallReport& report) {
                              out << record::line_of(report) + "\n" << std::flush;
                            });
  int code = kConforms;
  {
    const auto server =
        record::LocalServer::start(address->host, address->port, [&] { return recorder.make_handler(); });
    if (!server) return complain(server.error());
    const std::string base_url = (*server)->base_url();
    if (!address->is_loopback())
      std::cerr << "splitproof: warning: other machines that reach " << address->host
                << " can send requests; use 127.0.0.1 to serve only this machine\n";
    if (command.no_mask)
      std::cerr << "splitproof: warning: recordings will hold secrets, because of --no-mask\n";
    out << fmt::format("splitproof: recording {} at {}, to {}{}\n", provider.origin + provider.path, base_url,
                       command.out, has_command ? "" : "; Ctrl-C ends it")
        << std::flush;
    std::optional<pid_t> child;
    if (has_command) {
      const auto started = record::start_command(command.command, variables_for(base_url, provider));
      if (!started) {
        complain(started.error());
        return kUnavailable;
      }
      child = *started;
    }
    code = wait_for_end(caught, child);
    let_calls_end(recorder);
  }
  recorder.finish();
  const std::vector<record::CallReport> reports = recorder.reports();
  out << "\n" << record::table_of(reports);
  if (has_command && reports.empty())
    out << "splitproof: the command made no call here; let it use $OPENAI_BASE_URL or another variable for base "
           "URLs\n";
  const bool is_whole = std::none_of(reports.begin(), reports.end(),
                                     [](const record::CallReport& report) { return report.unwritten; });
  const bool command_failed = has_command && code != kConforms;
  return is_whole || command_failed ? code : kWrongInput;
}

// Returns an option that --check or --distil would ignore, or "".
std::string ignored_option(const RecordCommand& command) {
  const RecordCommand plain;
  const bool is_check = !command.check.empty();
  for (const auto& [is_given, option] :
       {std::pair(is_check && !command.distil.empty(), "--distil"), std::pair(!command.to.empty(), "--to"),
        std::pair(!command.protocol.empty(), "--protocol"),
        std::pair(is_check && !command.out.empty(), "--out"),
        std::pair(command.listen != plain.listen, "--listen"),
        std::pair(command.name != plain.name, "--name"), std::pair(command.keep != plain.keep, "--keep"),
        std::pair(!command.ca_file.empty(), "--ca"), std::pair(!is_check && !command.masks.empty(), "--mask"),
        std::pair(command.no_mask, "--no-mask"), std::pair(command.anonymise, "--anonymise"),
        std::pair(!command.command.empty(), "a command")})
    if (is_given) return option;
  return {};
}

int record(const RecordCommand& command) {
  if (!command.check.empty() || !command.distil.empty()) {
    const std::string option = command.check.empty() ? "--distil" : "--check";
    if (const std::string ignored = ignored_option(command); !ignored.empty())
      return complain(
          Error{fmt::format("{} does not use {}", option, ignored), {}, 0, "leave one of them out"});
  }
  if (!command.check.empty()) {
    const auto shapes = shapes_of(command.masks);
    return shapes ? check_for_secrets(command.check, *shapes) : complain(shapes.error());
  }
  if (!command.distil.empty()) {
    if (!command.out.empty()) return distil_recordings(command.distil, command.out);
    return complain(Error{"--out is missing", {}, 0, "name a folder for the recordings that are kept"});
  }
  for (const auto& [value, option] :
       {std::pair(&command.to, "--to"), std::pair(&command.protocol, "--protocol"),
        std::pair(&command.out, "--out")}) {
    if (value->empty())
      return complain(
          Error{fmt::format("{} is missing", option),
                {},
                0,
                "for example splitproof record --to http://127.0.0.1:11434 --protocol P --out recorded"});
  }
  if (dialect::find(command.protocol) == nullptr) {
    return complain(Error{"the protocol '" + command.protocol + "' is unknown",
                          {},
                          0,
                          "use one of: " + dialect::protocol_names()});
  }
  if (!recording::can_be_id(command.name) || command.name.find('/') != std::string::npos)
    return complain(
        Error{"--name " + command.name + " cannot be part of a case id", {}, 0, recording::kNameOfRecording});
  const auto provider = record::provider_address(command.to);
  if (!provider) return complain(provider.error());
  return record_calls(command, *provider);
}

void add_options(Options& options, RecordCommand& record) {
  options.text("--to", record.to, "base URL of the provider").type("URL");
  options.text("--protocol", record.protocol, "protocol of the calls to record").type("P");
  options.text("--out", record.out, "folder for the recordings, NAME-0001.rec.jsonl").type("DIR").path();
  options.text("--listen", record.listen, "address for clients; port 0 lets the system choose a port")
      .shows_default()
      .type("HOST:PORT");
  options.text("--name", record.name, "first part of the names of recordings").shows_default().type("NAME");
  options.texts("--mask", record.masks, "also mask matches of this expression (RE2), or of its first group")
      .type("REGEX");
  options.flag("--no-mask", record.no_mask, "write secrets into recordings");
  options.flag("--anonymise", record.anonymise,
               "also replace words of users and of the model; names of tools, lengths and the JSON stay");
  options.text("--keep", record.keep, "all, or only sound recordings: complete, and without a violated rule")
      .shows_default()
      .type("all|sound")
      .one_of({"all", "sound"});
  options.text("--ca", record.ca_file, "file with the certificates to trust (default: the system's)")
      .type("FILE");
  options
      .text("--check", record.check, "record nothing; look for secrets in the recordings below this folder")
      .type("DIR")
      .path();
  options
      .text(
          "--distil", record.distil,
          "record nothing; copy the recordings below this folder that differ in rules, seams and shapes to --out")
      .type("DIR")
      .path();
  options.texts(
      "COMMAND", record.command,
      "after --: start this program with the variables for base URLs (OPENAI_BASE_URL and others), and end "
      "with it");
}

}  // namespace

const Command kRecord = {
    "record", "Record your own calls to a provider",
    "splitproof record --to http://127.0.0.1:8000/v1 --protocol sse --out mine -- npm test",
    adding(add_options, record)};

}  // namespace splitproof::cli
