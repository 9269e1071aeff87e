#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/testee/http_message.hpp"

namespace splitproof::evidence {

/// A defect in a part of a line of evidence. Readers and writers throw it; the function that has the line
/// catches it.
struct Wrong {
  std::string what;
  std::string hint = {};
};

/// An object in a line that may contain only known keys. All accessors throw Wrong if the member is missing
/// or has another type.
class Members {
 public:
  /// `where` names the object in messages. The object must outlive this.
  Members(const nlohmann::json& object, std::string where, std::initializer_list<std::string_view> known);

  bool has(const char* key) const { return object_.contains(key); }
  const nlohmann::json& need(const char* key) const;

  std::string text(const char* key) const;
  std::string bytes(const char* key) const { return bytes_of(need(key), key); }
  bool boolean(const char* key) const;
  std::size_t count(const char* key) const { return count_of(need(key), key); }
  int status(const char* key) const;
  double time(const char* key) const;
  std::vector<std::size_t> counts(const char* key) const;
  std::vector<std::string> texts(const char* key) const;
  testee::Headers headers(const char* key) const;

  /// Returns the value whose name() is the member's text.
  template <class T, std::size_t N>
  T one_of(const char* key, const std::array<T, N>& values) const {
    const std::string name_of = text(key);
    const auto found =
        std::find_if(values.begin(), values.end(), [&](T value) { return name(value) == name_of; });
    if (found != values.end()) return *found;
    std::string list;
    for (const T value : values) list += (list.empty() ? "" : ", ") + std::string(name(value));
    throw Wrong{"`" + std::string(key) + "` cannot be `" + name_of + "`", "use one of " + list};
  }

  /// Returns the bytes under `text` or `base64`; exactly one must be present.
  std::string chunk() const;

 private:
  [[noreturn]] void refuse(const char* key, const char* what) const;
  std::string bytes_of(const nlohmann::json& value, const char* key) const;
  std::size_t count_of(const nlohmann::json& value, const char* key) const;
  const nlohmann::json& array(const char* key) const;

  const nlohmann::json& object_;
  std::string where_;
};

}  // namespace splitproof::evidence
