// `make bench`: the cost of `splitproof run` for each byte of a long answer, of 1 MB and of 10 MB. The promise is a
// factor of at most three. The reference translates the recorded chunks and one piece, and both are judged.
//
// usage: long_answers CONTRACTS

#include <fmt/format.h>
#include <time.h>

#include <iostream>
#include <string>

#include "harness/campaign/campaign.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/in_process.hpp"
#include "tests/bench/streams.hpp"

using namespace splitproof;

namespace {

constexpr std::size_t kMegabyte = 1 << 20;

template <class T>
T loaded(Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << describe(result.error()) << "\n";
  std::exit(2);
}

// Returns this process's processor time in seconds, which depends less on other load than the clock.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class Runner {
 public:
  explicit Runner(const char* contracts)
      : contracts_(loaded(contract::Contracts::load({contracts}))),
        profile_(loaded(contract::load_profile("default", {contracts}))),
        reference_("reference", loaded(testee::reference_streams(profile_))) {}

  double nanoseconds_a_byte(bench::Kind kind, std::size_t size) const {
    recording::Recording recording;
    recording.id = "long";
    recording.protocol = "openai.chat";
    recording.body = bench::stream_of(recording.protocol, kind, size);
    for (std::size_t end = recording.body.find("\n\n"); end != std::string::npos;
         end = recording.body.find("\n\n", end + 2))
      recording.arrivals.push_back({0, end + 2});
    campaign::CampaignSettings settings;
    settings.testees = {&reference_};
    settings.recordings = {&recording};
    settings.contracts = &contracts_;
    settings.profile = profile_;
    settings.trials.splits = {0, false, 1};
    settings.only = "long*gen=[rw][eh]*";  // recorded and whole
    const double begin = processor_seconds();
    const campaign::Results results = campaign::run(
        settings, [](const campaign::CampaignProgress&) {}, [] { return false; });
    const double seconds = processor_seconds() - begin;
    if (results.recordings.size() != 1 || results.recordings[0].cases != 2) {
      std::cerr << "two cases are to be run\n";
      std::exit(2);
    }
    return seconds * 1e9 / static_cast<double>(recording.body.size());
  }

 private:
  contract::Contracts contracts_;
  contract::Profile profile_;
  testee::InProcess reference_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: long_answers CONTRACTS\n";
    return 2;
  }
  const Runner runner(argv[1]);
  fmt::print("\n{:<41} {:>14} {:>14} {:>8}\n", "two cases of a long answer, mostly", "ns/byte, 1 MB",
             "ns/byte, 10 MB", "times");
  for (const bench::Kind kind : bench::kKinds) {
    const double one = runner.nanoseconds_a_byte(kind, kMegabyte);
    const double ten = runner.nanoseconds_a_byte(kind, 10 * kMegabyte);
    fmt::print("{:<41} {:>14.1f} {:>14.1f} {:>8.2f}\n", bench::name(kind), one, ten, ten / one);
  }
}
