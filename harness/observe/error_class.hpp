#pragma once

#include <string>

namespace splitproof::observe {

/// Possible origins of an error. Clients react to them: they fix the request, wait, or retry at once. More
/// than one if several are valid, as for an overload. None if the provider does not report it.
struct ErrorClasses {
  bool request = false;  ///< A retry fails again.
  bool limit = false;    ///< Too many requests in too short a time.
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

/// Returns words such as "limit or server", or "" for none.
std::string words_for(ErrorClasses classes);

}  // namespace splitproof::observe
