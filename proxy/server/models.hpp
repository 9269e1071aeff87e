#pragma once

#include <map>
#include <string>
#include <vector>

#include "proxy/request/asked.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::server {

/// Maps the client's model to the upstream's.
struct Models {
  std::map<std::string, std::string> mapped;  ///< client's name -> upstream's; others pass unchanged
  std::string only;                           ///< upstream's model for every request; empty: see `mapped`

  bool operator==(const Models&) const = default;
};

/// Returns the configured models under the names that clients use.
inline std::vector<std::string> names_of(const Models& models) {
  if (!models.only.empty()) return {models.only};
  std::vector<std::string> names;
  for (const auto& [asked, upstream] : models.mapped) names.push_back(asked);
  return names;
}

/// Puts the upstream's model into a client's request.
inline void choose_model(const Models& models, request::Asked& asked) {
  const auto mapped = models.mapped.find(request::plain(asked.model));
  if (models.only.empty() && mapped == models.mapped.end()) return;
  std::string quoted;
  wire::append_quoted(quoted, models.only.empty() ? mapped->second : models.only);
  asked.model = quoted.substr(1, quoted.size() - 2);
}

}  // namespace splitproof::server
