#include "harness/prove/prove.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "harness/prove/prove_recording.hpp"
#include "harness/testee/copyable.hpp"

namespace splitproof::prove {
namespace {

constexpr std::size_t kUsualCuts = 2;

// Recordings are proved in parallel, and the testees of one recording one after the other.
class Proofs {
 public:
  Proofs(const std::vector<const testee::Testee*>& testees,
         const std::vector<const recording::Recording*>& recordings, const ProofSettings& settings,
         const std::function<void()>& on_proof)
      : testees_(testees), recordings_(recordings), settings_(settings), on_proof_(on_proof) {
    for (std::size_t i = 0; i < recordings.size(); ++i) order_.push_back(i);
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return recordings[a]->body.size() < recordings[b]->body.size();
    });
  }

  std::vector<Proven> run() {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < settings_.jobs; ++i) others.emplace_back([this] { work(); });
    work();
    others.clear();
    std::sort(proven_.begin(), proven_.end(), [](const Proven& a, const Proven& b) {
      return std::tie(a.testee, a.recording) < std::tie(b.testee, b.recording);
    });
    return std::move(proven_);
  }

 private:
  void work() {
    while (!is_refuted_) {
      const std::size_t next = next_++;
      if (next >= order_.size()) return;
      prove_with_all(order_[next]);
    }
  }

  void prove_with_all(std::size_t index) {
    const recording::Recording& recording = *recordings_[index];
    TriedFramers tried;
    for (std::size_t i = 0; i < testees_.size(); ++i) {
      if (!testees_[i]->traits().takes(recording.protocol)) continue;
      Proof proof = prove_recording(*testees_[i], recording, settings_, tried);
      if (proof.kind == Proof::Kind::refuted) is_refuted_ = true;
      const std::lock_guard lock(mutex_);
      proven_.push_back({i, index, std::move(proof)});
      on_proof_();
    }
  }

  const std::vector<const testee::Testee*>& testees_;
  const std::vector<const recording::Recording*>& recordings_;
  const ProofSettings& settings_;
  const std::function<void()>& on_proof_;
  std::vector<std::size_t> order_;  // indices of recordings, the shortest first
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> is_refuted_ = false;
  std::mutex mutex_;
  std::vector<Proven> proven_;
};

}  // namespace

std::size_t cuts_to_try(const testee::Testee& testee, const ProofSettings& settings) {
  if (settings.cuts > 0) return settings.cuts;
  const testee::Copyable* copyable = testee.copyable();
  return copyable != nullptr && copyable->compares() ? 0 : kUsualCuts;
}

std::vector<Proven> prove(const std::vector<const testee::Testee*>& testees,
                          const std::vector<const recording::Recording*>& recordings,
                          const ProofSettings& settings, const std::function<void()>& on_proof) {
  return Proofs(testees, recordings, settings, on_proof).run();
}

}  // namespace splitproof::prove
