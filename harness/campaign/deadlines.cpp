#include "harness/campaign/deadlines.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/aws_document.hpp"
#include "harness/observe/framing.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::campaign {
namespace {

bool same_amount(const observe::Due& a, const observe::Due& b) { return covers(a, b) && covers(b, a); }

// Reads a downstream body while it grows. A shorter body belongs to another try and is read from its
// beginning.
class DeadlineListener {
 public:
  DeadlineListener(const dialect::Client& client, const observe::Choices& choices)
      : client_(client), choices_(choices), meter_(client.meter(choices)) {}

  bool has_heard(std::string_view downstream, const observe::Due& due) {
    if (downstream.size() < fed_) begin();
    // A shorter body has no whole event.
    if (fed_ == 0 && downstream.size() < kAwsPrelude) return covers(meter_->told(), due);
    if (fed_ == 0) frames_ = observe::FrameReader(framing_of_answer(downstream));
    frames_.feed(downstream.substr(fed_));
    fed_ = downstream.size();
    for (; taken_ < frames_.events().size(); ++taken_) meter_->take(frames_.events()[taken_]);
    return covers(meter_->told(), due);
  }

 private:
  void begin() {
    meter_ = client_.meter(choices_);
    fed_ = 0;
    taken_ = 0;
  }

  const dialect::Client& client_;
  const observe::Choices choices_;
  std::unique_ptr<dialect::ProgressMeter> meter_;
  observe::FrameReader frames_{Framing::sse};
  std::size_t fed_ = 0;
  std::size_t taken_ = 0;  // events
};

}  // namespace

std::vector<Milestone> milestones_heard(std::string_view upstream, const dialect::Client& client,
                                        const observe::Choices& choices) {
  const std::unique_ptr<dialect::ProgressMeter> meter = client.meter(choices);
  std::vector<Milestone> milestones;
  observe::for_each_frame(upstream, framing_of_answer(upstream), [&](const observe::SseEvent& event) {
    meter->take(event);
    const bool last = event.end == upstream.size();
    if (event.terminated) milestones.push_back({event.end, meter->told(), last && meter->over()});
    return true;
  });
  return milestones;
}

bool covers(const observe::Due& told, const observe::Due& due) {
  return told.prose >= due.prose && told.arguments >= due.arguments && told.calls >= due.calls;
}

Deadlines::Deadlines(const std::vector<Milestone>& milestones, std::string_view body,
                     const dialect::Client& client, const observe::Choices& choices) {
  const std::unique_ptr<dialect::ProgressMeter> meter = client.meter(choices);
  auto next = milestones.begin();
  const auto meet = [&](std::size_t downstream) {
    for (; next != milestones.end() && covers(meter->told(), next->due); ++next)
      deadlines_.push_back({next->upstream, next->over ? body.size() : downstream});
    return next != milestones.end();
  };
  if (!meet(0)) return;
  observe::for_each_frame(body, framing_of_answer(body), [&](const observe::SseEvent& event) {
    meter->take(event);
    return meet(event.end);
  });
}

bool Deadlines::any() const {
  return std::any_of(deadlines_.begin(), deadlines_.end(),
                     [](const DueOffsets& deadline) { return deadline.downstream > 0; });
}

std::optional<Late> Deadlines::first_late(const split::Cuts& cuts, std::size_t size,
                                          const std::vector<std::size_t>& said) const {
  std::size_t passed = 0;  // deadlines
  for (std::size_t chunk = 0; chunk < said.size(); ++chunk) {
    const std::size_t fed = chunk < cuts.size() ? cuts[chunk] : size;
    while (passed < deadlines_.size() && deadlines_[passed].upstream <= fed) ++passed;
    if (passed == 0) continue;
    const std::size_t due = deadlines_[passed - 1].downstream;
    if (said[chunk] < due) return Late{fed, said[chunk], due};
  }
  return std::nullopt;
}

std::optional<Late> Deadlines::first_unmet(const std::vector<testee::Release>& releases) const {
  for (const testee::Release& release : releases) {
    if (release.met) continue;
    const auto deadline = std::find_if(deadlines_.begin(), deadlines_.end(), [&](const DueOffsets& each) {
      return each.upstream == release.offset;
    });
    if (deadline != deadlines_.end() && release.downstream < deadline->downstream)
      return Late{release.offset, release.downstream, deadline->downstream};
  }
  return std::nullopt;
}

std::vector<testee::Hold> holds_of(const std::vector<Milestone>& milestones, const dialect::Client& client,
                                   const observe::Choices& choices) {
  std::vector<const Milestone*> growing;
  observe::Due before;
  for (const Milestone& milestone : milestones) {
    if (!same_amount(before, milestone.due)) growing.push_back(&milestone);
    before = milestone.due;
  }
  const auto listener = std::make_shared<DeadlineListener>(client, choices);
  const std::size_t count = std::min(growing.size(), kMostHolds);
  std::vector<testee::Hold> holds;
  for (std::size_t i = 0; i < count; ++i) {
    const Milestone& milestone = *growing[i * growing.size() / count];
    holds.push_back({milestone.upstream, [listener, due = milestone.due](std::string_view downstream) {
                       return listener->has_heard(downstream, due);
                     }});
  }
  return holds;
}

}  // namespace splitproof::campaign
