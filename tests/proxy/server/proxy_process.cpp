#include "tests/proxy/server/proxy_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "tests/proxy/server/wire.hpp"

namespace splitproof::server {
namespace {

namespace fs = std::filesystem;

std::string new_folder() {
  std::string name = (fs::temp_directory_path() / "splitproof-proxy-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) give_up("mkdtemp");
  return name;
}

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

pid_t start(const std::vector<std::string>& arguments, int out, int err) {
  const char* program = std::getenv("SPLITPROOF_PROXY");
  if (program == nullptr) {
    std::fputs("SPLITPROOF_PROXY must name the splitproof-proxy to test\n", stderr);
    std::exit(EXIT_FAILURE);
  }
  std::vector<char*> words{const_cast<char*>(program)};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) give_up("fork");
  if (child > 0) return child;
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const char* name :
       {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
    unsetenv(name);
  // A sanitizer keeps freed memory for a while, which would look like a leak.
  const char* options = std::getenv("ASAN_OPTIONS");
  setenv("ASAN_OPTIONS", (std::string(options == nullptr ? "" : options) + ":quarantine_size_mb=1").c_str(),
         1);
  execv(program, words.data());
  _exit(127);
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

std::string line_from(int descriptor) {
  std::string line;
  pollfd polled{descriptor, POLLIN, 0};
  char c = 0;
  while (poll(&polled, 1, static_cast<int>(std::chrono::milliseconds(kTimeout).count())) > 0 &&
         read(descriptor, &c, 1) == 1 && c != '\n') {
    line += c;
  }
  return line;
}

}  // namespace

ProxyProcess::ProxyProcess(const std::string& upstream_url, const std::string& config,
                           const std::vector<std::string>& more)
    : folder_(new_folder()) {
  std::vector<std::string> arguments{"--listen", "127.0.0.1:0", "--upstream", upstream_url};
  arguments.insert(arguments.end(), more.begin(), more.end());
  if (!config.empty()) {
    std::ofstream(folder_ + "/config.yaml") << config;
    arguments.insert(arguments.end(), {"--config", folder_ + "/config.yaml"});
  }
  std::array<int, 2> out{};
  if (pipe2(out.data(), O_CLOEXEC) != 0) give_up("pipe");
  const int err = open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0600);
  child_ = start(arguments, out[1], err);
  close(out[1]);
  close(err);
  const std::string line = line_from(out[0]);
  close(out[0]);
  const std::string before = "splitproof-proxy: listening on http://127.0.0.1:";
  if (line.compare(0, before.size(), before) != 0) {
    std::fprintf(stderr, "splitproof-proxy said: %s\n%s", line.c_str(), log().c_str());
    std::abort();
  }
  port_ = std::atoi(line.c_str() + before.size());
}

ProxyProcess::~ProxyProcess() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::size_t ProxyProcess::memory() const {
  std::istringstream pages(text_of("/proc/" + std::to_string(child_) + "/statm"));
  std::size_t size = 0;
  std::size_t resident = 0;
  pages >> size >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

rlim_t ProxyProcess::open_files_at_most() const {
  rlimit limit{};
  if (prlimit(child_, RLIMIT_NOFILE, nullptr, &limit) != 0) give_up("prlimit");
  return limit.rlim_cur;
}

bool ProxyProcess::runs() const { return waitpid(child_, nullptr, WNOHANG) == 0; }

void ProxyProcess::send(int signal) const { kill(child_, signal); }

int ProxyProcess::end(int signal) {
  send(signal);
  const auto until = std::chrono::steady_clock::now() + kTimeout;
  while (std::chrono::steady_clock::now() < until) {
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      return code_of(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return -1;
}

std::string ProxyProcess::log() const { return text_of(folder_ + "/log"); }

ProxyRun run_proxy(const std::vector<std::string>& arguments) {
  const std::string folder = new_folder();
  const int out = open((folder + "/out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int err = open((folder + "/err").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const pid_t child = start(arguments, out, err);
  close(out);
  close(err);
  int status = 0;
  const auto until = std::chrono::steady_clock::now() + kTimeout;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ProxyRun run{code_of(status), text_of(folder + "/out"), text_of(folder + "/err")};
  fs::remove_all(folder);
  return run;
}

}  // namespace splitproof::server
