#pragma once

#include <string>

namespace splitproof::observe {

/// Whose fault an error may be, which is what clients act by: they mend the request, wait, or ask again at once. More than
/// one where either may be told, as of an overload; none where the provider does not say.
struct ErrorClasses {
  bool request = false;  ///< asked again, it fails again
  bool limit = false;    ///< too much was asked for in too short a time
  bool server = false;

  constexpr bool any() const { return request || limit || server; }
  bool operator==(const ErrorClasses&) const = default;
};

constexpr ErrorClasses operator|(ErrorClasses a, ErrorClasses b) {
  return {a.request || b.request, a.limit || b.limit, a.server || b.server};
}

constexpr ErrorClasses operator&(ErrorClasses a, ErrorClasses b) {
  return {a.request && b.request, a.limit && b.limit, a.server && b.server};
}

/// "limit or server"; empty for none.
std::string words_for(ErrorClasses classes);

}  // namespace splitproof::observe
