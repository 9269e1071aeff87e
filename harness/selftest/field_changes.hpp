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

/// The indices of a whole body by the names of their fields, and its ids by their places: what one of them can be made to
/// point at.
class Pointers {
 public:
  /// `words` must outlive it.
  explicit Pointers(const dialect::SelfTestWords& words) : words_(words) {}

  /// Those of one event.
  void take(const nlohmann::ordered_json& data);

  /// Another id in use at fields of that class, or empty.
  std::string other_id(const std::string& field_class, const std::string& id) const;

  /// Whether more than one event names the id.
  bool is_shared(const std::string& id) const;

  /// The next lower and the next higher index in use under that name, and one more than the highest.
  std::set<long long> other_indices(const std::string& field, long long index) const;

 private:
  const dialect::SelfTestWords& words_;
  std::map<std::string, std::set<std::string>> ids_;
  std::map<std::string, std::set<long long>> indices_;
  std::map<std::string, int> events_;  ///< that name an id
};

/// Told of each change to one event's data: what of a Change concerns the field, and the data as it becomes.
using FieldTold = std::function<void(Change, const nlohmann::ordered_json&)>;

/// All changes to the fields of an event's data.
void for_each_field_change(const dialect::SelfTestWords& words, const nlohmann::ordered_json& data,
                           const Pointers& pointers, const FieldTold& told);

}  // namespace splitproof::selftest
