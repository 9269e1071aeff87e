#include "harness/prove/prove_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <set>
#include <utility>

#include "harness/fnv1a.hpp"
#include "harness/prove/doubts.hpp"
#include "harness/prove/few_cuts.hpp"
#include "harness/prove/walk.hpp"

namespace splitproof::prove {
namespace {

using testee::Copyable;
using testee::CopyableStream;

constexpr const char* kRandom = "it gives different output for equal chunks";

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// The proof for one recording with one testee.
class RecordingProof {
 public:
  RecordingProof(const testee::Testee& testee, const recording::Recording& recording,
                 const ProofSettings& settings, TriedFramers& tried)
      : testee_(testee),
        copyable_(testee.copyable()),
        recording_(recording),
        body_(recording.body),
        settings_(settings),
        tried_(tried),
        random_(settings.seed ^ fnv1a(recording.id)) {}

  Proof run() {
    const double began = processor_seconds();
    if (const std::size_t most = cuts_to_try(testee_, settings_); most > 0)
      prove_few_cuts(most);
    else
      prove_all_splits();
    proof_.seconds = processor_seconds() - began;
    return std::move(proof_);
  }

 private:
  Outcome outcome(const split::Cuts& cuts) const {
    testee::Exchange exchange;
    exchange.chunks = split::chunks(body_, cuts);
    exchange.end = recording_.end;
    exchange.recording = &recording_;
    testee::Observation seen = testee_.observe(exchange);
    return {std::move(seen.body), seen.ending, std::move(seen.detail)};
  }

  split::Cuts every_cut() const { return body_.size() < 2 ? split::Cuts() : all_places(1, body_.size() - 1); }

  void end(Proof::Kind kind, std::string reason = {}) {
    proof_.kind = kind;
    proof_.reason = std::move(reason);
  }

  RunSplit runs() const {
    return [this](const split::Cuts& cuts) { return outcome(cuts); };
  }

  // Two splits with different output refute the claim. A single cut is the best one to show.
  bool is_refuted_by(std::optional<Witness> witness) {
    if (!witness) return false;
    if (!witness->common.empty())
      if (auto simple = single_cut_witness(runs(), body_.size())) witness = std::move(simple);
    proof_.witness = std::move(witness);
    end(Proof::Kind::refuted);
    return true;
  }

  // Ends the proof if it is not refuted.
  void end_unless(std::optional<Witness> witness, std::string reason) {
    if (!is_refuted_by(std::move(witness))) end(Proof::Kind::not_proved, std::move(reason));
  }

  std::unique_ptr<CopyableStream> opened() {
    auto stream = copyable_->open(recording_);
    if (stream) return std::move(*stream);
    end(Proof::Kind::left_out, stream.error().what);
    return nullptr;
  }

  void prove_few_cuts(std::size_t most) {
    std::optional<split::Cuts> found;
    if (copyable_ != nullptr && copyable_->copies()) {
      const std::unique_ptr<CopyableStream> stream = opened();
      if (stream == nullptr) return;
      found = first_different_cuts(*stream, body_, recording_.end, most, proof_.feeds);
      // Copies in one program fail together.
      if (const std::string failure = stream->failure(); !found && !failure.empty())
        return end(Proof::Kind::not_proved, "it fails: " + failure);
    } else {
      const Outcome whole = outcome({});
      if (whole.ending == testee::Ending::skipped) return end(Proof::Kind::left_out, whole.detail);
      if (whole != outcome({})) return end(Proof::Kind::not_proved, kRandom);
      found = first_different_cuts(runs(), body_.size(), most, proof_.feeds);
    }
    if (found)
      end_unless(witness_between(runs(), {}, *found), "its copies give another output than new exchanges");
  }

  void prove_all_splits() {
    const std::unique_ptr<CopyableStream> stream = opened();
    if (stream == nullptr) return;
    const std::unique_ptr<CopyableStream> walked = stream->copy();
    const ByteWalk whole = walk_bytes(*walked, body_, recording_.end, {0, body_.size()});
    if (!is_sound(whole)) return;
    for (const Chunk part : parts())
      if (!holds(*stream, part)) return;
    if (!holds_at_random_splits()) return;
    if (body_.size() > kMostProved) end(Proof::Kind::sampled);
  }

  // Checks that the exchange byte by byte does not depend on copies.
  bool is_sound(const ByteWalk& whole) {
    if (!whole.failure.empty()) {
      end_unless(find_witness(runs(), body_.size(), {0, body_.size()}), "it fails: " + whole.failure);
      return false;
    }
    const Outcome bytes = outcome(every_cut());
    if (bytes != outcome(every_cut())) {
      end(Proof::Kind::not_proved, kRandom);
      return false;
    }
    if (bytes.body != whole.out) {
      end(Proof::Kind::not_proved, "an exchange with copies gives another output than one without copies");
      return false;
    }
    const auto open = [this]() -> std::unique_ptr<CopyableStream> {
      auto stream = copyable_->open(recording_);
      return stream ? std::move(*stream) : nullptr;
    };
    if (const std::string doubt = doubt_copies(open, whole, recording_.end); !doubt.empty()) {
      end(Proof::Kind::not_proved, doubt);
      return false;
    }
    return true;
  }

