#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/contract/reading.hpp"

namespace splitproof::contract {

/// `per:` cuts a trace into slices, one for each value of a key:
///
///   per: /index                                  one field
///   per: [/item_id, /content_index]              several fields, all of which must be there
///   per: {added: /item/id, delta: /item_id}      by class; the first class that an event belongs to counts
///
/// Without `per` the whole trace is one slice. Events without the key are in no slice.
struct Slicing {
  struct Key {
    std::optional<std::size_t> class_id;  ///< of which class; none: of every event
    std::vector<Field> fields;

    bool operator==(const Key& other) const;
  };
  std::vector<Key> keys;  ///< none: no `per`

  /// Throws Mistake.
  static Slicing parse(const YamlNode& per, const Alphabet& alphabet);

  bool operator==(const Slicing&) const = default;
};

/// The slices of one reading, computed once for all rules with the same `per`: one hash look-up a subject.
class Slices {
 public:
  /// The slicing must outlive it.
  explicit Slices(const Slicing& slicing);

  /// Cuts the window that was read last.
  void take(const Reading& reading);

  /// The slice of subject `i` of that window; none when it is in no slice.
  std::optional<std::size_t> of(std::size_t i) const;
  std::size_t count() const { return labels_.size(); }

  /// "/index 1"; empty for the whole trace.
  const std::string& label(std::size_t slice) const { return labels_[slice]; }

  /// The values of the slice's key: "1", or "\"a\", 0" of several fields; empty for the whole trace.
  const std::string& key(std::size_t slice) const { return keys_[slice]; }

  /// Whether there is no `per`, so that the one slice exists even without an event.
  bool whole() const { return slicing_.keys.empty(); }

 private:
  const Slicing& slicing_;
  std::size_t begin_ = 0;                                  ///< of the subjects of the window
  std::vector<std::optional<std::size_t>> slice_of_;       ///< by subject; empty for the whole trace
  std::unordered_map<std::string, std::size_t> by_value_;  ///< the slices, by the texts of their keys
  std::vector<std::string> labels_;
  std::vector<std::string> keys_;
};

}  // namespace splitproof::contract
