#include "harness/contract/slicing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace splitproof::contract {
namespace {

std::vector<Field> parse_fields(const YamlNode& node) {
  std::vector<Field> fields;
  for (const YamlNode& item : node.is_list() ? node.items : std::vector<YamlNode>{node}) {
    fields.push_back(Field::parse(scalar_text(item, "a key of 'per'"), item.line));
  }
  if (fields.empty()) refuse(node.line, "'per' has no key", "add a pointer, such as /index");
  return fields;
}

std::string values_of(const std::vector<Field>& fields, const Reading& reading, std::size_t i) {
  std::string values;
  for (const Field& field : fields)
    values += (values.empty() ? "" : ", ") + excerpt(reading.value(i, field).get());
  return values;
}

std::string label_of(const std::vector<Field>& fields, const Reading& reading, std::size_t i) {
  std::string label;
  for (const Field& field : fields) {
    label +=
        fmt::format("{}{} {}", label.empty() ? "" : ", ", field.text, excerpt(reading.value(i, field).get()));
  }
  return label;
}

}  // namespace

bool Slicing::Key::operator==(const Key& other) const {
  const auto same_text = [](const Field& a, const Field& b) { return a.text == b.text; };
  return class_id == other.class_id &&
         std::equal(fields.begin(), fields.end(), other.fields.begin(), other.fields.end(), same_text);
}

Slicing Slicing::parse(const YamlNode& per, const Alphabet& alphabet) {
  Slicing slicing;
  if (!per.is_map()) {
    slicing.keys.push_back({std::nullopt, parse_fields(per)});
    return slicing;
  }
  if (per.items.empty()) refuse(per.line, "'per' has no key", "add a class and its pointer");
  for (std::size_t i = 0; i < per.items.size(); ++i) {
    const std::size_t line = per.keys[i].line;
    const std::size_t id = alphabet.need(per.keys[i].name, line);
    slicing.keys.push_back({id, parse_fields(per.items[i])});
    for (const Field& field : slicing.keys.back().fields) alphabet.check_climb(field, id, line);
    if (slicing.keys.back().fields.size() != slicing.keys.front().fields.size()) {
      refuse(line, "the keys of 'per' differ in length", "give every class as many pointers");
    }
  }
  return slicing;
}

Slices::Slices(const Slicing& slicing) : slicing_(slicing) {
  if (!whole()) return;
  labels_.emplace_back();
  keys_.emplace_back();
}

void Slices::take(const Reading& reading) {
  if (whole()) return;
  begin_ = reading.begin();
  slice_of_.assign(reading.end() - begin_, std::nullopt);
  for (std::size_t i = begin_; i < reading.end(); ++i) {
    const auto key =
        std::find_if(slicing_.keys.begin(), slicing_.keys.end(), [&](const Slicing::Key& candidate) {
          return !candidate.class_id || reading.is(i, *candidate.class_id);
        });
    if (key == slicing_.keys.end()) continue;
    std::string text;
    const bool complete = std::all_of(key->fields.begin(), key->fields.end(), [&](const Field& field) {
      const FieldValue value = reading.value(i, field);
      if (value.present()) text += key_text(*value.get()) + "\n";
      return value.present();
    });
    if (!complete) continue;
    const auto [entry, added] = by_value_.try_emplace(std::move(text), labels_.size());
    if (added) {
      labels_.push_back(label_of(key->fields, reading, i));
      keys_.push_back(values_of(key->fields, reading, i));
    }
    slice_of_[i - begin_] = entry->second;
  }
}

std::optional<std::size_t> Slices::of(std::size_t i) const {
  return whole() ? std::optional<std::size_t>(0) : slice_of_[i - begin_];
}

}  // namespace splitproof::contract
