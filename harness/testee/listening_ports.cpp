#include "harness/testee/listening_ports.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/testee/descendants.hpp"

namespace splitproof::testee {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kListens = "0A";  // TCP_LISTEN, as /proc/net/tcp has it

// The inodes of the sockets that a process has open.
std::set<std::string> sockets_of(const std::string& process) {
  constexpr std::string_view kSocket = "socket:[";
  std::set<std::string> inodes;
  std::error_code failed;
  for (fs::directory_iterator entry(process + "/fd", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code gone;
    const std::string link = fs::read_symlink(entry->path(), gone).string();
    if (!gone && link.starts_with(kSocket))
      inodes.insert(link.substr(kSocket.size(), link.size() - kSocket.size() - 1));
  }
  return inodes;
}

bool has_variable(const std::string& process, const std::string& variable) {
  std::ifstream environment(process + "/environ");
  for (std::string each; std::getline(environment, each, '\0');)
    if (each == variable) return true;
  return false;
}

std::uint32_t hex(std::string_view digits) {
  std::uint32_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

// "0100007F" of a socket of IPv4, or the 32 digits of one of IPv6.
std::string host_of(std::string_view address) {
  constexpr std::string_view kLoopback6 = "00000000000000000000000001000000";
  constexpr std::size_t kDigits4 = 8;
  if (address == kLoopback6) return "[::1]";
  const in_addr bytes{hex(address.substr(0, kDigits4))};
  if (address.size() != kDigits4 || bytes.s_addr == INADDR_ANY) return "127.0.0.1";
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &bytes, text, sizeof text);
  return text;
}

// Adds what a table of the kernel has of these sockets. A line: "0: 0100007F:1F90 00000000:0000 0A ... INODE".
void add_from(const std::string& table, const std::set<std::string>& inodes,
              std::map<std::uint16_t, std::string>& hosts) {
  constexpr int kBetween = 5;  // fields between the state and the inode
  std::ifstream lines(table);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string number;
    std::string local;
    std::string skipped;
    std::string state;
    std::string inode;
    fields >> number >> local >> skipped >> state;
    for (int i = 0; i < kBetween; ++i) fields >> skipped;
    fields >> inode;
    const std::size_t colon = local.find(':');
    if (state != kListens || colon == local.npos || inodes.count(inode) == 0) continue;
    hosts.try_emplace(static_cast<std::uint16_t>(hex(std::string_view(local).substr(colon + 1))),
                      host_of(std::string_view(local).substr(0, colon)));
  }
}

}  // namespace

std::vector<ListeningPort> listening_ports_of(pid_t root, const std::string& variable) {
  std::map<std::uint16_t, std::string> hosts;
  for (const pid_t pid : descendants_of(root)) {
    const std::string process = "/proc/" + std::to_string(pid);
    if (!has_variable(process, variable)) continue;
    const std::set<std::string> inodes = sockets_of(process);
    if (inodes.empty()) continue;
    for (const char* table : {"/net/tcp", "/net/tcp6"}) add_from(process + table, inodes, hosts);
  }
  std::vector<ListeningPort> ports;
  for (const auto& [port, host] : hosts) ports.push_back({host, port});
  return ports;
}

}  // namespace splitproof::testee
