#include "harness/testee/fresh_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace splitproof::testee {
namespace {

namespace fs = std::filesystem;

// Package managers write-protect what they unpack, and a folder without write permission cannot be emptied.
void lift_protection(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    if (entry->symlink_status(ignored).type() == fs::file_type::directory) lift_protection(entry->path());
  }
}

}  // namespace

Result<std::unique_ptr<FreshFolder>> FreshFolder::make(const std::string& name) {
  std::error_code failed;
  const fs::path parent = fs::absolute(fs::temp_directory_path(failed), failed);
  if (failed)
    return tl::unexpected(
        Error{"there is no folder for temporary files: " + failed.message(), {}, 0, "set TMPDIR"});
  std::string path = (parent / ("splitproof-" + name + "-XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) {
    return tl::unexpected(Error{
        std::string("cannot make a temporary folder: ") + std::strerror(errno), parent.string(), 0, {}});
  }
  return std::unique_ptr<FreshFolder>(new FreshFolder(std::move(path)));
}

FreshFolder::~FreshFolder() {
  std::error_code failed;
  fs::remove_all(path_, failed);
  if (!failed) return;
  lift_protection(path_);
  fs::remove_all(path_, failed);
}

}  // namespace splitproof::testee
