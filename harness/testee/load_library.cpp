#include "harness/testee/load_library.hpp"

#include <dlfcn.h>

namespace splitproof::testee {

Result<void*> load_library(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return handle;
  return tl::unexpected(Error{std::string("cannot load the library: ") + dlerror(), path, 0, {}});
}

}  // namespace splitproof::testee
