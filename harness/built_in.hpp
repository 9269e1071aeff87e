#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace splitproof {

/// Virtual folder of the files that are part of the program. No system has it; these files are read like all
/// others.
inline constexpr std::string_view kBuiltIn = "built-in:";

/// Sets the archive of harness/cli/archive.py: a line "SIZE PATH" for each file, an empty line, and the bytes
/// of all files. It must live as long as the program. Call it before there are threads.
void set_built_in(std::string_view archive);

bool is_built_in(const std::filesystem::path& path);

/// Returns the bytes of a built-in file, or nullopt.
std::optional<std::string_view> built_in_file(const std::filesystem::path& path);

/// Returns all built-in files below a folder, in order.
std::vector<std::filesystem::path> built_in_files(const std::filesystem::path& folder);

/// True if the file exists, built in or not.
bool is_file(const std::filesystem::path& path);

/// Returns the files of a folder, built in or not, in order, or none if it is unreadable. Pipes, sockets and
/// devices do not count as files.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, std::error_code& failed);

}  // namespace splitproof
