#pragma once

#include <map>
#include <string>
#include <vector>

#include "proxy/request/asked.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::server {

/// Which model is asked of the upstream.
struct Models {
  std::map<std::string, std::string> mapped;  ///< asked for -> asked of the upstream; others pass unchanged
  std::string only;  ///< asked of the upstream whatever was asked for; empty: see `mapped`

  bool operator==(const Models&) const = default;
};

/// The models that a configuration names, as clients ask for them.
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
