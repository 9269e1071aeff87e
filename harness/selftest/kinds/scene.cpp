#include "harness/selftest/kinds/scene.hpp"

namespace splitproof::selftest {

void add_scenes(KindList& kinds, std::span<const Scene> scenes, bool renumbers) {
  for (const Scene& scene : scenes) {
    kinds.add(scene.family, scene.what, scene.applied_to,
              [renumbers, change = scene.change](const Draft& draft) -> Bodies {
                Draft changed = draft;
                if (draft.size() == 0 || !change(changed)) return {};
                if (renumbers) changed.renumber();
                return {changed.body()};
              });
  }
}

}  // namespace splitproof::selftest
