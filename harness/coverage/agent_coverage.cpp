#include "harness/coverage/agent_coverage.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/coverage/agent_texts.hpp"
#include "harness/write_file.hpp"

namespace splitproof::coverage {
namespace {

using Agent = testee::TargetCoverage::Agent;
using nlohmann::json;

constexpr std::chrono::milliseconds kAnswers{10'000};         // a busy program answers later
constexpr std::size_t kMostOfAnswer = std::size_t{64} << 20;  // bytes of an agent's line
constexpr std::size_t kShown = 200;                           // bytes of an answer that is none
constexpr int kBacklog = 64;                                  // processes that start at once

Result<Descriptor> listen_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (path.size() >= sizeof address.sun_path)
    return tl::unexpected(Error{"the path of the socket for coverage is too long", path, 0,
                                "set TMPDIR to a folder with a shorter path"});
  std::copy(path.begin(), path.end(), address.sun_path);
  if (socket.get() < 0 || bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket.get(), kBacklog) != 0)
    return tl::unexpected(
        Error{std::string("cannot listen for coverage: ") + std::strerror(errno), path, 0, {}});
  return socket;
}

// Returns the variable for the target: from its file, or as it inherits it.
std::string variable_of(const testee::TargetFile& target, const char* name) {
  if (const auto own = target.env.find(name); own != target.env.end()) return own->second;
  const char* inherited = std::getenv(name);
  return inherited != nullptr ? inherited : "";
}

// A module that an interpreter loads before the program, because a variable names it.
struct LoadedAgent {
  const char* text;
  const char* file;
  const char* variable;
  const char* before_folder;  // in the value of the variable
  const char* behind_folder;
  const char* separator;  // before the value that the variable had
};

// Returns null if the program has its agent in itself (splitproof_coverage.h).
const LoadedAgent* loaded_agent(Agent agent) {
  static const LoadedAgent node{kNodeAgent,     "/agent.cjs",   "NODE_OPTIONS",
                                "--require=\"", "/agent.cjs\"", " "};
  static const LoadedAgent python{kPythonAgent, "/sitecustomize.py", "PYTHONPATH", "", "", ":"};
  return agent == Agent::node ? &node : agent == Agent::python ? &python : nullptr;
}

// Adds the variables that make the interpreter load the agent in `folder`, and that the agent reads.
void add_agent(testee::TargetFile& target, const std::string& folder) {
  if (const LoadedAgent* agent = loaded_agent(target.coverage.agent)) {
    const std::string before = variable_of(target, agent->variable);
    target.env[agent->variable] = agent->before_folder + folder + agent->behind_folder +
                                  (before.empty() ? "" : agent->separator + before);
  }
  target.env["SPLITPROOF_COVERAGE"] = folder + "/socket";
  target.env["SPLITPROOF_COVERAGE_DIR"] = "{dir}";
  target.env["SPLITPROOF_COVERAGE_FILES"] = json(target.coverage.files).dump();
}

}  // namespace

Result<std::shared_ptr<AgentCoverage>> AgentCoverage::attach(testee::TargetFile& target,
                                                             const testee::StopToken& stop) {
  auto folder = testee::FreshFolder::make("coverage");
  if (!folder) return tl::unexpected(folder.error());
  const std::string path = (*folder)->path();
  if (const LoadedAgent* agent = loaded_agent(target.coverage.agent))
    if (const auto written = write_file(path + agent->file, agent->text); !written)
      return tl::unexpected(written.error());
  auto listener = listen_at(path + "/socket");
  if (!listener) return tl::unexpected(listener.error());
  std::shared_ptr<AgentCoverage> attached(
      new AgentCoverage(target, stop, *std::move(folder), *std::move(listener)));
  add_agent(target, path);
  return attached;
}

AgentCoverage::AgentCoverage(const testee::TargetFile& target, const testee::StopToken& stop,
                             std::unique_ptr<testee::FreshFolder> folder, Descriptor listener)
    : coverage_(target.coverage),
      path_(target.path),
      stop_(stop),
      folder_(std::move(folder)),
      listener_(std::move(listener)) {}

void AgentCoverage::accept_new() {
  while (true) {
    Descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.get() < 0) return;
    has_come_ = true;
    connections_.push_back({std::move(socket), {}});
  }
}

