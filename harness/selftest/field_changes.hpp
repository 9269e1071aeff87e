#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/self_test_words.hpp"
#include "harness/selftest/changes.hpp"

namespace splitproof::selftest {

/// Indices of a whole body by field name, and ids by place. A change can replace one by another.
class Pointers {
 public:
  /// `words` must outlive it.
  explicit Pointers(const dialect::SelfTestWords& words) : words_(words) {}

  /// Adds the indices and ids of one event.
  void take(const nlohmann::ordered_json& data);

  /// Returns another id in use at fields of this class, or "".
  std::string other_id(const std::string& field_class, const std::string& id) const;

  /// True if more than one event has the id.
  bool is_shared(const std::string& id) const;

  /// Returns the next lower and the next higher index in use under this name, and one more than the highest.
  std::set<long long> other_indices(const std::string& field, long long index) const;

 private:
  const dialect::SelfTestWords& words_;
  std::map<std::string, std::set<std::string>> ids_;
  std::map<std::string, std::set<long long>> indices_;
  std::map<std::string, int> events_;  ///< Number of events with an id.
};

/// Called for each change of one event's data, with the field's part of a Change and the new data.
using FieldTold = std::function<void(Change, const nlohmann::ordered_json&)>;

/// Reports all changes of the fields of an event's data.
void for_each_field_change(const dialect::SelfTestWords& words, const nlohmann::ordered_json& data,
                           const Pointers& pointers, const FieldTold& told);

}  // namespace splitproof::selftest
