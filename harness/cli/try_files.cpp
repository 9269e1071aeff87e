#include "harness/cli/try_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <system_error>

#include "harness/wiring/target_text.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemark =
    "# How splitproof starts and asks this proxy. `splitproof try --write` made this file; docs/targets.md explains it.\n";

// Its last line is the command.
constexpr const char* kWorkflow =
    R"(# Tests the proxy on every change. `splitproof try --write` made this file.
name: splitproof
on: [push, pull_request]
permissions:
  contents: read
jobs:
  splitproof:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      # Install here what the proxy needs, and splitproof.
      - run: )";

Result<void> write_new(const char* path, const std::string& text) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (failed) return tl::unexpected(Error{"its folder cannot be made: " + failed.message(), path, 0, {}});
  return write_file(path, text);
}

}  // namespace

Result<void> check_unwritten() {
  for (const char* path : {kTargetPath, kKnownPath, kWorkflowPath}) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(path, ignored)))
      return tl::unexpected(
          Error{"the file exists, and --write overwrites nothing", path, 0, "move it, or leave out --write"});
  }
  return {};
}

Result<void> write_try_target(testee::TargetFile target) {
  if (!target.command.empty()) target.command.back() = "cd .. && " + target.command.back();
  return write_new(kTargetPath, kRemark + wiring::target_text(target));
}

std::string run_again_line(std::size_t cases) {
  return fmt::format("splitproof run --target {} --expect {}{}", kTargetPath, kKnownPath,
                     cases > 0 ? fmt::format(" --cases {}", cases) : " --quick");
}

Result<void> write_try_workflow(std::size_t cases) {
  return write_new(kWorkflowPath, kWorkflow + run_again_line(cases) + "\n");
}

}  // namespace splitproof::cli
