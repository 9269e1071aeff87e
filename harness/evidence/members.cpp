#include "harness/evidence/members.hpp"

#include <utility>

#include "harness/recording/base64.hpp"

namespace splitproof::evidence {

using nlohmann::json;

namespace {

std::string decoded(const std::string& text) {
  auto bytes = recording::from_base64(text);
  if (!bytes) throw Wrong{"`base64` is not base64", "RFC 4648 with padding and without white space"};
  return std::move(*bytes);
}

}  // namespace

Members::Members(const json& object, std::string where, std::initializer_list<std::string_view> known)
    : object_(object), where_(std::move(where)) {
  if (!object.is_object()) throw Wrong{where_ + " is not an object"};
  for (const auto& item : object.items()) {
    if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
    std::string list;
    for (const std::string_view key : known) list += (list.empty() ? "" : ", ") + std::string(key);
    throw Wrong{where_ + " has the unknown key `" + item.key() + "`", "known are " + list};
  }
}

const json& Members::need(const char* key) const {
  const auto found = object_.find(key);
  if (found == object_.end()) throw Wrong{where_ + " has no `" + key + "`"};
  return *found;
}

std::string Members::text(const char* key) const {
  if (!need(key).is_string()) refuse(key, "a string");
  return need(key).get<std::string>();
}

bool Members::boolean(const char* key) const {
  if (!need(key).is_boolean()) refuse(key, "true or false");
  return need(key).get<bool>();
}

int Members::status(const char* key) const {
  const std::size_t status = count(key);
  if (status > 999) refuse(key, "a status");
  return static_cast<int>(status);
}

double Members::time(const char* key) const {
  if (!need(key).is_number()) refuse(key, "a number of seconds");
  return need(key).get<double>();
}

std::vector<std::size_t> Members::counts(const char* key) const {
  std::vector<std::size_t> list;
  for (const json& item : array(key)) list.push_back(count_of(item, key));
  return list;
}

std::vector<std::string> Members::texts(const char* key) const {
  std::vector<std::string> list;
  for (const json& item : array(key)) {
    if (!item.is_string()) refuse(key, "a list of strings");
    list.push_back(item.get<std::string>());
  }
  return list;
}

testee::Headers Members::headers(const char* key) const {
  testee::Headers list;
  for (const json& item : array(key)) {
    if (!item.is_array() || item.size() != 2) refuse(key, "a list of pairs of name and value");
    list.push_back({bytes_of(item[0], key), bytes_of(item[1], key)});
  }
  return list;
}

std::string Members::chunk() const {
  if (has("text") == has("base64")) throw Wrong{where_ + " must have one of `text` and `base64`"};
  return has("text") ? text("text") : decoded(text("base64"));
}

void Members::refuse(const char* key, const char* what) const {
  throw Wrong{"`" + std::string(key) + "` of " + where_ + " is not " + what};
}

std::string Members::bytes_of(const json& value, const char* key) const {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || value.size() != 1 || !value.contains("base64") || !value["base64"].is_string())
    refuse(key, "text or {\"base64\": ...}");
  return decoded(value["base64"].get<std::string>());
}

std::size_t Members::count_of(const json& value, const char* key) const {
  if (!value.is_number_unsigned()) refuse(key, "a whole number from 0 up");
  return value.get<std::size_t>();
}

const json& Members::array(const char* key) const {
  if (!need(key).is_array()) refuse(key, "a list");
  return need(key);
}

}  // namespace splitproof::evidence