  // The whole body, or windows of it.
  std::vector<Chunk> parts() {
    if (body_.size() <= kMostProved) return {{0, body_.size()}};
    return windows(kWindows, settings_.window);
  }

  std::vector<Chunk> windows(std::size_t count, std::size_t size) {
    std::vector<Chunk> windows;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = random_() % (body_.size() - size + 1);
      windows.push_back({begin, begin + size});
    }
    return windows;
  }

  // Checks all chunks of a part of the body, and samples the assumptions there.
  bool holds(const CopyableStream& stream, Chunk part) {
    const auto stop = [](const ChunkDifference&) { return false; };
    const bool composed =
        settings_.composed && is_composed(stream) &&
        find_composed_differences(stream, body_, recording_.end, part, tried_, proof_.feeds, stop);
    // A part may differ while the whole stream does not: then all chunks decide.
    if (!composed || body_.size() <= kShort) return holds_by_chunks(stream, part);
    constexpr std::size_t kChecks = 2;
    constexpr std::size_t kChecked = 96;
    for (const Chunk window : windows(kChecks, kChecked))
      if (!holds_by_chunks(stream, window)) return false;
    return true;
  }

  bool holds_by_chunks(const CopyableStream& stream, Chunk part) {
    const ByteWalk states =
        walk_bytes(*stream.copy(), body_, recording_.end, all_places(part.begin, part.end));
    if (!states.failure.empty()) {
      end(Proof::Kind::not_proved, states.failure);
      return false;
    }
    if (!ends_without_difference([&](const OnDifference& on_difference) {
          return find_differences(states, proof_.feeds, on_difference);
        }))
      return false;
    if (const std::string failure = states.states.front()->failure(); !failure.empty()) {
      end(Proof::Kind::not_proved, failure);
      return false;
    }
    if (const std::string doubt = doubt_punctuality(states); !doubt.empty()) {
      end(Proof::Kind::not_proved, doubt);
      return false;
    }
    if (const auto found = doubt_equality(states, recording_.end, random_)) {
      end_unless(find_witness(runs(), body_.size(), found->chunk), found->reason);
      return false;
    }
    return true;
  }

  // Searches all differences, until one leads to two splits with different output. A target may remember its chunks and
  // still give the same output, so other differences only end the proof.
  template <class Search>
  bool ends_without_difference(Search search) {
    constexpr std::size_t kTriesOfState = 16;
    constexpr std::size_t kTriesOfOutput = 64;
    std::size_t tries_of_state = 0;
    std::size_t tries_of_output = 0;
    std::optional<ChunkDifference> first;
    const bool ended = !search([&](const ChunkDifference& difference) {
      if (!first) first = difference;
      const std::size_t tries = difference.in_output ? tries_of_output++ : tries_of_state++;
      if (tries >= (difference.in_output ? kTriesOfOutput : kTriesOfState)) return true;
      return !is_refuted_by(find_witness(runs(), body_.size(), difference.chunk));
    });
    if (ended) return false;
    if (first) end_unless(single_cut_witness(runs(), body_.size()), text_of(*first));
    return !first;
  }

  static std::string text_of(const ChunkDifference& difference) {
    return fmt::format(
        "a chunk from byte {} to byte {} gives another {} than single bytes, but no two splits with different "
        "output were found",
        difference.chunk.begin, difference.chunk.end, difference.in_output ? "output at its end" : "state");
  }

  // A last check, without copies and without the target's own comparison.
  bool holds_at_random_splits() {
    constexpr std::size_t kSplits = 8;
    const Outcome expected = outcome(every_cut());
    for (std::size_t i = 0; i < kSplits && body_.size() > 1; ++i) {
      std::set<std::size_t> cuts;
      const std::size_t count = random_() % std::min<std::size_t>(body_.size(), 16);
      while (cuts.size() < count) cuts.insert(1 + random_() % (body_.size() - 1));
      const split::Cuts split(cuts.begin(), cuts.end());
      if (outcome(split) == expected) continue;
      end_unless(witness_between(runs(), split, every_cut()), kRandom);
      return false;
    }
    return true;
  }

  const testee::Testee& testee_;
  const Copyable* const copyable_;
  const recording::Recording& recording_;
  const std::string_view body_;
  const ProofSettings& settings_;
  TriedFramers& tried_;
  std::mt19937_64 random_;
  Proof proof_;
};

}  // namespace

Proof prove_recording(const testee::Testee& testee, const recording::Recording& recording,
                      const ProofSettings& settings, TriedFramers& tried) {
  return RecordingProof(testee, recording, settings, tried).run();
}

}  // namespace splitproof::prove
