#include "harness/evidence/reader_trace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "harness/evidence/shown_text.hpp"

namespace splitproof::evidence {
namespace {

using nlohmann::json;
using observe::DemandedEvent;
using observe::ReadEvent;

constexpr std::size_t kMostCompared = std::size_t{1} << 20;  // pairs of events

// An event of the stream and its report.
struct EventPair {
  const DemandedEvent* demanded = nullptr;
  const ReadEvent* read = nullptr;
};

// Pairs the events so that as many as possible are equal. Other events are paired in their order.
class Pairing {
 public:
  Pairing(const std::vector<DemandedEvent>& demanded, const std::vector<ReadEvent>& read)
      : demanded_(demanded), read_(read) {}

  std::vector<EventPair> make() {
    const std::size_t shorter = std::min(demanded_.size(), read_.size());
    std::size_t head = 0;
    while (head < shorter && observe::reports(read_[head], demanded_[head])) ++head;
    std::size_t tail = 0;
    while (tail < shorter - head &&
           observe::reports(read_[read_.size() - 1 - tail], demanded_[demanded_.size() - 1 - tail]))
      ++tail;
    add_equal(0, 0, head);
    add_middle(head, demanded_.size() - tail, read_.size() - tail);
    add_equal(demanded_.size() - tail, read_.size() - tail, tail);
    return std::move(pairs_);
  }

 private:
  void add_equal(std::size_t demanded, std::size_t read, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) pairs_.push_back({&demanded_[demanded + i], &read_[read + i]});
  }

  // Adds events without an equal one.
  void add_unequal(std::size_t demanded, std::size_t demanded_end, std::size_t read, std::size_t read_end) {
    while (demanded < demanded_end || read < read_end) {
      EventPair pair;
      if (demanded < demanded_end) pair.demanded = &demanded_[demanded++];
      if (read < read_end) pair.read = &read_[read++];
      pairs_.push_back(pair);
    }
  }

