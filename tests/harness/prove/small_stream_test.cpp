// Compares proofs of small random streams with all 2^(n-1) splits of their bodies.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <iostream>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include "harness/prove/prove.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof::prove::small_stream_test {
namespace {

constexpr std::size_t kStates = 3;
constexpr std::size_t kLetters = 2;

struct Step {
  unsigned char next = 0;
  char out = 0;  // 0: none
};

// A random automaton. The first byte of a chunk may have a step of its own: then the output may depend on the split.
struct Automaton {
  std::array<std::array<Step, kLetters>, kStates> inside;
  std::array<std::array<Step, kLetters>, kStates> at_begin;
  std::array<char, kStates> last;  // output at the end
};

class SmallStream final : public testee::TranslatorStream, public testee::CopyableStream {
 public:
  explicit SmallStream(const Automaton& automaton) : automaton_(automaton) {}

  void feed(std::string_view chunk, std::string& out) override {
    bool begins = true;
    for (const char letter : chunk) {
      const auto& steps = begins ? automaton_.at_begin : automaton_.inside;
      const Step& step = steps[state_][letter == 'a' ? 0 : 1];
      if (step.out != 0) out += step.out;
      state_ = step.next;
      begins = false;
    }
  }
  void finish(recording::End, std::string& out) override { out += automaton_.last[state_]; }
  std::unique_ptr<testee::CopyableStream> copy() const override {
    return std::make_unique<SmallStream>(*this);
  }
  void become(const testee::CopyableStream& other) override {
    state_ = static_cast<const SmallStream&>(other).state_;
  }
  bool equals(const testee::CopyableStream& other) const override {
    return state_ == static_cast<const SmallStream&>(other).state_;
  }

 private:
  const Automaton& automaton_;
  std::size_t state_ = 0;
};

Automaton random_automaton(std::mt19937_64& random) {
  const auto step = [&] {
    return Step{static_cast<unsigned char>(random() % kStates), "\0xy"[random() % 3]};
  };
  Automaton automaton{};
  for (std::size_t state = 0; state < kStates; ++state) {
    automaton.last[state] = "pq"[random() % 2];
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
      automaton.inside[state][letter] = step();
      automaton.at_begin[state][letter] = random() % 16 == 0 ? step() : automaton.inside[state][letter];
    }
  }
  return automaton;
}

recording::Recording random_recording(std::mt19937_64& random) {
  recording::Recording recording;
  recording.id = "small";
  recording.protocol = testee::reference_upstreams().front();
  const std::size_t size = random() % 10;
  while (recording.body.size() < size) recording.body += "ab"[random() % 2];
  return recording;
}

std::string output_of(const testee::Testee& testee, const recording::Recording& recording,
                      const split::Cuts& cuts) {
  testee::Exchange exchange;
  exchange.chunks = split::chunks(recording.body, cuts);
  exchange.recording = &recording;
  return testee.observe(exchange).body;
}

// Returns the different outputs of all splits with at most `most` cuts.
std::set<std::string> outputs(const testee::Testee& testee, const recording::Recording& recording,
                              std::size_t most) {
  std::set<std::string> outputs;
  const std::size_t places = recording.body.empty() ? 0 : recording.body.size() - 1;
  for (std::size_t bits = 0; bits < std::size_t{1} << places; ++bits) {
    split::Cuts cuts;
    for (std::size_t place = 0; place < places; ++place)
      if ((bits >> place & 1U) != 0) cuts.push_back(place + 1);
    if (cuts.size() <= most) outputs.insert(output_of(testee, recording, cuts));
  }
  return outputs;
}

class SmallStreams : public testing::TestWithParam<std::size_t> {};

TEST_P(SmallStreams, AreProvedIfAllSplitsGiveOneOutput) {
  constexpr std::uint64_t kSeed = 20261130;
  constexpr std::size_t kStreams = 4000;
  ProofSettings settings;
  settings.cuts = GetParam();
  const std::size_t most = settings.cuts == 0 ? ~std::size_t{0} : settings.cuts;
  std::mt19937_64 random(kSeed);
  std::array<std::size_t, 5> counts{};
  std::size_t differ = 0;
  for (std::size_t i = 0; i < kStreams; ++i) {
    const Automaton automaton = random_automaton(random);
    const recording::Recording recording = random_recording(random);
    const testee::InProcess testee("small", [&] { return std::make_unique<SmallStream>(automaton); });
    const Proof proof = std::move(prove({&testee}, {&recording}, settings).front().proof);
    ++counts[static_cast<std::size_t>(proof.kind)];
    const std::set<std::string> all = outputs(testee, recording, most);
    differ += all.size() > 1 ? 1 : 0;
    SCOPED_TRACE("stream " + std::to_string(i) + ": " + recording.body);
    ASSERT_TRUE(proof.kind != Proof::Kind::proved || all.size() == 1);
    if (proof.kind != Proof::Kind::refuted) continue;
    ASSERT_GT(all.size(), 1U);
    ASSERT_TRUE(proof.witness);
    const std::string without = output_of(testee, recording, proof.witness->common);
    const std::string with = output_of(testee, recording, proof.witness->cuts());
    ASSERT_EQ(proof.witness->without.body, without);
    ASSERT_EQ(proof.witness->with.body, with);
    ASSERT_NE(without, with);
  }
  const auto count = [&](Proof::Kind kind) { return counts[static_cast<std::size_t>(kind)]; };
  std::cout << "proved " << count(Proof::Kind::proved) << ", refuted " << count(Proof::Kind::refuted)
            << ", not proved " << count(Proof::Kind::not_proved) << ", different " << differ << "\n";
  EXPECT_GT(count(Proof::Kind::proved), kStreams / 4);
  EXPECT_GT(differ, kStreams / 10);
  EXPECT_EQ(count(Proof::Kind::refuted), differ);
}

INSTANTIATE_TEST_SUITE_P(Cuts, SmallStreams, testing::Values(0U, 1U, 2U, 3U));

}  // namespace
}  // namespace splitproof::prove::small_stream_test
