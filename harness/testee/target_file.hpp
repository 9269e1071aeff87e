#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"

namespace splitproof::testee {

/// What a target needs once it runs: a command line of a shell, or a request to it.
struct SetupStep {
  std::string run;  ///< in {dir}; empty: the request
  std::string method;
  std::string path;
  Headers headers;
  std::string body;
};

/// How a testee is installed, started and spoken to: docs/targets.md. Text may hold `{dir}`,
/// `{home}`, `{port}`, `{upstream}` and `{upstream_port}`, which `filled` puts in; other braces are text.
struct TargetFile {
  enum class Kind { in_process, pipe, http };

  std::string name;
  std::string path;  ///< of the file
  Kind kind = Kind::http;
  std::string client;    ///< protocol it speaks to clients
  std::string upstream;  ///< protocol it speaks to its upstream
  std::string install;   ///< command line of a shell, run once in {dir}; empty: nothing to install
  std::string version;   ///< command line of a shell that prints what is installed; empty: not known
  std::string library;   ///< of one in this process: the path of its shared library
  std::string variant;   ///< of that library; empty: what it does by default
  std::vector<std::string> command;          ///< empty: it runs already
  std::map<std::string, std::string> files;  ///< path -> text, written before each start
  std::map<std::string, std::string> env;
  std::string listen;            ///< base URL it serves at; empty: not known yet, RunningTarget finds it
  std::string upstream_listen;   ///< HOST:PORT where it expects its upstream, if that is fixed
  std::string request_path;      ///< begins with a slash
  std::string model;             ///< that requests ask for
  Headers headers;               ///< that requests bear, beside content-type
  std::vector<SetupStep> setup;  ///< done in order after each start, once it is ready
  std::string ready_path;  ///< answers a GET with a status below 500 when ready; empty: the port accepts
  std::chrono::milliseconds ready_within{20000};
  std::chrono::milliseconds timeout{10000};  ///< so long without a byte is a hang
  std::size_t max_concurrency = 1;           ///< exchanges in flight
  bool has_network = true;                   ///< else it runs where there is a loopback only
  bool is_isolated = true;                   ///< else it shares this program's processes and rights
  std::vector<std::string> cannot;           ///< features of recordings that it does not claim
  std::vector<std::size_t> cannot_lines;     ///< of each of these, in the file
};

/// Reads a target file; an Error names the file, the line and how to fix it.
Result<TargetFile> load_target_file(const std::string& path);

/// What stands for the names in braces.
struct Places {
  std::string dir;   ///< the target's own, kept between runs
  std::string home;  ///< made anew for each run
  std::string port;
  std::string upstream;  ///< base URL of the stand-in, "http://127.0.0.1:40123"
  std::string upstream_port;
};

/// `text` with the names in braces put in.
std::string filled(const std::string& text, const Places& places);

}  // namespace splitproof::testee