Error AgentCoverage::lacks(std::string what, std::string hint) const {
  return {"coverage: " + std::string(testee::name(coverage_.agent)) + " gives nothing: " + std::move(what),
          path_, 0, std::move(hint)};
}

Error AgentCoverage::nobody_came() const {
  switch (coverage_.agent) {
    case Agent::node:
      return lacks("no process of the target loaded the agent from NODE_OPTIONS",
                   "the program must run in Node 18 or later, and not as one file with Node inside");
    case Agent::python:
      return lacks(
          "no process of the target loaded the agent from PYTHONPATH",
          "the program must run in Python 3.8 or later, without -E, -I, -S or another sitecustomize");
    default:
      return lacks("no process of the target reports counters",
                   "include splitproof_coverage.h in the program, and compile it with clang "
                   "-fsanitize-coverage=inline-8bit-counters");
  }
}

Result<std::vector<std::uint32_t>> AgentCoverage::take() {
  const std::lock_guard lock(mutex_);
  accept_new();
  if (!has_come_) return tl::unexpected(nobody_came());
  // Requests the counters of all before it reads the first answer.
  std::vector<std::uint32_t> reached;
  for (Connection& one : connections_)
    if (testee::send_all(one.socket.get(), "\n", stop_, testee::within(kAnswers)) != testee::Io::done)
      one.socket.close();
  bool is_silent = false;
  for (Connection& one : connections_) {
    if (one.socket.get() < 0) continue;
    const auto answered = ask(one, reached);
    if (!answered) return tl::unexpected(answered.error());
    is_silent = is_silent || *answered == testee::Io::late;
  }
  std::erase_if(connections_, [](const Connection& one) { return one.socket.get() < 0; });
  // A process that only waits for another one need not answer.
  if (is_silent && connections_.empty())
    return tl::unexpected(lacks("the agent in the target does not answer within 10 s",
                                "the program must not block its event loop or its interpreter"));
  if (places_.empty())
    return tl::unexpected(coverage_.agent == Agent::sancov
                              ? lacks("the program has no counters",
                                      "compile its files with clang -fsanitize-coverage=inline-8bit-counters")
                              : lacks("its agent runs, but no file of the target did",
                                      "name the target's own folders: coverage: {by: " +
                                          std::string(testee::name(coverage_.agent)) + ", files: [src]}"));
  std::sort(reached.begin(), reached.end());
  reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  return reached;
}

// Reads one line, and closes the connection of a process that has ended or is silent.
Result<testee::Io> AgentCoverage::ask(Connection& connection, std::vector<std::uint32_t>& reached) {
  const testee::Deadline deadline = testee::within(kAnswers);
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = connection.unread.find('\n', searched);
    if (end != std::string::npos) {
      const bool is_added = add(std::string_view(connection.unread).substr(0, end), reached);
      if (!is_added)
        return tl::unexpected(lacks("its agent failed with: " + connection.unread.substr(0, kShown), {}));
      connection.unread.erase(0, end + 1);
      return testee::Io::done;
    }
    searched = connection.unread.size();
    testee::Io io = testee::receive(connection.socket.get(), connection.unread, stop_, deadline);
    if (io == testee::Io::stopped) return tl::unexpected(lacks("stopped", {}));
    if (connection.unread.size() > kMostOfAnswer) io = testee::Io::late;
    if (io == testee::Io::done) continue;
    connection.socket.close();
    return io;
  }
}

// Returns false if the line is not an answer.
bool AgentCoverage::add(std::string_view line, std::vector<std::uint32_t>& reached) {
  try {
    const json answer = json::parse(line);
    for (const json& file : answer.at("files")) {
      const std::string name = file.at("name").get<std::string>() + ":";
      const auto number = [&](const json& at) {
        return places_.number_of(name + std::to_string(at.get<std::uint32_t>()));
      };
      if (const auto known = file.find("known"); known != file.end())
        for (const json& at : *known) number(at);
      for (const json& at : file.at("reached")) reached.push_back(number(at));
    }
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

std::string AgentCoverage::name(std::uint32_t place) const {
  const std::lock_guard lock(mutex_);
  return places_.name(place);
}

std::vector<std::uint32_t> AgentCoverage::known() const {
  const std::lock_guard lock(mutex_);
  return places_.all();
}

}  // namespace splitproof::coverage
