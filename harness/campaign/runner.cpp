#include "harness/campaign/runner.hpp"

#include <utility>

namespace splitproof::campaign {
namespace {

// Groups cases that hang for the same reason: by kind of fault, or by split and recut.
std::string kind_of(const Case& one) {
  if (one.fault) return label(*one.fault).substr(0, label(*one.fault).find_first_of("@:"));
  if (one.turn != Turn::first) return "turn";
  if (!one.edit.empty()) return "edit";
  return one.recut.empty() ? "split" : "recut";
}

}  // namespace

testee::Observation Runner::as_arrived(const Case& one, const Upstream& upstream) {
  testee::Exchange exchange = exchange_of(upstream, recording_);
  exchange.name = to_string(one);
  const std::size_t answered = answered_;
  testee::Observation seen = observe(exchange);
  if (answered_ > answered) hangs_.note_answer();
  return seen;
}

bool Runner::leaves_out(const Case& one) { return hangs_.leaves_out(kind_of(one)); }

testee::Observation Runner::run(const Case& one, testee::Exchange exchange) {
  exchange.name = to_string(one);
  const std::size_t hung = hung_;
  const std::size_t answered = answered_;
  testee::Observation seen = observe(exchange);
  if (hung_ + answered_ > hung + answered) hangs_.note(kind_of(one), hung_ > hung);
  return seen;
}

testee::Observation Runner::observe(const testee::Exchange& exchange) {
  if (asks_.http) return asks_;  // it refuses the request, regardless of the upstream's answer
  testee::Observation seen = testee_->observe(exchange);
  if (!asks_.request.empty()) {
    seen.request = asks_.request;
    seen.calls = asks_.calls;
  }
  if (seen.ending == testee::Ending::unavailable) lost_ = seen.detail;
  // If the upstream itself falls silent, the testee's silence proves nothing.
  const bool falls_silent =
      testee_->traits().reads_socket() && exchange.end == recording::End::stall && !exchange.status;
  const bool skips_hangs = testee_->traits().reads_socket() && seen.ending == testee::Ending::skipped;
  if (!falls_silent) ++(seen.ending == testee::Ending::hung || skips_hangs ? hung_ : answered_);
  return seen;
}

}  // namespace splitproof::campaign
