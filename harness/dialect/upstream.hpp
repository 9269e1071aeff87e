#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/canary.hpp"
#include "harness/framing.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Reads the meaning of an upstream body, frame by frame. It is the reference for translators and shares no
/// code with any.
///
/// The result of so_far() only grows: parts are added at the end, and text at the end of parts
/// (observe::FlushRequirement relies on it).
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;

  /// Takes the next frame of the body.
  virtual void take(const observe::SseEvent& frame) = 0;

  /// Ends the body and takes all of it. If it is one document instead of a stream, such as an error, it is
  /// read now.
  virtual void take_plain_body(std::string_view body) = 0;

  virtual const observe::Answer& so_far() const = 0;

  /// Returns the answer if its body ends here.
  virtual observe::Answer finished() const = 0;

  bool operator==(const AnswerReader&) const = default;
};

/// Elements that a stream can have in any number.
enum class Many : std::uint8_t {
  calls,
  blocks,   ///< Text and thinking alternately, or blocks of text.
  choices,  ///< Parallel answers.
};

/// Text of each dialect's tiny answer, and the tool in a stream of many calls.
inline constexpr std::string_view kTinyText = "Ebb";
inline constexpr std::string_view kManyTool = "tide";

/// A dialect as a provider speaks it.
class UpstreamDialect {
 public:
  virtual ~UpstreamDialect() = default;

  /// Returns the format of its bodies.
  virtual BodyFormat format() const = 0;

  virtual std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const = 0;

  /// Returns the names of the shapes that its reader may note.
  virtual std::vector<std::string_view> shapes() const = 0;

  virtual std::string_view content_type() const { return "text/event-stream"; }

  /// Returns the pieces of a one-word stream, which the upstream sends while a target is tried out.
  virtual std::vector<std::string> tiny_answer() const = 0;

  /// Returns a sound stream with `count` of these, with ids numbered from `first`, or "" if the dialect has
  /// no such streams.
  virtual std::string stream_of_many(Many /*what*/, std::size_t /*count*/, std::size_t /*first*/) const {
    return {};
  }

  /// Returns the JSON answer to a request without a stream, or "" if it cannot have the same content.
  virtual std::string whole_answer(const observe::Answer& /*answer*/) const { return {}; }

  /// Returns the reason why a provider never sends this body for a request to this target of HTTP, or "".
  virtual std::string other_form(std::string_view /*target*/, std::string_view /*body*/) const { return {}; }

  /// Returns the dealer of its bodies, or null.
  virtual const split::Rechunker* dealer() const { return nullptr; }

  /// Returns stream `number` of a trial with a body. Returns nullopt if it has no text to replace, or does
  /// not end properly.
  virtual std::optional<CanaryStream> canary(std::string_view body, std::size_t number) const = 0;
};

/// Returns the reading of a stream that a client has read, without an unterminated event.
observe::Answer read(AnswerReader& reader, observe::EventStream& stream);

/// Returns the meaning of a whole body.
observe::Answer read(const UpstreamDialect& upstream, std::string_view body,
                     const observe::Choices& choices = {});

}  // namespace splitproof::dialect
