#include "harness/testee/connection_trial.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <memory>

#include "harness/testee/descendants.hpp"
#include "harness/testee/stand_in.hpp"

namespace splitproof::testee {
namespace {

constexpr auto kGlance = std::chrono::milliseconds(5);            // between two checks of a round's clients
constexpr auto kBetweenMeasures = std::chrono::milliseconds(50);  // between two checks of the memory
constexpr auto kLateRelease = std::chrono::milliseconds(150);     // time for the next round's requests
constexpr auto kActEnds = std::chrono::seconds(4);                // for an act to end after its client
constexpr int kSuccess = 200;
constexpr int kNoSuccess = 300;

// One active client.
struct UnderWay {
  const TrialClient* client;
  std::shared_ptr<PreparedAnswer> answer;
  StopToken leave;
  std::future<TrialReply> reply = {};
  bool released = false;
};

class Trial {
 public:
  Trial(const ConnectionTrial& trial, const TrialGround& ground) : trial_(trial), ground_(ground) {}

  TrialEvidence make() {
    if (trial_.measures_memory) seen_.memory_before = seen_.memory_most = memory_of_descendants();
    for (std::size_t i = 0; i < trial_.rounds.size() && !is_stopped(); ++i) make_round(trial_.rounds[i]);
    for (std::size_t again = 0; again < trial_.retries && !is_stopped(); ++again) {
      const std::vector<TrialReply>& last = seen_.rounds.back();
      if (std::all_of(last.begin(), last.end(), is_served)) break;
      sleep_until(ground_.stop, within(trial_.settle));
      make_round(trial_.rounds.back());
    }
    release_late();
    for (const Kept& kept : kept_) end(kept);
    if (is_stopped()) seen_.lost = "stopped";
    return std::move(seen_);
  }

 private:
  void make_round(const std::vector<TrialClient>& clients) {
    const Deadline began = within({});
    std::vector<std::unique_ptr<UnderWay>> all;
    for (const TrialClient& client : clients) all.push_back(begin(client));
    bool over = false;
    while (!over && !is_stopped()) {
      over = true;
      for (const auto& one : all) {
        const bool ended = one->reply.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        over &= ended;
        const bool due = ended || std::chrono::steady_clock::now() >= began + one->client->release_after;
        if (due && !one->client->late) release(*one);
      }
      if (std::chrono::steady_clock::now() >= began + kLateRelease || over) release_late();
      measure();
      sleep_until(ground_.stop, within(kGlance));
    }
    release_late();
    auto& replies = seen_.rounds.emplace_back();
    replies.reserve(all.size());
    for (const auto& one : all) replies.push_back(one->reply.get());
    for (std::size_t i = 0; i < all.size(); ++i) settle(std::move(*all[i]), seen_.rounds.size() - 1, i);
    if (seen_.rounds.size() == 1) sleep_until(ground_.stop, within(trial_.settle));
  }

  std::unique_ptr<UnderWay> begin(const TrialClient& client) {
    const std::string token = ground_.new_token();
    // "/" is in every request's target.
    auto one = std::make_unique<UnderWay>(
        UnderWay{&client,
                 ground_.upstream.prepare_act(ground_.passes_token ? token : "/",
                                              json_response(404, R"({"error":{"message":"not here"}})"),
                                              client.upstream),
                 StopToken::below(ground_.stop)});
    one->reply = std::async(std::launch::async, [this, token, one = one.get()] {
      return ground_.ask(token, one->leave, [one](std::string_view body) {
        const std::string& leaves_at = one->client->leaves_at;
        if (!leaves_at.empty() && body.find(leaves_at) != body.npos) one->leave.request_stop();
      });
    });
    return one;
  }

  static void release(UnderWay& one) {
    if (one.released) return;
    one.released = true;
    one.answer->release();
  }

  void release_late() {
    for (const auto& answer : late_) answer->release();
    late_.clear();
  }

  // The act may continue after its client has ended. An answer without a token would take the next client's
  // request.
  void settle(UnderWay one, std::size_t round, std::size_t place) {
    if (!ground_.passes_token) ground_.upstream.withdraw(one.answer);
    if (one.client->late) {
      late_.push_back(one.answer);
    } else {
      release(one);
      const Deadline deadline = within(kActEnds);
      while (!one.answer->wait_until_idle(kBetweenMeasures) && std::chrono::steady_clock::now() < deadline)
        measure();
    }
    kept_.push_back({one.answer, round, place});
  }

  struct Kept {
    std::shared_ptr<PreparedAnswer> answer;
    std::size_t round;
    std::size_t place;
  };

  // Not earlier, because a target may retry after its client has ended.
  void end(const Kept& kept) {
    ground_.upstream.withdraw(kept.answer);
    kept.answer->give_up();
    kept.answer->wait_until_idle(kActEnds);
    TrialReply& reply = seen_.rounds[kept.round][kept.place];
    for (const Served& served : kept.answer->served())
      if (served.request.method == "POST")
        reply.calls.push_back({served.connection, served.turn, served.written});
  }

  void measure() {
    if (!seen_.memory_before || std::chrono::steady_clock::now() < next_measure_) return;
    next_measure_ = within(kBetweenMeasures);
    if (const auto now = memory_of_descendants()) seen_.memory_most = std::max(*seen_.memory_most, *now);
  }

  bool is_stopped() const { return sleep_until(ground_.stop, within({})) == Io::stopped; }

  const ConnectionTrial& trial_;
  const TrialGround& ground_;
  TrialEvidence seen_;
  std::vector<std::shared_ptr<PreparedAnswer>> late_;
  std::vector<Kept> kept_;
  Deadline next_measure_;
};

}  // namespace

bool is_served(const TrialReply& reply) {
  return reply.ending == Ending::complete && reply.status >= kSuccess && reply.status < kNoSuccess;
}

std::optional<std::size_t> memory_of_descendants() {
  const long page = sysconf(_SC_PAGESIZE);
  std::size_t pages = 0;
  bool any = false;
  for (const pid_t process : descendants_of(getpid())) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    if (!(file >> size >> resident)) continue;  // it has ended
    any = true;
    pages += resident;
  }
  if (!any || page <= 0) return std::nullopt;
  return pages * static_cast<std::size_t>(page);
}

TrialEvidence make_trial(const ConnectionTrial& trial, const TrialGround& ground) {
  return Trial(trial, ground).make();
}

}  // namespace splitproof::testee
