#include "harness/testee/load_library.hpp"

namespace splitproof::testee {

// A library needs the glibc that the program was linked with, and a system may have another.
Result<void*> load_library(const std::string& path) {
  return tl::unexpected(Error{"this splitproof is a static program, and loads no libraries", path, 0,
                              "use splitproof of the Debian package, or build it with `make`"});
}

}  // namespace splitproof::testee
