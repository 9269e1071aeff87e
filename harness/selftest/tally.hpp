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

/// Of some changes, how many are seen by what.
struct ChangeCount {
  std::size_t changes = 0;
  std::size_t alone = 0;          ///< by the contracts alone
  std::size_t with_meaning = 0;   ///< by the contracts, knowing what was meant
  std::size_t altering = 0;       ///< a client assembles something else
  std::size_t altering_seen = 0;  ///< of these, with meaning

  ChangeCount& operator+=(const ChangeCount& other);
  bool operator==(const ChangeCount&) const = default;
};

/// Changes of one kind to one class of events, and to one field of them where they are to a field.
struct ChangePlace {
  std::string kind;
  std::string event_class;
  std::string field_class;

  auto tie() const { return std::tie(kind, event_class, field_class); }
  bool operator<(const ChangePlace& other) const { return tie() < other.tie(); }
  bool operator==(const ChangePlace&) const = default;
};

/// Changes in one place that nothing sees.
struct Unseen {
  std::size_t changes = 0;
  std::size_t altering = 0;
  std::string example;  ///< "tools/two-calls, event 3, /text becomes \"x\"": of one that alters, if any does

  bool operator==(const Unseen&) const = default;
};

/// What became of all changes of one protocol's streams.
struct ChangeTally {
  std::size_t streams = 0;
  std::map<std::pair<ChangePart, std::string>, ChangeCount> counts;  ///< by part and kind of change
  std::map<ChangePlace, Unseen> unseen;

  void add(const Stream& stream, const Change& change, const Detection& sight);

  /// What was counted elsewhere, later.
  void add(const ChangeTally& other);

  /// Over all kinds; of one part, or of structure and framing together.
  ChangeCount total() const;
  ChangeCount of(ChangePart part) const;
  ChangeCount structure_and_framing() const;

  bool operator==(const ChangeTally&) const = default;
};

/// Makes all small changes of a stream, and has them looked at.
ChangeTally examine(const contract::Contracts& contracts, const contract::Profile& profile,
                    const Stream& stream);

}  // namespace splitproof::selftest
