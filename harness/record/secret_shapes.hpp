#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/result.hpp"

namespace re2 {
class RE2;
}

namespace splitproof::record {

/// A secret in a text, and the way in which it was found.
struct SecretPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view kind;      ///< For people: "API key (AIza)", "value of a secret name".
  bool recognisable = false;  ///< Its shape alone shows that it is a secret.
};

/// Finds secrets in a text without escapes. Matching takes time linear in the text. It does not report masks.
class SecretShapes {
 public:
  SecretShapes();

  /// Adds an expression of the user (RE2's syntax). Its first group is the secret, or without groups its whole
  /// match.
  Result<void> add(const std::string& expression);

  /// Returns the secrets: values of secret names, parameters of URLs, the user's, and well-known shapes. They
  /// may overlap.
  std::vector<SecretPlace> find(std::string_view text) const;

 private:
  std::vector<std::shared_ptr<const re2::RE2>> user_;
};

/// Returns the begins and ends of the values in a field of cookies. Leaves out attributes such as Path.
std::vector<std::pair<std::size_t, std::size_t>> cookie_values(std::string_view text);

/// True if a header, a cookie or a member of this name has a secret value.
bool is_secret_name(std::string_view name);

}  // namespace splitproof::record
