#include "tests/harness/testee/http_response.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace splitproof::testee {
namespace {

// Takes one line with its CR LF off the front. Returns false without one.
bool take_line(std::string_view& rest, std::string& line) {
  const std::size_t end = rest.find("\r\n");
  if (end == std::string_view::npos) return false;
  line = rest.substr(0, end);
  rest.remove_prefix(end + 2);
  return true;
}

bool read_chunks(std::string_view& rest, HttpResponse& response) {
  std::string line;
  while (take_line(rest, line)) {
    if (line.empty() || line.find_first_not_of("0123456789abcdef") != std::string::npos) return false;
    const std::size_t size = std::strtoul(line.c_str(), nullptr, 16);
    if (size == 0) return take_line(rest, line) && line.empty();
    response.chunks.push_back(size);
    const std::string_view data = rest.substr(0, size);
    response.body += data;
    rest.remove_prefix(data.size());
    if (data.size() < size || !take_line(rest, line) || !line.empty()) return false;
  }
  return false;
}

}  // namespace

HttpResponse read_response(std::string_view bytes, bool closed) {
  HttpResponse response;
  std::string_view rest = bytes;
  std::string line;
  if (!take_line(rest, line) || line.size() < 13 || line[8] != ' ' || line[12] != ' ') return response;
  response.version = line.substr(0, 8);
  response.status = std::atoi(line.c_str() + 9);
  while (true) {
    if (!take_line(rest, line)) return response;
    if (line.empty()) break;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return response;
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    response.headers[name] = line.substr(colon + 2);
  }
  response.head = true;
  if (response.status < 200) {
    response.complete = true;
  } else if (response.headers.count("transfer-encoding") != 0) {
    response.complete = read_chunks(rest, response);
  } else if (const auto length = response.headers.find("content-length"); length != response.headers.end()) {
    const std::size_t size = std::strtoul(length->second.c_str(), nullptr, 10);
    response.body = rest.substr(0, size);
    rest.remove_prefix(response.body.size());
    response.complete = response.body.size() == size;
  } else {
    response.body = rest;
    rest = {};
    response.complete = closed;
  }
  response.size = bytes.size() - rest.size();
  return response;
}

}  // namespace splitproof::testee
