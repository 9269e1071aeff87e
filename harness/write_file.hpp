#pragma once

#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/result.hpp"

namespace splitproof {

/// Replaces the content of a file by `text`. A reader finds the old content or all of `text`, even after a
/// crash or on a full disk. The bytes first go to a file without a name, reach the disk, and then take the
/// name. If this program is killed while both have names, or if the file system has no nameless files,
/// NAME.splitproof-1.new may remain. The next write of the same file removes it.
///
/// Follows links and keeps the file's mode. Writes directly to a terminal, a pipe, or a file to which this
/// program prints. Waits for a pipe as in pipe_waits.hpp. An Error has the system's reason; then nothing has
/// changed.
Result<void> write_file(const std::string& path, std::string_view text);

/// Makes a folder and those above it, unless they exist.
Result<void> make_folder(const std::string& path);

/// Checks whether write_file could replace or create this file now, without doing so. `hint` is the Error's.
Result<void> check_writable(const std::string& path, const std::string& hint);

/// The known part of an incomplete file, in a file next to it with the suffix ".part". So a user can read it
/// early, and find it after the program was killed. The file itself changes only with write_file.
class PartOfFile {
 public:
  static std::string path_of(const std::string& path);

  /// Begins a part file with this text. A reader finds the old part or all of the text, even after a crash.
  /// If write_file would write directly, for example to a terminal, there is no part file.
  static Result<PartOfFile> begin(const std::string& path, std::string_view text);

  /// After an Error, writes nothing more.
  Result<void> append(std::string_view lines);

  /// Removes the part file when the whole file is known.
  void remove();

 private:
  std::string path_;
  Descriptor file_;
};

/// Locks a folder as long as the descriptor lives: no other program that uses this lock changes a file in it.
/// Use it to write content that depends on a file's old content.
Result<Descriptor> lock_folder_of(const std::string& path);

}  // namespace splitproof
