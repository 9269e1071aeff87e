#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/framing.hpp"
#include "harness/record/masked_body.hpp"
#include "harness/record/secrets.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"

namespace splitproof::record {

/// Precision of the boundaries in a recording.
enum class Fidelity : std::uint8_t {
  exact,   ///< The provider's HTTP chunks and the reads, as they came.
  frames,  ///< Pieces of HTTP/2 DATA frames, as the library returned them, or messages of a WebSocket.
};

/// Returns "exact" or "frames".
std::string_view name(Fidelity fidelity);

/// Side that ended a call.
enum class EndedBy : std::uint8_t { provider, client, recorder };

/// Returns "provider", "client" or "recorder".
std::string_view name(EndedBy side);

/// A call up to the head of its response.
struct CallHead {
  std::string protocol;
  std::string provider;  ///< Host of the provider.
  std::string method;
  std::string target;
  testee::Headers request_headers;
  std::string request_body;
  int status = 200;
  testee::Headers headers;  ///< Of the response.
  Fidelity fidelity = Fidelity::exact;
  bool anonymise = false;  ///< Words of users and of the model are replaced in the file.
};

/// Names of the recordings of one session: NAME-0001.rec.jsonl and so on. Each number is used once.
struct FileNames {
  std::string folder;
  std::string name;
  std::atomic<int> last = 0;
};

/// The file of one call. Each line is appended as soon as its bytes are masked, so the file is readable after a kill.
/// No secret reaches it.
class RecordingFile {
 public:
  /// Creates a file with the next number that is free, and writes the head. The Error says why it could not be written.
  static Result<RecordingFile> create(FileNames& names, CallHead head, Framing framing, Secrets& secrets);

  /// Adds bytes of the body, which came `at` seconds after the call began. After an Error nothing more is written.
  void add(double at, std::string_view bytes);

  void end(double at, recording::End end, EndedBy by);

  const std::string& path() const { return path_; }

  /// Returns the recording's name, without folder and suffix.
  std::string name() const;

  /// Returns why the file could not be written, or nullopt. After a failure there is no file: a torn one would be read
  /// as a response that broke off.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  RecordingFile(std::string path, Descriptor file, MaskedBody body)
      : path_(std::move(path)), file_(std::move(file)), body_(std::move(body)) {}

  void write_masked(std::string_view masked);
  void append(const std::string& line);

  struct Piece {
    double at = 0;
    std::size_t size = 0;
  };

  std::string path_;
  Descriptor file_;
  MaskedBody body_;
  std::deque<Piece> pieces_;  // not written yet
  std::string masked_;        // masked bytes of the first of them
  std::optional<Error> failure_;
};

}  // namespace splitproof::record
