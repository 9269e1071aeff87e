#include "tests/harness/cli/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <sstream>

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) give_up("pipe");
  return ends;
}

pid_t start_child(const std::vector<std::string>& command, const Start& start, int in, int out, int err) {
  const pid_t child = fork();
  if (child < 0) give_up("fork");
  if (child > 0) return child;
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  signal(SIGHUP, SIG_DFL);  // nohup ignores it
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(126);
  for (const std::string& entry : start.environment) {
    const std::size_t equals = entry.find('=');
    setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// Reads both until both are closed. `on_err` gets standard error after each piece.
void read_all(int out, int err, Finished& finished, const std::function<void(const std::string&)>& on_err) {
  std::array<pollfd, 2> open{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    if (poll(open.data(), open.size(), -1) < 0) give_up("poll");
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      std::array<char, 65536> piece{};
      const ssize_t n = read(open[i].fd, piece.data(), piece.size());
      if (n <= 0) {  // a terminal without other users reads as an error
        close(open[i].fd);
        open[i].fd = -1;
        continue;
      }
      (i == 0 ? finished.out : finished.err).append(piece.data(), static_cast<std::size_t>(n));
      if (i == 1) on_err(finished.err);
    }
  }
}

int code_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) give_up("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string program() {
  const char* named = std::getenv("SPLITPROOF_PROGRAM");
  if (named == nullptr) {
    std::cerr << "SPLITPROOF_PROGRAM must name the splitproof to test\n";
    std::exit(EXIT_FAILURE);
  }
  return named;
}

}  // namespace

Finished run_program(const std::vector<std::string>& command, const Start& start) {
  // A file instead of a pipe, so that a child that does not read cannot block this process.
  std::FILE* in = std::tmpfile();
  if (in == nullptr || std::fwrite(start.in.data(), 1, start.in.size(), in) != start.in.size())
    give_up("tmpfile");
  std::rewind(in);
  const auto out = make_pipe();
  const auto err = make_pipe();
  const pid_t child = start_child(command, start, fileno(in), out[1], err[1]);
  std::fclose(in);
  close(out[1]);
  close(err[1]);
  Finished finished;
  read_all(out[0], err[0], finished, [](const std::string&) {});
  finished.code = code_of(child);
  return finished;
}

Finished splitproof(std::vector<std::string> arguments, const Start& start) {
  arguments.insert(arguments.begin(), program());
  return run_program(arguments, start);
}

Finished splitproof_on_terminal(std::vector<std::string> arguments, const std::string& awaited, int signal) {
  arguments.insert(arguments.begin(), program());
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) give_up("posix_openpt");
  const int side = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (side < 0 || nothing < 0) give_up("open");
  const auto out = make_pipe();
  const pid_t child = start_child(arguments, {}, nothing, out[1], side);
  close(nothing);
  close(out[1]);
  close(side);
  Finished finished;
  bool sent = false;
  read_all(out[0], terminal, finished, [&](const std::string& err) {
    if (sent || err.find(awaited) == std::string::npos) return;
    sent = true;
    kill(child, signal);
  });
  finished.code = code_of(child);
  return finished;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string last_line(const std::string& text) {
  const auto lines = lines_of(text);
  return lines.empty() ? "" : lines.back();
}

std::string without_times(const std::string& report) {
  static const std::regex kDuration(R"(, [0-9.\\]+ (s|min [0-9]+ s|h [0-9]+ min)\b)");
  static const std::regex kOfRun(R"((- )?(command|began|took|throughput)\b.*)");
  std::string out;
  for (const std::string& line : lines_of(report)) {
    const bool is_headline = line.find("PASS") != line.npos || line.find("FAIL") != line.npos;
    if (!std::regex_match(line, kOfRun))
      out += (is_headline ? std::regex_replace(line, kDuration, "") : line) + "\n";
  }
  return out;
}

fs::path source_root() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return root == nullptr ? "." : root;
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "splitproof-cli-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) give_up("mkdtemp");
  root_ = name;
}

Folder::~Folder() { fs::remove_all(root_); }

std::string Folder::put(const std::string& name, const std::string& bytes) const {
  fs::create_directories((root_ / name).parent_path());
  std::ofstream(root_ / name, std::ios::binary) << bytes;
  return at(name);
}

std::string Folder::text(const std::string& name) const {
  std::ifstream file(root_ / name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace splitproof::cli
