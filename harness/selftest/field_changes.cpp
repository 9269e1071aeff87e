#include "harness/selftest/field_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;
using JsonPointer = json::json_pointer;

bool among(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Returns the vocabulary of `word`, the value of a field with this name, or null.
const dialect::Vocabulary* vocabulary_of(const dialect::SelfTestWords& words, std::string_view field,
                                         std::string_view word) {
  const auto found = std::find_if(
      words.vocabularies.begin(), words.vocabularies.end(),
      [&](const dialect::Vocabulary& one) { return one.field == field && among(one.words, word); });
  return found == words.vocabularies.end() ? nullptr : &*found;
}

template <class Visit>
void for_each_member(const json& value, const std::string& field_class, const Visit& visit) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      const std::string member_class = fmt::format("{}/{}", field_class, key);
      visit(key, member_class, inner);
      for_each_member(inner, member_class, visit);
    }
  } else if (value.is_array()) {
    for (const json& inner : value) for_each_member(inner, field_class + "/*", visit);
  }
}

json of_another_type(const json& value) {
  switch (value.type()) {
    case json::value_t::object:
      return json::array();
    case json::value_t::array:
      return json::object();
    case json::value_t::boolean:
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
    case json::value_t::number_float:
      return value.dump();
    default:
      return 7;
  }
}

// Lists the possible changes of one field of one event.
class FieldChanges {
 public:
  FieldChanges(const dialect::SelfTestWords& words, const json& data, const Pointers& pointers,
               const FieldTold& told)
      : words_(words), data_(data), pointers_(pointers), told_(told) {}

  void visit(const json& value, const JsonPointer& at, const std::string& field_class) {
    if (value.is_object()) {
      for (const auto& [key, inner] : value.items()) {
        const std::string member_class = fmt::format("{}/{}", field_class, key);
        change_place(inner, at / key, member_class);
        change_value(inner, key, at / key, member_class);
        visit(inner, at / key, member_class);
      }
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        change_place(value[i], at / i, field_class + "/*");
        visit(value[i], at / i, field_class + "/*");
      }
    }
  }

 private:
  void tell(std::string_view kind, ChangePart part, const JsonPointer& at, const std::string& field_class,
            std::string to, const json& data) const {
    Change change;
    change.kind = kind;
    change.part = part;
    change.field = at.to_string();
    change.field_class = field_class;
    change.to = std::move(to);
    told_(std::move(change), data);
  }

  // Reports a change with another value at `at`.
  void put(std::string_view kind, ChangePart part, const JsonPointer& at, const std::string& field_class,
           const json& value, bool say = true) const {
    json data = data_;
    data[at] = value;
    tell(kind, part, at, field_class, say ? value.dump() : std::string(), data);
  }

  void change_place(const json& value, const JsonPointer& at, const std::string& field_class) const {
    json without = data_;
    json& parent = without[at.parent_pointer()];
    if (parent.is_array()) {
      const auto place = static_cast<std::ptrdiff_t>(std::stoul(at.back()));
      parent.erase(parent.begin() + place);
      tell("drop-field", ChangePart::structure, at, field_class, {}, without);
      json twice = data_;
      json& list = twice[at.parent_pointer()];
      list.insert(list.begin() + place, json(value));
      tell("double-element", ChangePart::structure, at, field_class, {}, twice);
    } else {
      parent.erase(at.back());
      tell("drop-field", ChangePart::structure, at, field_class, {}, without);
      const JsonPointer renamed = at.parent_pointer() / (at.back() + "_x");
      without[renamed] = value;
      tell("rename-field", ChangePart::structure, at, field_class, {}, without);
    }
    if (!value.is_null()) put("null-field", ChangePart::structure, at, field_class, nullptr, false);
    put("field-type", ChangePart::structure, at, field_class, of_another_type(value));
  }

  void change_value(const json& value, const std::string& name, const JsonPointer& at,
                    const std::string& field_class) const {
    if (among(words_.indices, name) && value.is_number_integer()) {
      for (const long long other : pointers_.other_indices(name, value.get<long long>()))
        put("retarget", ChangePart::structure, at, field_class, other);
    } else if (among(words_.ids, name) && value.is_string()) {
      change_id(value.get<std::string>(), at, field_class);
    } else if (among(words_.labels, name) && value.is_string()) {
      change_word(value.get<std::string>(), name, at, field_class);
    } else if (value.is_string()) {
      put("other-value", ChangePart::content, at, field_class, value.get<std::string>() + "x");
      if (value != "") put("empty-value", ChangePart::content, at, field_class, "");
    } else if (value.is_number_integer()) {
      put("other-value", ChangePart::content, at, field_class, value.get<long long>() + 1);
    } else if (value.is_boolean()) {
      put("other-value", ChangePart::content, at, field_class, !value.get<bool>());
    }
  }

  void change_id(const std::string& id, const JsonPointer& at, const std::string& field_class) const {
    const std::string other = pointers_.other_id(field_class, id);
    if (!other.empty()) put("retarget", ChangePart::structure, at, field_class, other);
    put("retarget", pointers_.is_shared(id) ? ChangePart::structure : ChangePart::content, at, field_class,
        id + "x");
    if (!id.empty()) put("empty-value", ChangePart::structure, at, field_class, "");
  }

  void change_word(const std::string& word, const std::string& name, const JsonPointer& at,
                   const std::string& field_class) const {
    if (field_class == "/type") {  // type of the event itself, which `retype` changes to known ones
      put("relabel", ChangePart::structure, at, field_class, word + "x");
      return;
    }
    if (const dialect::Vocabulary* vocabulary = vocabulary_of(words_, name, word)) {
      const ChangePart part = vocabulary->tells_of_the_answer ? ChangePart::content : ChangePart::structure;
      for (const std::string_view other : vocabulary->words) {
        if (other != word) put("relabel", part, at, field_class, other);
      }
    }
    put("relabel", ChangePart::structure, at, field_class, word + "x");
  }

  const dialect::SelfTestWords& words_;
  const json& data_;
  const Pointers& pointers_;
  const FieldTold& told_;
};

}  // namespace

