#include "harness/testee/installation.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "harness/built_in.hpp"
#include "harness/read_file.hpp"
#include "harness/testee/last_lines.hpp"
#include "harness/write_file.hpp"

namespace splitproof::testee {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kInstalls{30};
constexpr std::chrono::seconds kTellsVersion{60};
constexpr std::chrono::milliseconds kLookAgain{20};
constexpr std::size_t kMostOfVersion = 65536;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Also creates the folders of the file.
Result<void> write_text(const fs::path& path, const std::string& text) {
  std::error_code ignored;  // the file's error names its folder
  fs::create_directories(path.parent_path(), ignored);
  return write_file(path.string(), text);
}

// Returns a lock that other programs see, held while the descriptor is open.
Result<Descriptor> locked(const fs::path& path, const StopToken& stop) {
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  while (file.get() < 0 || flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (file.get() < 0 || (errno != EWOULDBLOCK && errno != EINTR)) {
      return tl::unexpected(Error{
          std::string("cannot lock the target's folder: ") + std::strerror(errno), path.string(), 0, {}});
    }
    if (sleep_until(stop, within(kLookAgain)) == Io::stopped)
      return tl::unexpected(Error{"stopped while another program installs the target", path.string(), 0, {}});
  }
  return file;
}

// Reads the available bytes, up to a limit, because a program may write faster than this reads. Bytes beyond
// the limit are read and dropped, so that the program can continue.
void drain(int pipe, std::string& bytes) {
  constexpr int kPieces = 256;
  std::array<char, 4096> piece{};
  ssize_t got = 1;
  for (int pieces = 0; got > 0 && pieces < kPieces; ++pieces) {
    got = read(pipe, piece.data(), piece.size());
    if (got > 0 && bytes.size() < kMostOfVersion) bytes.append(piece.data(), static_cast<std::size_t>(got));
  }
}

// Runs a shell command line. Returns how it failed, or "". Its output goes to `output` if that is not null,
// otherwise with its errors to the log.
Result<std::string> run_shell(const std::string& command, const std::string& dir, const fs::path& log,
                              std::string* output, std::chrono::milliseconds timeout, Supervisor& supervisor,
                              const StopToken& stop, Launch launch = {}) {
  launch.command = {"sh", "-c", command};
  launch.folder = dir;
  launch.errors = log.string();
  launch.once = true;
  launch.pipes = output != nullptr;
  const Result<std::unique_ptr<Process>> process = supervisor.launch(launch);
  if (!process) return tl::unexpected(process.error());
  (*process)->close_input();
  const Deadline deadline = within(timeout);
  while ((*process)->running()) {
    if (output != nullptr) drain((*process)->output(), *output);
    if (sleep_until(stop, within(kLookAgain)) == Io::stopped) return "stopped";
    if (std::chrono::steady_clock::now() > deadline)
      return "the command did not end within " +
             std::to_string(std::chrono::ceil<std::chrono::seconds>(timeout).count()) + " s";
  }
  if (output != nullptr) drain((*process)->output(), *output);
  const std::string end = (*process)->end();
  return end == "exit code 0" ? std::string() : end;
}

Result<void> run_install(const TargetFile& target, const std::string& command, const std::string& dir,
                         Supervisor& supervisor, const StopToken& stop) {
  const fs::path notes = fs::path(dir) / ".splitproof";
  const Result<Descriptor> lock = locked(notes / "lock", stop);
  if (!lock) return tl::unexpected(lock.error());
  const fs::path stamp = notes / "installed";
  if (read_file(stamp.string()) == command) return {};
  std::error_code ignored;
  fs::remove(stamp, ignored);
  const fs::path log = notes / "install.log";
  if (const Result<void> begun = write_text(log, ""); !begun) return begun;
  Launch launch;
  launch.confined = false;  // it may need rights that namespaces remove, such as sudo
  const Result<std::string> failed =
      run_shell(command, dir, log, nullptr, kInstalls, supervisor, stop, std::move(launch));
  if (!failed) return tl::unexpected(failed.error());
  if (!failed->empty()) {
    return tl::unexpected(Error{
        with_last_lines("the target '" + target.name + "' cannot be installed: " + *failed, log.string()),
        target.path, 0, "see its output in " + log.string() + "; remove " + dir + " to install again"});
  }
  return write_file(stamp.string(), command);
}

Result<std::string> ask_version(const TargetFile& target, const std::string& command, const std::string& dir,
                                Supervisor& supervisor, const StopToken& stop) {
  const fs::path log = fs::path(dir) / ".splitproof" / "version.log";
  if (const Result<void> begun = write_text(log, ""); !begun) return tl::unexpected(begun.error());
  std::string output;
  Launch launch;
  launch.confined = target.is_isolated;
  const Result<std::string> failed =
      run_shell(command, dir, log, &output, kTellsVersion, supervisor, stop, std::move(launch));
  if (!failed) return tl::unexpected(failed.error());
  if (!failed->empty()) {
    return tl::unexpected(Error{
        with_last_lines("the version of the target '" + target.name + "' is unknown: " + *failed,
                        log.string()),
        target.path, 0, "correct 'version' in the target file, or remove " + dir + " to install again"});
  }
  std::istringstream lines(output);
  std::string first;
  while (first.empty() && std::getline(lines, first))
    first = without_blanks(first.substr(0, first.find('\r')));
  return first;
}

// Returns a launch with a target's environment and its writable folders.
Launch launch_in(const TargetFile& target, const Places& places) {
  std::error_code ignored;
  Launch launch;
  for (const auto& [name, value] : target.env) launch.env[name] = filled(value, places);
  launch.confined = target.is_isolated;
  launch.writable = {"/tmp", "/var/tmp", fs::temp_directory_path(ignored).string(), places.dir, places.home};
  return launch;
}

bool lies_in(const fs::path& path, const std::string& folder) {
  if (folder.empty()) return false;
  const fs::path inside = path.lexically_relative(fs::path(folder).lexically_normal());
  return path.is_absolute() && !inside.empty() && inside != "." && *inside.begin() != "..";
}

}  // namespace

