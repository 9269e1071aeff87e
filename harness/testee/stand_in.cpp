#include "harness/testee/stand_in.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "harness/testee/boundaries.hpp"

namespace splitproof::testee {
namespace {

constexpr auto kBetweenSweeps = std::chrono::seconds(1);       // interval for joining finished threads
constexpr auto kAfterRefusal = std::chrono::milliseconds(10);  // no descriptor or no thread is left

ResponseScript nothing_prepared() {
  return json_response(
      501, R"({"error":{"type":"not_found_error","message":"no answer lies ready for this request"}})");
}

}  // namespace

Result<std::unique_ptr<StandIn>> StandIn::start(StandInSettings settings) {
  Result<Descriptor> listener = listen_on(settings.host, settings.port, *settings.network);
  if (!listener) return tl::unexpected(listener.error());
  const Result<void> proven = prove_boundaries();
  return std::unique_ptr<StandIn>(
      new StandIn(std::move(settings), *std::move(listener), proven ? "" : proven.error().what));
}

StandIn::StandIn(StandInSettings settings, Descriptor listener, std::string unproven)
    : settings_(std::move(settings)), unproven_(std::move(unproven)), listener_(std::move(listener)) {
  base_url_ = "http://" + local_address(listener_.get());
  service_.limits = settings_.limits;
  service_.timeouts = settings_.timeouts;
  service_.network = settings_.network;
  service_.socket = settings_.socket;
  service_.exact = unproven_.empty();
  service_.otherwise = settings_.otherwise ? *settings_.otherwise : nothing_prepared();
  service_.answers = &answers_;
  service_.idle = &idle_;
  service_.bodies = &bodies_;
  service_.record = [this](PreparedAnswer* answer, Served served) { record(answer, std::move(served)); };
  accepting_ = std::thread([this] { accept_all(); });
}

StandIn::~StandIn() {
  stop_.request_stop();
  accepting_.join();
  std::list<Serving> rest;
  {
    const std::lock_guard lock(mutex_);
    rest.splice(rest.end(), serving_);
  }
  for (Serving& serving : rest) serving.thread.join();
}

std::vector<Served> StandIn::strays() const {
  const std::lock_guard lock(mutex_);
  return strays_;
}

void StandIn::accept_all() {
  std::size_t number = 0;
  while (true) {
    Io io = Io::done;
    Descriptor socket = accept_from(listener_.get(), stop_, within(kBetweenSweeps), io);
    join_finished();
    if (io == Io::stopped) return;
    if (io == Io::late) continue;
    if (io == Io::gone) {
      sleep_until(stop_, within(kAfterRefusal));
      continue;
    }
    const std::lock_guard lock(mutex_);
    const auto over = [](const Serving& serving) { return serving.over; };
    const auto ended = static_cast<std::size_t>(std::count_if(serving_.begin(), serving_.end(), over));
    if (serving_.size() - ended >= kMostConnections && !idle_.end_longest()) continue;
    Serving& serving = serving_.emplace_back();
    try {
      serving.thread = std::thread([this, &serving, number = ++number, socket = std::move(socket)]() mutable {
        Connection(std::move(socket), number, service_, stop_).serve();
        const std::lock_guard over(mutex_);
        serving.over = true;
      });
    } catch (const std::system_error&) {
      serving_.pop_back();  // no thread is left for it: the client sees the connection close
    }
  }
}

void StandIn::join_finished() {
  std::list<Serving> finished;
  {
    const std::lock_guard lock(mutex_);
    for (auto serving = serving_.begin(); serving != serving_.end();) {
      const auto here = serving++;
      if (here->over) finished.splice(finished.end(), serving_, here);
    }
  }
  for (Serving& serving : finished) serving.thread.join();
}

void StandIn::record(PreparedAnswer* answer, Served served) {
  if (settings_.on_served) {
    const std::lock_guard one_at_a_time(telling_);
    settings_.on_served(served);
  }
  if (answer != nullptr) return answer->record(std::move(served));
  const std::lock_guard lock(mutex_);
  if (strays_.size() == kMostStrays) strays_.erase(strays_.begin());
  served.request.body.resize(std::min(served.request.body.size(), kMostOfStray));
  served.request.body.shrink_to_fit();
  strays_.push_back(std::move(served));
}

}  // namespace splitproof::testee
