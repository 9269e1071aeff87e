#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::split {

/// A body with different events, as if the model had chunked its answer differently. The bytes change, the
/// meaning does not. Splits cannot do this: they never change the pieces of decoded text.
struct Recut {
  std::string body;
  std::vector<std::size_t> arrivals;  ///< one past each event, ascending; the last is the size of the body

  void append(std::string_view event) {
    body += event;
    arrivals.push_back(body.size());
  }

  bool operator==(const Recut&) const = default;
};

/// Consecutive pieces of one string: of text, thinking or one call's arguments.
struct TextRun {
  std::vector<std::size_t> events;  ///< events with its pieces, which are not empty; ascending
  std::u16string text;              ///< the pieces joined
  bool json = false;                ///< the string is JSON text and has the seams of JSON
  std::u16string before;            ///< JSON: the beginning of the string, from earlier events
};

/// A body taken apart by the dealer of its dialect; a view of the body. An event belongs to at most one run.
/// Text may move past events between two events of a run without loss. An event that text must not pass ends
/// the run.
class Parts {
 public:
  virtual ~Parts() = default;

  /// The events; joined, with the bytes between them, they are the body.
  const std::vector<std::string_view>& events() const { return events_; }
  const std::vector<TextRun>& runs() const { return runs_; }

  /// Appends the replacement of one event of a run: an event for each piece (see `write_event`). Without
  /// pieces it appends the rest of the event, if any. An unchanged event keeps its bytes.
  virtual void say(std::size_t run, std::size_t event, std::span<const std::string> pieces,
                   Recut& recut) const = 0;

  /// Updates fields that depend on all events, such as numbers.
  virtual Recut settled(Recut recut) const { return recut; }

  /// Returns the recut for a label of the dealer, or the unchanged body if it does not apply.
  virtual Recut deal_by(std::string_view /*label*/) const {
    Recut same;
    for (const std::string_view event : events_) same.append(event);
    return same;
  }

 protected:
  std::vector<std::string_view> events_;
  std::vector<TextRun> runs_;
};

/// Knowledge of a dialect for recuts (recut.hpp).
class Rechunker {
 public:
  virtual ~Rechunker() = default;

  /// Takes apart any bytes. Unusual parts become events without a run. The body must outlive the parts.
  virtual std::unique_ptr<Parts> take_apart(std::string_view body) const = 0;

  /// Returns the labels of the dialect's own recuts, in the order of use: "finish:fused".
  virtual std::vector<std::string> labels() const { return {}; }
};

}  // namespace splitproof::split
