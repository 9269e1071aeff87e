// A relay as a program: HOST PORT UPSTREAM MARK. A request's body can control it. "crash always" crashes it. "crash
// once" crashes it and writes the file MARK, unless that exists. "hang for good" stops all answers. "cool down" makes
// it refuse such requests from then on without asking its upstream. "refuse" always refuses. A PUT to /setup is stored
// in MARK.setup.

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "tests/harness/testee/relay.hpp"

int main(int, char** arguments) {
  using namespace splitproof::testee;
  const std::string upstream = arguments[3];
  const std::string mark = arguments[4];
  std::atomic<bool> hangs = false;
  std::atomic<bool> cools = false;
  const RawServer server(
      [&](RawConnection& client, const UpstreamRequest& request) {
        const auto is_told = [&](const char* what) { return request.body.find(what) != std::string::npos; };
        if (is_told("crash always") || (is_told("crash once") && !std::filesystem::exists(mark))) {
          std::ofstream(mark).close();
          std::cerr << "crashing, as I was told" << std::endl;
          _exit(3);
        }
        if (request.target == "/setup") {
          std::ofstream(mark + ".setup", std::ios::app) << request.method << " " << request.body << "\n";
          client.send("HTTP/1.1 204 No Content\r\n\r\n");
          return;
        }
        if (is_told("refuse") || (is_told("cool down") && cools.exchange(true))) {
          client.send("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
          return;
        }
        if (is_told("hang for good")) hangs = true;
        if (hangs) {
          client.wait_for_end();
        } else {
          relay(upstream, {}, client, request);
        }
      },
      static_cast<std::uint16_t>(std::atoi(arguments[2])));
  pause();
}
