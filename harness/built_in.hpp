#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace splitproof {

/// The folder of the files that are part of the program. No system has it; they are read like all others.
inline constexpr std::string_view kBuiltIn = "built-in:";

/// Takes the files that harness/cli/archive.py put together: a line "SIZE PATH" for each, an empty line, and the bytes of
/// all. They must live as long as the program. To be called before there are threads.
void set_built_in(std::string_view archive);

bool is_built_in(const std::filesystem::path& path);

/// The bytes of a built-in file; none where there is no such one.
std::optional<std::string_view> built_in_file(const std::filesystem::path& path);

/// All built-in files below a folder, in order.
std::vector<std::filesystem::path> built_in_files(const std::filesystem::path& folder);

/// Is there such a file, built in or not?
bool is_file(const std::filesystem::path& path);

/// The files of a folder, built in or not, in order; none where it cannot be read. Pipes, sockets and devices are no files.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, std::error_code& failed);

}  // namespace splitproof
