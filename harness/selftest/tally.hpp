#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "harness/selftest/changes.hpp"
#include "harness/selftest/detection.hpp"
#include "harness/selftest/streams.hpp"

namespace splitproof::selftest {

/// Number of changes, and of detections by kind.
struct ChangeCount {
  std::size_t changes = 0;
  std::size_t alone = 0;          ///< Detected by the contracts alone.
  std::size_t with_meaning = 0;   ///< Detected by the contracts with the meaning.
  std::size_t altering = 0;       ///< A client assembles another answer.
  std::size_t altering_seen = 0;  ///< Altering changes that are detected with the meaning.

  ChangeCount& operator+=(const ChangeCount& other);
  bool operator==(const ChangeCount&) const = default;
};

/// Changes of one kind to one class of events, and to one field of them if they affect a field.
struct ChangePlace {
  std::string kind;
  std::string event_class;
  std::string field_class;

  auto tie() const { return std::tie(kind, event_class, field_class); }
  bool operator<(const ChangePlace& other) const { return tie() < other.tie(); }
  bool operator==(const ChangePlace&) const = default;
};

/// Undetected changes in one place.
struct Unseen {
  std::size_t changes = 0;
  std::size_t altering = 0;
  std::string example;  ///< "tools/two-calls, event 3, /text becomes \"x\"", preferably an altering one.

  bool operator==(const Unseen&) const = default;
};

/// Results of all changes of one protocol's streams.
struct ChangeTally {
  std::size_t streams = 0;
  std::map<std::pair<ChangePart, std::string>, ChangeCount> counts;  ///< By part and kind of change.
  std::map<ChangePlace, Unseen> unseen;

  void add(const Stream& stream, const Change& change, const Detection& sight);

  /// Adds later counts from elsewhere.
  void add(const ChangeTally& other);

  /// Return sums: over all kinds, over one part, or over structure and framing.
  ChangeCount total() const;
  ChangeCount of(ChangePart part) const;
  ChangeCount structure_and_framing() const;

  bool operator==(const ChangeTally&) const = default;
};

/// Makes and judges all small changes of a stream.
ChangeTally examine(const contract::Contracts& contracts, const contract::Profile& profile,
                    const Stream& stream);

}  // namespace splitproof::selftest
