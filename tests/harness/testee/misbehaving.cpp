// Runs its arguments as actions, one after another, and ends with exit code 0 after the last:
//
//   announce:FIFO   opens the FIFO for writing, until it and its later children have ended, and writes a line
//   ignore          ignores the signals that ask a program to end
//   answer:FILE     makes the file and ends on SIGTERM
//   fork:N          forks N times, each child too: 2^N processes continue
//   daemonise       continues as a daemon: forked twice, in its own session; the original process ends
//   leave           starts a daemon that continues too
//   clear           executes itself again without an environment
//   descriptors     writes the numbers of its open descriptors to standard error
//   signals         writes its blocked and ignored signals to standard error
//   print:VARIABLE  writes an environment variable to standard error
//   say:TEXT        writes a line to standard error
//   flood:N         writes N lines of 100 bytes to standard error
//   folder          writes its working directory to standard output
//   echo            copies standard input to standard output until its end
//   sleep:N         sleeps N milliseconds
//   once:FILE       exits with code 1 if FILE is absent, and makes it
//   serve:PORT:A,B  answers requests at that port, the first with status A, ... and all later ones with the last;
//                   without statuses it only accepts connections; it never ends
//   crash           segmentation fault
//   exit:N          ends with that code
//   wait            waits forever

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void announce(const std::string& fifo) {
  const int held = open(fifo.c_str(), O_WRONLY);
  if (held < 0 || write(held, "here\n", 5) != 5) _exit(99);
}

void ignore() {
  for (const int number : {SIGTERM, SIGHUP, SIGINT}) std::signal(number, SIG_IGN);
}

std::string answer_file;  // global, because a signal handler gets no other argument

void answer(const std::string& path) {
  answer_file = path;
  std::signal(SIGTERM, [](int) {
    const int file = open(answer_file.c_str(), O_WRONLY | O_CREAT, 0600);
    _exit(file < 0 ? 1 : 0);
  });
}

void daemonise() {
  if (fork() != 0) _exit(0);
  setsid();
  if (fork() != 0) _exit(0);
}

void leave() {
  if (fork() == 0) daemonise();
}

void descriptors() {
  DIR* folder = opendir("/proc/self/fd");
  std::string all;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name[0] != '.' && name != std::to_string(dirfd(folder))) all += name + " ";
  }
  closedir(folder);
  std::cerr << all << std::endl;
}

void signals() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigBlk", 0) == 0 || line.rfind("SigIgn", 0) == 0) std::cerr << line << std::endl;
  }
}

void folder() {
  std::array<char, 4096> path{};
  if (getcwd(path.data(), path.size()) != nullptr) std::cout << path.data() << std::endl;
}

void echo() {
  std::array<char, 4096> bytes{};
  while (true) {
    const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got <= 0 || write(STDOUT_FILENO, bytes.data(), static_cast<std::size_t>(got)) != got) return;
  }
}

void sleep_for(long milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  nanosleep(&time, nullptr);
}

void fail_once(const std::string& path) {
  if (access(path.c_str(), F_OK) == 0) return;
  std::ofstream(path) << "\n";
  _exit(1);
}

void serve(const std::string& how) {
  std::istringstream words(how);
  int port = 0;
  char colon = 0;
  words >> port >> colon;
  std::vector<int> statuses;
  for (int status = 0; words >> status; words.get()) statuses.push_back(status);
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 16) != 0) {
    std::perror("bind");
    _exit(1);
  }
  for (std::size_t asked = 0;;) {
    const int client = accept(listener, nullptr, nullptr);
    std::array<char, 4096> request{};
    if (!statuses.empty() && read(client, request.data(), request.size()) > 0) {
      const int status = statuses[asked < statuses.size() ? asked : statuses.size() - 1];
      ++asked;
      const std::string answer = "HTTP/1.1 " + std::to_string(status) + " So\r\ncontent-length: 0\r\n\r\n";
      if (write(client, answer.data(), answer.size()) < 0) std::perror("write");
    }
    close(client);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t colon = argument.find(':');
    const std::string action = argument.substr(0, colon);
    const std::string rest = colon == std::string::npos ? "" : argument.substr(colon + 1);
    if (action == "announce")
      announce(rest);
    else if (action == "answer")
      answer(rest);
    else if (action == "ignore")
      ignore();
    else if (action == "fork")
      for (int n = std::atoi(rest.c_str()); n > 0; --n) static_cast<void>(fork() == 0);
    else if (action == "daemonise")
      daemonise();
    else if (action == "leave")
      leave();
    else if (action == "descriptors")
      descriptors();
    else if (action == "signals")
      signals();
    else if (action == "print")
      std::cerr << (std::getenv(rest.c_str()) ? std::getenv(rest.c_str()) : "(none)") << std::endl;
    else if (action == "say")
      std::cerr << rest << std::endl;
    else if (action == "flood")
      for (int n = std::atoi(rest.c_str()); n > 0; --n) std::cerr << std::string(99, 'x') << '\n';
    else if (action == "folder")
      folder();
    else if (action == "echo")
      echo();
    else if (action == "sleep")
      sleep_for(std::atol(rest.c_str()));
    else if (action == "once")
      fail_once(rest);
    else if (action == "serve")
      serve(rest);
    else if (action == "exit")
      _exit(std::atoi(rest.c_str()));
    else if (action == "wait")
      while (true) pause();
    else if (action == "crash") {
      std::signal(SIGSEGV, SIG_DFL);
      raise(SIGSEGV);
    } else if (action == "clear") {
      argv[i] = argv[0];
      char* nothing[] = {nullptr};
      execve("/proc/self/exe", argv + i, nothing);
      _exit(98);
    } else {
      std::cerr << "unknown action " << argument << std::endl;
      _exit(97);
    }
  }
  _exit(0);
}
