#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/testee/target_coverage.hpp"

namespace splitproof::testee {

/// A step for a running target: a shell command line, or a request to it.
struct SetupStep {
  std::string run;  ///< In {dir}; empty: the request.
  std::string method;
  std::string path;
  Headers headers;
  std::string body;
};

/// Settings for installing, starting and calling a testee (docs/targets.md). Text may contain `{dir}`,
/// `{home}`, `{port}`, `{upstream}` and `{upstream_port}`, which `filled` replaces. Other braces are text.
struct TargetFile {
  enum class Kind { in_process, pipe, http };

  std::string name;
  std::string path;  ///< Path of the target file.
  Kind kind = Kind::http;
  std::string client;            ///< Protocol that it speaks to clients.
  std::string upstream;          ///< Protocol that it speaks to its upstream.
  bool client_socket = false;    ///< Its clients speak to it over WebSocket.
  bool upstream_socket = false;  ///< It speaks to its upstream over WebSocket.
  std::string install;           ///< Shell command line that runs once in {dir}; empty: nothing to install.
  std::string version;           ///< Shell command line that prints the installed version; empty: not known.
  std::string library;           ///< In-process only: path of its shared library.
  std::string variant;           ///< Variant in the library; empty: its default.
  std::vector<std::string> command;          ///< Empty: it already runs.
  std::map<std::string, std::string> files;  ///< Path -> text, written before each start.
  std::map<std::string, std::string> env;
  std::string listen;            ///< Base URL at which it serves; empty: RunningTarget finds it.
  std::string upstream_listen;   ///< HOST:PORT where it expects its upstream, if that is fixed.
  std::string request_path;      ///< Begins with a slash.
  std::string model;             ///< Model in requests.
  Headers headers;               ///< Headers of requests, in addition to content-type.
  std::vector<SetupStep> setup;  ///< Performed in order after each start, once it is ready.
  std::string ready_path;  ///< Answers a GET with a status below 500 when ready; empty: the port accepts.
  std::chrono::milliseconds ready_within{20000};
  std::chrono::milliseconds timeout{10000};  ///< Time without a byte that counts as a hang.
  std::size_t max_concurrency = 1;           ///< Maximum concurrent exchanges.
  std::size_t instances = 1;                 ///< Programs at once, each with its own port and home.
  bool has_network = true;                   ///< false: it has only a loopback.
  bool is_isolated = true;                   ///< false: it shares this program's processes and rights.
  TargetCoverage coverage;                   ///< The way in which it reports the code that a case reached.
  std::vector<std::string> cannot;           ///< Features of recordings that it does not claim to support.
  std::vector<std::size_t> cannot_lines;     ///< Their lines in the file.
  std::vector<std::string> unreported;  ///< Members of answers that it cannot report (observe::kReportable).
  bool continues = false;               ///< Of a client: it also makes the next request of the conversation.
};

/// Reads a target file. An Error names the file, the line and a fix.
Result<TargetFile> load_target_file(const std::string& path);

/// Replacements for the names in braces.
struct Places {
  std::string dir;   ///< The target's own, kept between runs.
  std::string home;  ///< New for each run.
  std::string port;
  std::string upstream;  ///< Base URL of the stand-in, "http://127.0.0.1:40123".
  std::string upstream_port;
};

/// Returns `text` with the names in braces replaced.
std::string filled(const std::string& text, const Places& places);

}  // namespace splitproof::testee
