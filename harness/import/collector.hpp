#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/import/imported_file.hpp"
#include "harness/import/importer.hpp"
#include "harness/result.hpp"

namespace splitproof::imports {

/// A reason to leave a stream in its file.
struct UnusableBody {
  std::string what;    ///< A noun: "30 of the 100 bytes of a body".
  std::string reason;  ///< A sentence: "the capture is cut".
};

inline constexpr const char* kCaptureIsCut = "the capture is cut";

/// A response whose status is not from 100 to 599.
inline const UnusableBody kWrongStatus = {"a response with a wrong status", "no server sends it"};

/// Collects the streams among the responses of a file.
class StreamCollector {
 public:
  /// `format` is such as "a HAR file".
  StreamCollector(const ImportSource& source, std::string format);

  /// Takes a response if its body is a stream. Counts it otherwise.
  void add(ImportedResponse response);

  /// Leaves a response with a stream that cannot be used.
  void leave(const std::string& place, const UnusableBody& body);

  /// Adds a phrase about other content of the file that is left.
  void note(std::string left) { left_.push_back(std::move(left)); }

  /// Returns the streams, or an Error if there are none.
  Result<ImportedFile> finish() &&;

 private:
  const ImportSource& source_;
  std::string format_;
  ImportedFile found_;
  std::vector<std::string> left_;
  std::string first_defect_;
  std::size_t others_ = 0;  // responses that are not streams
};

/// Returns the Error of a source.
tl::unexpected<Error> refuse(const ImportSource& source, std::string what, std::string hint,
                             std::size_t line = 0);

}  // namespace splitproof::imports
