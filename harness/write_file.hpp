#pragma once

#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/result.hpp"

namespace splitproof {

/// Makes `text` all that a file says. Whoever reads the file, also after a crash or on a full disk, finds what it said
/// before or all of `text`: the bytes go to a file without a name first, reach the disk, and take its name. If this program
/// is killed in the moment in which both have names, or if the file system has no files without names, the other file is
/// left, as NAME.splitproof-1.new. The next write of the same file removes it. Links are followed, and the file keeps its
/// mode. What is no regular file (a terminal, a pipe) is written to, and so is what this program prints to; a pipe is waited
/// for as pipe_waits.hpp says. An Error gives the system's reason; nothing has changed then.
Result<void> write_file(const std::string& path, std::string_view text);

/// Whether write_file could replace or make this file now, without doing so. `hint` is the Error's.
Result<void> check_writable(const std::string& path, const std::string& hint);

/// What is known of a file before all of it is. It goes to a file beside it, which has its name with ".part" behind it, so
/// that somebody can read along, and finds it after the program was killed; the file itself changes only with write_file.
class PartOfFile {
 public:
  static std::string path_of(const std::string& path);

  /// Begins anew, whatever lies there. Where write_file would write to what is there, such as a terminal, there is no part
  /// of it, and nothing is written.
  static Result<PartOfFile> begin(const std::string& path);

  /// After an Error nothing more is written.
  Result<void> append(std::string_view lines);

  /// All of the file is known.
  void remove();

 private:
  std::string path_;
  Descriptor file_;
};

/// Held as long as the descriptor lives: no other program that asks for it changes a file in the same folder. For those who
/// write what follows from what a file says.
Result<Descriptor> lock_folder_of(const std::string& path);

}  // namespace splitproof
