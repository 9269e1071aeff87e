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
///   per: [/item_id, /content_index]              several fields, all required
///   per: {added: /item/id, delta: /item_id}      by class; the first class of an event counts
///
/// Without `per` the whole trace is one slice. Events without the key are in no slice.
struct Slicing {
  struct Key {
    std::optional<std::size_t> class_id;  ///< class of the events; nullopt: every event
    std::vector<Field> fields;

    bool operator==(const Key& other) const;
  };
  std::vector<Key> keys;  ///< empty: no `per`

  /// Throws Mistake.
  static Slicing parse(const YamlNode& per, const Alphabet& alphabet);

  bool operator==(const Slicing&) const = default;
};

/// The slices of one reading, computed once for all rules with the same `per`: one hash look-up a subject.
class Slices {
 public:
  /// The slicing must outlive it.
  explicit Slices(const Slicing& slicing);

  /// Cuts the last window.
  void take(const Reading& reading);

  /// Returns the slice of subject `i` of that window; nullopt if it is in none.
  std::optional<std::size_t> of(std::size_t i) const;
  std::size_t count() const { return labels_.size(); }

  /// Returns "/index 1"; empty for the whole trace.
  const std::string& label(std::size_t slice) const { return labels_[slice]; }

  /// Returns the values of the slice's key: "1", or "\"a\", 0" for several fields; empty for the whole trace.
  const std::string& key(std::size_t slice) const { return keys_[slice]; }

  /// True without `per`; then the slice exists even without an event.
  bool whole() const { return slicing_.keys.empty(); }

 private:
  const Slicing& slicing_;
  std::size_t begin_ = 0;                                  ///< first subject of the window
  std::vector<std::optional<std::size_t>> slice_of_;       ///< by subject; empty for the whole trace
  std::unordered_map<std::string, std::size_t> by_value_;  ///< slices by the texts of their keys
  std::vector<std::string> labels_;
  std::vector<std::string> keys_;
};

}  // namespace splitproof::contract
