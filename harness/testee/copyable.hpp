#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::testee {

/// The part of a stream that finds the ends of pieces. The stream handles the bytes of one piece after the other.
class PieceFinder {
 public:
  struct Taken {
    std::size_t size = 0;
    bool whole = false;  ///< The piece ends after these bytes.

    bool operator==(const Taken&) const = default;
  };

  virtual ~PieceFinder() = default;

  /// Takes the bytes up to the end of the current piece, or all of them.
  virtual Taken take(std::string_view bytes) = 0;

  virtual std::unique_ptr<PieceFinder> copy() const = 0;

  /// Becomes a copy of another finder of the same stream.
  virtual void become(const PieceFinder& other) = 0;
  virtual bool equals(const PieceFinder& other) const = 0;
};

/// One exchange of a testee whose state can be copied. One thread at a time may use an exchange and its copies.
class CopyableStream {
 public:
  virtual ~CopyableStream() = default;

  /// Returns a copy of this state. If the testee makes none, the copy has a failure().
  virtual std::unique_ptr<CopyableStream> copy() const = 0;

  /// Becomes a copy of another state of the same exchange.
  virtual void become(const CopyableStream& other) = 0;

  /// True if all later output is equal, whatever both are fed. Always false if the testee cannot compare states.
  virtual bool equals(const CopyableStream& other) const = 0;

  /// Returns the output before the first chunk.
  virtual std::string opening() const { return {}; }

  /// Takes one upstream chunk and appends downstream bytes.
  virtual void feed(std::string_view chunk, std::string& out) = 0;

  /// Ends the upstream body.
  virtual void finish(recording::End end, std::string& out) = 0;

  /// Returns the reason why the exchange has failed, or "".
  virtual std::string failure() const { return {}; }

  /// Returns a stream of only the framer, before the first byte. Its output describes its frames. The rest of the stream
  /// sees only whole frames, one after the other. Null if the stream has no such parts.
  virtual std::unique_ptr<CopyableStream> framer() const { return nullptr; }

  /// Returns the part that finds pieces, before the first byte, if the stream only repeats one step: it handles the bytes
  /// up to the end of a piece. Otherwise null.
  virtual std::unique_ptr<PieceFinder> pieces() const { return nullptr; }
};

/// A testee whose exchanges can be copied.
class Copyable {
 public:
  virtual ~Copyable() = default;

  /// False if its exchanges cannot be copied.
  virtual bool copies() const = 0;

  /// False if its states cannot be compared.
  virtual bool compares() const = 0;

  /// Opens the exchange of a recording, before its first byte. The Error is the reason why there is none.
  virtual Result<std::unique_ptr<CopyableStream>> open(const recording::Recording& recording) const = 0;
};

}  // namespace splitproof::testee
