#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/json_member.hpp"
#include "harness/recording/base64.hpp"
#include "harness/utf8.hpp"

namespace splitproof::results {

/// The members of a struct, listed once for writing and reading. `static void each(Io& io)` calls `io("name",
/// &Struct::member)` for each. For long, repeated texts it calls `io.body("name", &Struct::member)`. A member
/// with its default value is not written.
template <class T>
struct Fields;

/// The names of an enumeration's values, in order: `static std::string_view of(T)`, `static constexpr
/// std::size_t kCount`.
template <class T>
struct Names;

/// Distinct long texts; lines refer to them by number.
struct Bodies {
  std::vector<std::string> texts;
  std::map<std::string, std::size_t, std::less<>> numbers;

  std::size_t number_of(const std::string& text) {
    const auto [known, is_new] = numbers.try_emplace(text, texts.size());
    if (is_new) texts.push_back(text);
    return known->second;
  }
};

/// Returns bytes as JSON: a string if they are UTF-8, otherwise {"base64": ...}.
nlohmann::ordered_json bytes_json(const std::string& bytes);

/// Returns the bytes that bytes_json() wrote, or nullopt for another value.
std::optional<std::string> bytes_of(const nlohmann::json& value);

/// Writes values as JSON.
class FieldWriter {
 public:
  explicit FieldWriter(Bodies& bodies) : bodies_(bodies) {}

  template <class T>
  nlohmann::ordered_json operator()(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return Names<T>::of(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return bytes_json(value);
    } else {
      return written(value);
    }
  }

 private:
  template <class T>
  nlohmann::ordered_json written(const std::optional<T>& value) {
    return value ? (*this)(*value) : nlohmann::ordered_json();
  }
  template <class T>
  nlohmann::ordered_json list(const T& values) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& value : values) all.push_back((*this)(value));
    return all;
  }
  template <class T>
  nlohmann::ordered_json written(const std::vector<T>& values) {
    return list(values);
  }
  template <class T>
  nlohmann::ordered_json written(const std::set<T>& values) {
    return list(values);
  }
  template <class T, std::size_t N>
  nlohmann::ordered_json written(const std::array<T, N>& values) {
    return list(values);
  }
  // As pairs, because a name need not be UTF-8.
  template <class T, class Less>
  nlohmann::ordered_json written(const std::map<std::string, T, Less>& values) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const auto& [key, value] : values)
      all.push_back(nlohmann::ordered_json::array({(*this)(key), (*this)(value)}));
    return all;
  }
  template <class T>
  nlohmann::ordered_json written(const T& value) {
    Members<T> io{*this, value, T(), nlohmann::ordered_json::object()};
    Fields<T>::each(io);
    return std::move(io.object);
  }

  template <class S>
  struct Members {
    FieldWriter& writing;
    const S& value;
    const S usual;
    nlohmann::ordered_json object;

    template <class T>
    void operator()(const char* name, T S::*member, const char* /*old*/ = nullptr) {
      if (!(value.*member == usual.*member)) object[name] = writing(value.*member);
    }
    void body(const char* name, std::string S::*member) {
      if (!(value.*member).empty()) object[name] = writing.bodies_.number_of(value.*member);
    }
  };

  Bodies& bodies_;
};

/// Reads the values back. Keeps and reports a value that cannot be read.
class FieldReader {
 public:
  explicit FieldReader(const Bodies& bodies) : bodies_(bodies) {}

  /// "/first/upstream/cuts": the first unreadable member; empty if all were read.
  const std::string& wrong() const { return wrong_; }

  template <class T>
  void operator()(const nlohmann::json& json, T& value, const std::string& place = {}) {
    if constexpr (std::is_same_v<T, bool>) {
      json.is_boolean() ? void(value = json.get<bool>()) : fail(place);
    } else if constexpr (std::is_enum_v<T>) {
      for (std::size_t i = 0; i < Names<T>::kCount; ++i)
        if (json == Names<T>::of(static_cast<T>(i))) return void(value = static_cast<T>(i));
      fail(place);
    } else if constexpr (std::is_integral_v<T>) {
      std::is_signed_v<T> ? read_number(json.is_number_integer(), json, value, place)
                          : read_number(json.is_number_unsigned(), json, value, place);
    } else if constexpr (std::is_floating_point_v<T>) {
      read_number(json.is_number(), json, value, place);
    } else if constexpr (std::is_same_v<T, std::string>) {
      auto bytes = bytes_of(json);
      bytes ? void(value = std::move(*bytes)) : fail(place);
    } else {
      read(json, value, place);
    }
  }

 private:
  void fail(const std::string& place) {
    if (wrong_.empty()) wrong_ = place.empty() ? "/" : place;
  }
  template <class T>
  void read_number(bool fits, const nlohmann::json& json, T& value, const std::string& place) {
    fits ? void(value = json.get<T>()) : fail(place);
  }
  template <class T>
  void read(const nlohmann::json& json, std::optional<T>& value, const std::string& place) {
    if (json.is_null()) return value.reset();
    (*this)(json, value.emplace(), place);
  }
  template <class T>
  void read(const nlohmann::json& json, std::vector<T>& values, const std::string& place) {
    if (!json.is_array()) return fail(place);
    for (const nlohmann::json& one : json) (*this)(one, values.emplace_back(), place);
  }
  template <class T>
  void read(const nlohmann::json& json, std::set<T>& values, const std::string& place) {
    std::vector<T> all;
    read(json, all, place);
    values.insert(all.begin(), all.end());
  }
  template <class T, std::size_t N>
  void read(const nlohmann::json& json, std::array<T, N>& values, const std::string& place) {
    if (!json.is_array() || json.size() != N) return fail(place);
    for (std::size_t i = 0; i < N; ++i) (*this)(json[i], values[i], place);
  }
  template <class T, class Less>
  void read(const nlohmann::json& json, std::map<std::string, T, Less>& values, const std::string& place) {
    if (!json.is_array()) return fail(place);
    for (const nlohmann::json& pair : json) {
      if (!pair.is_array() || pair.size() != 2) return fail(place);
      std::string key;
      (*this)(pair[0], key, place);
      (*this)(pair[1], values[key], place);
    }
  }
  template <class T>
  void read(const nlohmann::json& json, T& value, const std::string& place) {
    if (!json.is_object()) return fail(place);
    Members<T> io{*this, json, value, place};
    Fields<T>::each(io);
  }

  template <class S>
  struct Members {
    FieldReader& reading;
    const nlohmann::json& object;
    S& value;
    const std::string& place;

    /// `old` is the name in reports of earlier versions.
    template <class T>
    void operator()(const char* name, T S::*member, const char* old = nullptr) {
      if (old != nullptr && !object.contains(name)) name = old;
      if (const auto found = object.find(name); found != object.end())
        reading(*found, value.*member, place + "/" + name);
    }
    void body(const char* name, std::string S::*member) {
      const nlohmann::json& number = splitproof::member(object, name);
      if (number.is_null()) return;
      const bool known =
          number.is_number_unsigned() && number.get<std::size_t>() < reading.bodies_.texts.size();
      known ? void(value.*member = reading.bodies_.texts[number.get<std::size_t>()])
            : reading.fail(place + "/" + name);
    }
  };

  const Bodies& bodies_;
  std::string wrong_;
};

}  // namespace splitproof::results
