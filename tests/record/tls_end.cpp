#include "tests/record/tls_end.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>
#include <vector>

namespace splitproof::record {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(fd);
  return ntohs(address.sin_port);
}

bool accepts(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  const bool connected = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return connected;
}

// Starts a program in a folder, without output.
pid_t started(const std::filesystem::path& folder, std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (chdir(folder.c_str()) != 0 || null == -1) _exit(127);
  for (const int fd : {0, 1, 2}) dup2(null, fd);
  execvp(arguments.front(), arguments.data());
  _exit(127);
}

bool run(const std::filesystem::path& folder, std::vector<std::string> command) {
  int status = -1;
  waitpid(started(folder, std::move(command)), &status, 0);
  return status == 0;
}

std::string nginx_program() {
  for (const char* path : {"/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"})
    if (access(path, X_OK) == 0) return path;
  return "";
}

std::string configuration(std::uint16_t port, const std::string& provider_url) {
  std::ostringstream text;
  text
      << "daemon off; pid nginx.pid; error_log error.log; worker_processes 1;\n"
         "events {}\n"
         "http {\n"
         "  log_format calls '$server_protocol $body_bytes_sent';\n"
         "  access_log access.log calls; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3;\n"
         "  uwsgi_temp_path t4; scgi_temp_path t5;\n"
         "  server {\n"
         "    listen 127.0.0.1:"
      << port
      << " ssl http2; server_name localhost; keepalive_requests 1000000;\n"
         "    ssl_certificate cert.pem; ssl_certificate_key key.pem;\n"
         "    location / { proxy_pass "
      << provider_url << "; proxy_http_version 1.1; proxy_buffering off; }\n  }\n}\n";
  return text.str();
}

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "splitproof-nginx-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

}  // namespace

std::unique_ptr<TlsEnd> TlsEnd::start(const std::string& provider_url) {
  const std::string nginx = nginx_program();
  if (nginx.empty()) return nullptr;
  std::unique_ptr<TlsEnd> one(new TlsEnd);
  one->folder_ = new_folder();
  if (!run(one->folder_,
           {"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
            "cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"}))
    return nullptr;
  const std::uint16_t port = free_port();
  std::ofstream(one->folder_ / "nginx.conf") << configuration(port, provider_url);
  one->nginx_ = started(one->folder_, {nginx, "-p", one->folder_.string(), "-c", "nginx.conf"});
  for (int tries = 0; !accepts(port); ++tries) {
    if (tries > 2000 || waitpid(one->nginx_, nullptr, WNOHANG) != 0) {
      std::cerr << "nginx did not start\n";
      std::abort();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  one->url_ = "https://localhost:" + std::to_string(port);
  return one;
}

TlsEnd::~TlsEnd() {
  if (nginx_ > 0) {
    kill(nginx_, SIGTERM);
    waitpid(nginx_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<TlsEnd::LoggedCall> TlsEnd::access_log(std::size_t count) const {
  std::vector<LoggedCall> calls;
  for (int tries = 0; calls.size() < count && tries < 2000; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    calls.clear();
    std::ifstream file(folder_ / "access.log");
    LoggedCall call;
    while (file >> call.protocol >> call.body_bytes) calls.push_back(call);
  }
  return calls;
}

}  // namespace splitproof::record
