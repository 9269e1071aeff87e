#include "harness/coverage/tcp_coverage.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

namespace splitproof::coverage {
namespace {

using namespace std::string_view_literals;

constexpr std::chrono::milliseconds kAgentAnswers{10'000};
constexpr std::string_view kRequest = "\x01\xC0\xC0\x10\x07\x40\x01\x01"sv;  // dump, and reset
constexpr std::string_view kHeading = "\xC1\xC0"sv;
constexpr char kHeadingBlock = 0x01;
constexpr char kLcovBlock = 0x11;
constexpr char kEndBlock = 0x20;
constexpr std::size_t kMostOfLcov = std::size_t{64} << 20;

// Returns a number of four bytes, the lowest first.
std::size_t number_in(std::string_view bytes) {
  std::size_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    number = number << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return number;
}

}  // namespace

Result<std::shared_ptr<TcpCoverage>> TcpCoverage::at(const testee::TargetFile& target,
                                                     const testee::StopToken& stop) {
  auto address = testee::http_address("http://" + target.coverage.at);
  if (!address || target.coverage.at.find(':') == std::string::npos)
    return tl::unexpected(Error{"'" + target.coverage.at + "' is not the address of an agent for coverage",
                                target.path, 0, "write HOST:PORT, such as 127.0.0.1:3001"});
  return std::shared_ptr<TcpCoverage>(new TcpCoverage(target, *std::move(address), stop));
}

Error TcpCoverage::lacks(std::string what, std::string hint) const {
  return {"coverage: tcp gives nothing: " + std::move(what), path_, 0, std::move(hint)};
}

// Sends the request. An agent that was started again needs a new connection.
bool TcpCoverage::ask() {
  deadline_ = testee::within(kAgentAnswers);
  unread_.clear();
  std::string first;
  for (int tries = 0; tries < 2; ++tries) {
    if (socket_.get() < 0) socket_ = testee::connect_to(address_, stop_, deadline_);
    if (socket_.get() < 0) return false;
    if (testee::send_all(socket_.get(), kRequest, stop_, deadline_) == testee::Io::done && read(1, first)) {
      unread_.insert(0, first);
      return true;
    }
    socket_.close();
  }
  return false;
}

// Takes so many bytes of the answer.
bool TcpCoverage::read(std::size_t size, std::string& bytes) {
  while (unread_.size() < size)
    if (testee::receive(socket_.get(), unread_, stop_, deadline_) != testee::Io::done) return false;
  bytes = unread_.substr(0, size);
  unread_.erase(0, size);
  return true;
}

// Returns the LCOV text of all blocks.
Result<std::string> TcpCoverage::answer() {
  std::string lcov;
  std::string bytes;
  const auto wrong = [this](const char* what) {
    socket_.close();
    return tl::unexpected(
        lacks("the agent at " + shown_ + " " + what, "it must answer as the agents of WuppieFuzz do"));
  };
  while (true) {
    if (!read(1, bytes)) return wrong("broke off its answer, or was silent for 10 s");
    if (bytes[0] == kEndBlock) return lcov;
    if (bytes[0] == kHeadingBlock) {
      if (!read(kHeading.size(), bytes)) return wrong("broke off its answer");
      if (bytes != kHeading) return wrong("sends another format than LCOV");
    } else if (bytes[0] == kLcovBlock) {
      if (!read(4, bytes)) return wrong("broke off its answer");
      const std::size_t size = number_in(bytes);
      if (size > kMostOfLcov) return wrong("sends more than 64 MiB");
      if (!read(size, bytes)) return wrong("broke off its answer");
      lcov += bytes;
    } else {
      return wrong("sends a block of an unknown type");
    }
  }
}

// Adds all lines of a text, and returns those that were reached.
std::vector<std::uint32_t> TcpCoverage::add(std::string_view lcov) {
  std::vector<std::uint32_t> reached;
  std::string file;
  while (!lcov.empty()) {
    const std::size_t end = std::min(lcov.find('\n'), lcov.size());
    std::string_view line = lcov.substr(0, end);
    lcov.remove_prefix(std::min(end + 1, lcov.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("SF:")) file = line.substr(3);
    if (!line.starts_with("DA:")) continue;
    line.remove_prefix(3);
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::uint32_t place = places_.number_of(file + ":" + std::string(line.substr(0, comma)));
    line.remove_prefix(std::min(comma + 1, line.size()));
    std::uint64_t count = 0;
    std::from_chars(line.data(), line.data() + line.size(), count);
    if (count > 0) reached.push_back(place);
  }
  std::sort(reached.begin(), reached.end());
  reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  return reached;
}

Result<std::vector<std::uint32_t>> TcpCoverage::take() {
  const std::lock_guard lock(mutex_);
  if (!ask())
    return tl::unexpected(
        lacks("no agent answers at " + shown_,
              "start the target with an agent that listens there, such as those of WuppieFuzz"));
  const auto lcov = answer();
  if (!lcov) return tl::unexpected(lcov.error());
  std::vector<std::uint32_t> reached = add(*lcov);
  if (places_.empty())
    return tl::unexpected(
        lacks("the agent at " + shown_ + " knows no line", "its LCOV text needs SF and DA records"));
  return reached;
}

std::string TcpCoverage::name(std::uint32_t place) const {
  const std::lock_guard lock(mutex_);
  return places_.name(place);
}

std::vector<std::uint32_t> TcpCoverage::known() const {
  const std::lock_guard lock(mutex_);
  return places_.all();
}

}  // namespace splitproof::coverage
