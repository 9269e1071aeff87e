#include "harness/campaign/upstream.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/dialect/request_recordings.hpp"
#include "harness/split/event_edit.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::campaign {
namespace {

std::vector<std::size_t> arrivals_of(const recording::Recording& recording) {
  std::vector<std::size_t> ends;
  for (const recording::Arrival& arrival : recording.arrivals) ends.push_back(arrival.end);
  return ends;
}

constexpr double kLongestReplay = 86'400;  // seconds; no file may ask for a wait that no clock can count

// Returns the pauses of gen=timed. The cuts are those of the recorded chunks. A fault may have shortened the body; then the
// end follows its last byte at once.
Result<std::vector<double>> recorded_pauses(const Case& one, const recording::Recording& recording,
                                            const Upstream& upstream, double speed) {
  const auto no_times = [&](const std::string& why, const std::string& remedy) {
    return tl::unexpected(
        Error{"recording " + recording.id + " cannot be sent with its times: " + why, {}, 0, remedy});
  };
  if (recording.ended_at <= 0) return no_times("it has none", "use gen=recorded");
  if (recording.ended_at / speed > kLongestReplay)
    return no_times("it would take more than a day", "use a greater speed, such as gen=timed:1000");
  if (!one.edit.empty()) return no_times("an edit makes other chunks", "remove edit");
  if (!one.recut.empty()) return no_times("a recut has other chunks", "remove recut");
  if (upstream.status) return no_times("the fault replaces its response", "remove the fault");
  std::vector<double> pauses;
  double last = 0;
  for (std::size_t i = 0; i <= upstream.cuts.size() && i < recording.arrivals.size(); ++i) {
    pauses.push_back((recording.arrivals[i].at - last) / speed);
    last = recording.arrivals[i].at;
  }
  if (pauses.empty()) pauses.push_back(0);  // an empty body is one empty chunk
  const bool is_shortened = upstream.body.size() < recording.body.size();
  pauses.push_back(is_shortened ? 0 : (recording.ended_at - last) / speed);
  return pauses;
}

// Returns the part of a recording's body that a case sends.
Result<Upstream> sent_in(const Case& one, const recording::Recording& recording) {
  Upstream upstream{recording.body, {}, recording.end};
  std::vector<std::size_t> arrivals = arrivals_of(recording);
  if (!one.edit.empty()) {
    Result<split::Recut> edited =
        split::edit_events(recording.body, one.edit, dialect::format_of(recording.protocol));
    if (!edited) return tl::unexpected(edited.error());
    upstream.body = std::move(edited->body);
    arrivals = std::move(edited->arrivals);
  }
  if (!one.recut.empty()) {
    const split::Rechunker* dealer = dialect::dealer_of(recording.protocol);
    if (dealer == nullptr) {
      return tl::unexpected(Error{"recording " + recording.id +
                                      " cannot be recut: splitproof cannot recut streams of " +
                                      recording.protocol,
                                  {},
                                  0,
                                  {}});
    }
    Result<split::Recut> recut = split::recut(*dealer, upstream.body, one.recut);
    if (!recut) return tl::unexpected(recut.error());
    upstream.body = std::move(recut->body);
    arrivals = std::move(recut->arrivals);
  }
  if (one.frames != observe::FrameStyle()) {
    if (dialect::socket_form_of(recording.protocol) == nullptr)
      return tl::unexpected(Error{"recording " + recording.id + " has no frames: " + recording.protocol +
                                      " is not spoken over WebSocket",
                                  {},
                                  0,
                                  "remove frames"});
    upstream.frames = one.frames;
  }
  if (one.fault) {
    const Result<void> applied = apply(*one.fault, recording.protocol, upstream);
    if (!applied) return tl::unexpected(applied.error());
  }
  if (upstream.status) arrivals.clear();  // the error's JSON was not recorded
  Result<split::Cuts> cuts =
      split::cuts_of(one.split, upstream.body, arrivals, dialect::format_of(recording.protocol));
  if (!cuts) return tl::unexpected(cuts.error());
  upstream.cuts = *std::move(cuts);
  upstream.withheld = one.withheld();
  if (const auto* timed = std::get_if<split::Timed>(&one.split)) {
    Result<std::vector<double>> pauses = recorded_pauses(one, recording, upstream, timed->speed);
    if (!pauses) return tl::unexpected(pauses.error());
    upstream.pauses = *std::move(pauses);
  }
  return upstream;
}

}  // namespace

split::Subject subject_of(const recording::Recording& recording) {
  return split::survey(recording.body, arrivals_of(recording), dialect::format_of(recording.protocol));
}

Upstream as_recorded(const recording::Recording& recording) {
  const BodyFormat format = dialect::format_of(recording.protocol);
  const auto cuts = split::cuts_of(split::AsRecorded{}, recording.body, arrivals_of(recording), format);
  return {recording.body, cuts.value(), recording.end};
}

int status_of(const Upstream& upstream, const recording::Recording& recording) {
  return upstream.status.value_or(recording.status);
}

observe::MessageEnd end_of(const Upstream& upstream) {
  return upstream.end == recording::End::complete ? observe::MessageEnd::complete : observe::MessageEnd::cut;
}

bool is_about_request(const recording::Recording& recording) {
  const auto& features = recording.features;
  return std::count(features.begin(), features.end(), dialect::kRequestFeature) > 0;
}

const recording::Recording* answered_in_one_word(const std::string& protocol) {
  const std::vector<recording::Recording>& all = dialect::answered_in_one_word();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const recording::Recording& one) { return one.protocol == protocol; });
  return found == all.end() ? nullptr : &*found;
}

Result<Upstream> upstream_of(const Case& one, const recording::Recording& recording) {
  if (one.turn == Turn::first || one.turn == Turn::whole || is_about_request(recording))
    return sent_in(one, recording);
  if (const recording::Recording* answered = answered_in_one_word(recording.protocol))
    return sent_in(one, *answered);
  return tl::unexpected(Error{"recording " + recording.id +
                                  " has no second turn: splitproof cannot read requests of " +
                                  recording.protocol,
                              {},
                              0,
                              {}});
}

testee::Exchange exchange_of(const Upstream& upstream, const recording::Recording& recording) {
  testee::Exchange exchange;
  exchange.chunks = split::chunks(upstream.body, upstream.cuts);
  exchange.end = upstream.end;
  exchange.recording = &recording;
  exchange.status = upstream.status;
  exchange.leave_at = upstream.leave_at;
  exchange.pauses = upstream.pauses;
  exchange.frames = upstream.frames;
  return exchange;
}

}  // namespace splitproof::campaign
