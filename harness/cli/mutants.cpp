#include "harness/cli/mutants.hpp"

#include <filesystem>
#include <string>
#include <system_error>

namespace splitproof::cli {

namespace fs = std::filesystem;

Result<std::shared_ptr<const testee::Library>> open_mutants() {
  const std::string file = "splitproof-mutants.so";
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  const fs::path beside = folder / file;
  const fs::path installed = folder.parent_path() / SPLITPROOF_LIBDIR / "splitproof" / file;
  if (!failed && fs::exists(beside, failed)) return testee::Library::open(beside.string());
  if (!failed && fs::exists(installed, failed)) return testee::Library::open(installed.string());
  return tl::unexpected(Error{"the mutants are not where they belong", installed.string(), 0,
                              "build or install all of splitproof again"});
}

}  // namespace splitproof::cli
