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

/// Reads what an upstream body says, frame by frame. It is the yardstick for translators and shares no code with any.
///
/// What so_far() says only grows: parts are added at the end, and text at the end of parts (observe::FlushRequirement relies on
/// it).
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;

  /// The next frame of the body.
  virtual void take(const observe::SseEvent& frame) = 0;

  /// The body has ended, and this is all of it: where it is no stream but one document, such as an error, it is read now.
  virtual void take_plain_body(std::string_view body) = 0;

  virtual const observe::Answer& so_far() const = 0;

  /// What the answer says if its body ends here.
  virtual observe::Answer finished() const = 0;

  bool operator==(const AnswerReader&) const = default;
};

/// What a stream can have any number of.
enum class Many : std::uint8_t {
  calls,
  blocks,   ///< text and thinking in turn, or blocks of text
  choices,  ///< answers beside each other
};

/// The text of the tiny answer of each dialect, and the tool that a stream of many calls calls.
inline constexpr std::string_view kTinyText = "Ebb";
inline constexpr std::string_view kManyTool = "tide";

/// A dialect as a provider speaks it.
class UpstreamDialect {
 public:
  virtual ~UpstreamDialect() = default;

  /// What its bodies are made of.
  virtual BodyFormat format() const = 0;

  virtual std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const = 0;

  /// The names of the shapes that its reader may note.
  virtual std::vector<std::string_view> shapes() const = 0;

  virtual std::string_view content_type() const { return "text/event-stream"; }

  /// The pieces of a stream that says one word: what an upstream answers while a target is tried out.
  virtual std::vector<std::string> tiny_answer() const = 0;

  /// A sound stream that has `count` of these, with ids that are numbered from `first`; empty where the dialect has no such
  /// streams.
  virtual std::string stream_of_many(Many /*what*/, std::size_t /*count*/, std::size_t /*first*/) const {
    return {};
  }

  /// The answer in one piece, as JSON, which it gives where no stream is asked for; empty where that cannot say the same.
  virtual std::string whole_answer(const observe::Answer& /*answer*/) const { return {}; }

  /// Who deals its bodies out anew; null where nobody does.
  virtual const split::Rechunker* dealer() const { return nullptr; }

  /// Stream `number` of a trial with a body. None where it has no text that could be replaced, or does not end well.
  virtual std::optional<CanaryStream> canary(std::string_view body, std::size_t number) const = 0;
};

/// What a reader makes of a stream that a client has read: of no unterminated event.
observe::Answer read(AnswerReader& reader, observe::EventStream& stream);

/// What a whole body says.
observe::Answer read(const UpstreamDialect& upstream, std::string_view body,
                     const observe::Choices& choices = {});

}  // namespace splitproof::dialect
