#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::split {

/// A body whose events were dealt anew, as if the model had chunked its answer differently: the bytes change, the
/// meaning does not. Splits cannot do this: what looks at decoded text sees the same pieces under each of them.
struct Recut {
  std::string body;
  std::vector<std::size_t> arrivals;  ///< one past each event, ascending; the last is the size of the body

  void append(std::string_view event) {
    body += event;
    arrivals.push_back(body.size());
  }

  bool operator==(const Recut&) const = default;
};

/// What consecutive events say of one string: of the text, of the thinking, of one call's arguments.
struct TextRun {
  std::vector<std::size_t> events;  ///< that hold its pieces, none of which is empty, ascending
  std::u16string text;              ///< the pieces joined
  bool json = false;                ///< the string is JSON text, and may be cut at the seams of that
  std::u16string before;            ///< of JSON: what events before the run say of the string
};

/// A body taken apart by its dialect's dealer, a view of it. An event belongs to one run at most. What lies between two
/// events of a run loses nothing when text passes it; what must not be passed ends a run.
class Parts {
 public:
  virtual ~Parts() = default;

  /// Joined, they are the body, with whatever else stands between its events.
  const std::vector<std::string_view>& events() const { return events_; }
  const std::vector<TextRun>& runs() const { return runs_; }

  /// Appends what stands in the place of one of a run's events: an event for each piece (see `write_event`), or without
  /// pieces what is left of it, if anything is. An event that says what it said keeps its bytes.
  virtual void say(std::size_t run, std::size_t event, std::span<const std::string> pieces,
                   Recut& recut) const = 0;

  /// A recut with what depends on all of its events, such as their numbers, put right.
  virtual Recut settled(Recut recut) const { return recut; }

  /// The body dealt by one of the dealer's own labels; as it is, where it has no such deal.
  virtual Recut deal_by(std::string_view /*label*/) const {
    Recut same;
    for (const std::string_view event : events_) same.append(event);
    return same;
  }

 protected:
  std::vector<std::string_view> events_;
  std::vector<TextRun> runs_;
};

/// What a dialect knows of its bodies so that they can be recut (recut.hpp).
class Rechunker {
 public:
  virtual ~Rechunker() = default;

  /// Takes apart any bytes; what is not of the ordinary form becomes events without a run. The body must outlive the parts.
  virtual std::unique_ptr<Parts> take_apart(std::string_view body) const = 0;

  /// Deals that are the dialect's own, in the order in which they are tried: "finish:fused".
  virtual std::vector<std::string> labels() const { return {}; }
};

}  // namespace splitproof::split