Result<std::string> folder_of_target(const std::string& name) {
  fs::path folder = environment("SPLITPROOF_TARGETS");
  if (folder.empty()) {
    fs::path cache = environment("XDG_CACHE_HOME");
    if (!cache.is_absolute()) {  // the XDG base directory specification: ignore a relative one
      const std::string home = environment("HOME");
      if (home.empty()) {
        return tl::unexpected(Error{"there is no folder for targets: neither HOME nor XDG_CACHE_HOME is set",
                                    {},
                                    0,
                                    "set SPLITPROOF_TARGETS"});
      }
      cache = fs::path(home) / ".cache";
    }
    folder = cache / "splitproof" / "targets";
  }
  std::error_code failed;
  const fs::path absolute = fs::absolute(folder / name, failed);
  if (failed)
    return tl::unexpected(
        Error{"cannot make a folder for a target: " + failed.message(), folder.string(), 0, {}});
  return absolute.lexically_normal().string();
}

Result<Installation> install(const TargetFile& target, Supervisor& supervisor, const StopToken& stop) {
  if (target.command.empty()) return Installation{};
  if (target.install.empty() && target.version.empty() && !is_built_in(target.path))
    return Installation{fs::absolute(target.path).parent_path().string(), {}};
  const Result<std::string> dir = folder_of_target(target.name);
  if (!dir) return tl::unexpected(dir.error());
  std::error_code failed;
  fs::create_directories(fs::path(*dir) / ".splitproof", failed);
  if (failed) {
    return tl::unexpected(
        Error{"cannot make the target's folder: " + failed.message(), *dir, 0, "set SPLITPROOF_TARGETS"});
  }
  Places places;
  places.dir = *dir;
  if (!target.install.empty()) {
    const Result<void> installed =
        run_install(target, filled(target.install, places), *dir, supervisor, stop);
    if (!installed) return tl::unexpected(installed.error());
  }
  Installation installation{*dir, {}};
  if (!target.version.empty()) {
    Result<std::string> version = ask_version(target, filled(target.version, places), *dir, supervisor, stop);
    if (!version) return tl::unexpected(std::move(version.error()));
    installation.version = *std::move(version);
  }
  return installation;
}

Result<std::string> run_setup(const TargetFile& target, const std::string& command, const Places& places,
                              Supervisor& supervisor, const StopToken& stop) {
  const fs::path log = fs::path(places.home).parent_path() / "setup.log";
  if (const Result<void> begun = write_text(log, ""); !begun) return tl::unexpected(begun.error());
  Result<std::string> failed = run_shell(filled(command, places), places.dir, log, nullptr,
                                         target.ready_within, supervisor, stop, launch_in(target, places));
  if (failed && !failed->empty()) return with_last_lines(*failed, log.string());
  return failed;
}

Result<void> write_files(const TargetFile& target, const Places& places) {
  for (const auto& [name, text] : target.files) {
    const fs::path path = fs::path(filled(name, places)).lexically_normal();
    if (!lies_in(path, places.dir) && !lies_in(path, places.home)) {
      return tl::unexpected(Error{"the file '" + name + "' is outside the target's own folders", target.path,
                                  0, "begin it with {dir}/ or {home}/, without '..'"});
    }
    if (Result<void> written = write_text(path, filled(text, places)); !written) return written;
  }
  return {};
}

Launch launch_of(const TargetFile& target, const Places& places, const std::string& errors) {
  Launch launch = launch_in(target, places);
  for (const std::string& word : target.command) launch.command.push_back(filled(word, places));
  launch.folder = places.dir;
  launch.errors = errors;
  launch.pipes = target.kind == TargetFile::Kind::pipe;
  return launch;
}

}  // namespace splitproof::testee
