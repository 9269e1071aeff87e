#pragma once

#include <span>
#include <string_view>

#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {

/// A kind that stands for itself, with what it does written out.
struct Scene {
  std::string_view family;
  Operator what;
  std::string_view applied_to;
  bool (*change)(Draft& draft);  ///< says whether the draft has what it takes; else the draft is thrown away
};

/// Adds a kind for each. Events are numbered anew where `renumbers` is true.
void add_scenes(KindList& kinds, std::span<const Scene> scenes, bool renumbers);

}  // namespace splitproof::selftest
