#include "harness/cli/mutants.hpp"

#include "harness/cli/own_file.hpp"

namespace splitproof::cli {

Result<std::shared_ptr<const testee::Library>> open_mutants() {
  const auto file = own_file("splitproof-mutants.so", "the library of mutants is missing");
  if (!file) return tl::unexpected(file.error());
  return testee::Library::open(*file);
}

}  // namespace splitproof::cli