  // Finds the longest common subsequence, from its end.
  void add_middle(std::size_t begin, std::size_t demanded_end, std::size_t read_end) {
    const std::size_t rows = demanded_end - begin;
    const std::size_t columns = read_end - begin;
    if (rows * columns > kMostCompared) return add_unequal(begin, demanded_end, begin, read_end);
    std::vector<std::size_t> common((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
      return common[i * (columns + 1) + j];
    };
    const auto equal = [&](std::size_t i, std::size_t j) {
      return observe::reports(read_[begin + j], demanded_[begin + i]);
    };
    for (std::size_t i = rows; i-- > 0;)
      for (std::size_t j = columns; j-- > 0;)
        at(i, j) = equal(i, j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    std::size_t i = 0;
    std::size_t j = 0;
    std::size_t open_i = 0;
    std::size_t open_j = 0;
    while (i < rows && j < columns) {
      if (equal(i, j)) {
        add_unequal(begin + open_i, begin + i, begin + open_j, begin + j);
        add_equal(begin + i++, begin + j++, 1);
        open_i = i;
        open_j = j;
      } else {
        ++(at(i + 1, j) >= at(i, j + 1) ? i : j);
      }
    }
    add_unequal(begin + open_i, demanded_end, begin + open_j, read_end);
  }

  const std::vector<DemandedEvent>& demanded_;
  const std::vector<ReadEvent>& read_;
  std::vector<EventPair> pairs_;
};

const char* difference_of(const EventPair& pair) {
  if (pair.read == nullptr) return "lost";
  if (pair.demanded == nullptr) return "extra";
  if (pair.read->data != pair.demanded->data) return "data";
  if (pair.read->type != pair.demanded->type) return "type";
  return observe::reports(*pair.read, *pair.demanded) ? nullptr : "id";
}

json shown_event(const std::string& type, const std::string& data, const std::string& id, std::size_t begin) {
  json event = {{"event", shown_text(type)}, {"data", shown_text(data, begin)}};
  if (!id.empty()) event["id"] = shown_text(id);
  return event;
}

// Describes both sides of a pair. If they count as equal, one side is described twice.
json document_of(const EventPair& pair, bool differ) {
  const DemandedEvent* sent = pair.demanded;
  const ReadEvent* read = pair.read;
  const std::size_t begin = differ && sent != nullptr && read != nullptr && sent->data != read->data
                                ? begin_of_shown(sent->data, read->data)
                                : 0;
  json expected = "no event";
  json reported = "no event";
  if (sent != nullptr) expected = shown_event(sent->type, sent->data, sent->id, begin);
  if (read != nullptr) reported = shown_event(read->type, read->data, read->id, begin);
  if (!differ) (sent != nullptr ? reported : expected) = sent != nullptr ? expected : reported;
  return {{"sent", std::move(expected)}, {"reported", std::move(reported)}};
}

class ReaderTrace {
 public:
  ReaderTrace(const observe::ReadBody& stream, recording::End end, const std::vector<DemandedEvent>& demanded,
              const testee::Observation& observation)
      : stream_(stream),
        end_(end),
        demanded_(demanded),
        seen_(observation),
        reported_(observe::reported(observation.body)),
        pairs_(Pairing(demanded, reported_.events).make()) {}

  observe::Trace make(const std::vector<ReadEvent>* original) {
    const bool failed = std::any_of(reported_.errors.begin(), reported_.errors.end(),
                                    [this](const auto& failure) { return !is_allowed(failure); });
    Explanation explanation = failed ? Explanation::differences : Explanation::none;
    for (observe::Misreading& one : observe::misreadings(stream_, demanded_, reported_.events, original)) {
      one.made &= !failed;
      add_trap(one);
      if (one.made) explanation = one.holds_back ? Explanation::all : Explanation::differences;
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) add_pair(i, explanation);
    for (const observe::Reported::Failure& failure : reported_.errors)
      add("error", {{"what", shown_text(failure.what)}, {"allowed", is_allowed(failure)}}, failure.begin,
          failure.end);
    return std::move(trace_);
  }

 private:
  // The part of the report that an error of the reader explains. The reader made it or reported it.
  enum class Explanation : std::uint8_t { none, differences, all };

  void add(const char* type, json document, std::size_t begin, std::size_t end) {
    document["type"] = type;
    observe::Event event;
    event.data = document.dump();
    event.json = std::make_shared<const json>(std::move(document));
    event.begin = begin;
    event.end = end;
    trace_.events.push_back(std::move(event));
  }

  // Adds a trap, with the first event that differs if the reader is in it.
  void add_trap(const observe::Misreading& one) {
    json document = {{"kind", one.name}, {"sent", "these events"}, {"reported", "these events"}};
    const auto wrong = std::find_if(pairs_.begin(), pairs_.end(),
                                    [](const EventPair& pair) { return difference_of(pair) != nullptr; });
    if (!one.made || wrong == pairs_.end()) return add("trap", std::move(document), 0, 0);
    document.update(document_of(*wrong, true));
    document["number"] = wrong - pairs_.begin() + 1;
    add("trap", std::move(document), begin_of(*wrong), end_of(*wrong));
  }

  void add_pair(std::size_t i, Explanation explanation) {
    const EventPair& pair = pairs_[i];
    const char* difference = explanation == Explanation::none ? difference_of(pair) : nullptr;
    json document = document_of(pair, difference != nullptr);
    document["number"] = i + 1;
    if (difference != nullptr) document["difference"] = difference;
    if (const auto late = fed_before_report(pair); late && explanation != Explanation::all) {
      document["late"] = true;
      document["due"] = pair.demanded->due;
      document["fed"] = *late;
    }
    add("pair", std::move(document), begin_of(pair), end_of(pair));
  }

  // A reader may complain about a stream that breaks off.
  bool is_allowed(const observe::Reported::Failure& failure) const {
    const std::size_t finished = demanded_.empty() ? 0 : demanded_.back().end;
    const bool is_at_end = seen_.after_chunk.empty() || failure.begin >= seen_.after_chunk.back();
    return is_at_end && (end_ != recording::End::complete || finished < stream_.body.size());
  }

  // Returns the number of bytes after which the event was due and not reported, or nullopt if it came in time.
  std::optional<std::size_t> fed_before_report(const EventPair& pair) const {
    if (difference_of(pair) != nullptr || seen_.after_chunk.empty()) return std::nullopt;
    const auto& cuts = stream_.cuts;
    const auto chunk = static_cast<std::size_t>(
        std::lower_bound(cuts.begin(), cuts.end(), pair.demanded->due) - cuts.begin());
    const std::size_t fed = chunk < cuts.size() ? cuts[chunk] : stream_.body.size();
    if (fed < pair.demanded->due || chunk >= seen_.after_chunk.size()) return std::nullopt;
    return seen_.after_chunk[chunk] < pair.read->end ? std::optional(fed) : std::nullopt;
  }

  std::size_t begin_of(const EventPair& pair) const {
    return pair.read == nullptr ? seen_.body.size() : pair.read->begin;
  }
  std::size_t end_of(const EventPair& pair) const {
    return pair.read == nullptr ? seen_.body.size() : pair.read->end;
  }

  const observe::ReadBody& stream_;
  const recording::End end_;
  const std::vector<DemandedEvent>& demanded_;
  const testee::Observation& seen_;
  const observe::Reported reported_;
  const std::vector<EventPair> pairs_;
  observe::Trace trace_;
};

}  // namespace

observe::Trace reader_trace(const observe::ReadBody& stream, recording::End end,
                            const std::vector<DemandedEvent>& demanded,
                            const testee::Observation& observation, const std::vector<ReadEvent>* original) {
  return ReaderTrace(stream, end, demanded, observation).make(original);
}

}  // namespace splitproof::evidence
