#include "harness/cli/own_file.hpp"

#include <filesystem>
#include <system_error>

namespace splitproof::cli {

namespace fs = std::filesystem;

Result<std::string> own_file(const std::string& name, const std::string& missing) {
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  const fs::path installed = folder.parent_path() / SPLITPROOF_LIBDIR / "splitproof" / name;
  for (const fs::path& file : {folder / name, installed})
    if (!failed && fs::exists(file, failed)) return file.string();
  return tl::unexpected(Error{missing, installed.string(), 0, kBuildAll});
}

}  // namespace splitproof::cli