void Pointers::take(const json& data) {
  std::set<std::string> named;
  for_each_member(data, "", [&](const std::string& name, const std::string& field_class, const json& value) {
    if (among(words_.ids, name) && value.is_string()) {
      ids_[field_class].insert(value.get<std::string>());
      named.insert(value.get<std::string>());
    }
    if (among(words_.indices, name) && value.is_number_integer())
      indices_[name].insert(value.get<long long>());
  });
  for (const std::string& id : named) ++events_[id];
}

std::string Pointers::other_id(const std::string& field_class, const std::string& id) const {
  const auto ids = ids_.find(field_class);
  if (ids == ids_.end()) return "";
  for (const std::string& other : ids->second) {
    if (other != id) return other;
  }
  return "";
}

bool Pointers::is_shared(const std::string& id) const {
  const auto found = events_.find(id);
  return found != events_.end() && found->second > 1;
}

std::set<long long> Pointers::other_indices(const std::string& field, long long index) const {
  std::set<long long> others;
  const auto found = indices_.find(field);
  if (found == indices_.end()) return others;
  const std::set<long long>& used = found->second;
  const auto here = used.lower_bound(index);
  if (here != used.begin()) others.insert(*std::prev(here));
  const auto above = used.upper_bound(index);
  if (above != used.end()) others.insert(*above);
  others.insert(*used.rbegin() + 1);
  return others;
}

void for_each_field_change(const dialect::SelfTestWords& words, const json& data, const Pointers& pointers,
                           const FieldTold& told) {
  FieldChanges(words, data, pointers, told).visit(data, JsonPointer(), "");
}

}  // namespace splitproof::selftest
