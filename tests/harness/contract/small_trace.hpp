#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::contract {

/// A hand-written trace, one event in each line:
///
///     {"t": "a"}            the data
///     name|{"t": "a"}       with an `event:` line
///     text|!FAULT           FAULT is invalid-utf8, broken-json or unterminated-event; the event has no JSON
///
/// Other lines are short for several events: `a b1` is {"t":"a"} and {"t":"b","k":1}. Event i has the bytes [100*i,
/// 100*i+90) and begins on line 3*i+1.
observe::Trace small_trace(std::string_view lines);

/// A temporary folder, removed with its content.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file and the folders above it. Returns its path.
  std::filesystem::path write(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

/// Returns a JSON document; null for the empty text.
std::shared_ptr<const nlohmann::json> json_document(std::string_view text);

/// Loads one contract file with this text.
Result<Contracts> load_text(std::string_view text);

}  // namespace splitproof::contract
