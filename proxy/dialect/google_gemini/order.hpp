#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "proxy/dialect/google_gemini/calls.hpp"
#include "proxy/dialect/ruling.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Order of the frames in a stream of `generateContent`:
///
/// 1. Every frame is a JSON object. A closing mark of another protocol is dropped, because Google's SDK fails on it.
/// 2. An error in the protocol's form is the last frame. An error in another form, or outside of events, is replaced by
///    one in this form.
/// 3. A stream ends with an error, or in an orderly way after the reason of every candidate, or after a blocked prompt.
///    Another end is an error.
/// 4. A call in pieces ends before the stream does, and each piece fits its place. Otherwise the stream ends with an
///    error, because clients cannot use the call.
///
/// A reason ends nothing by itself, because content may follow it. Other parts are not checked: clients accept parts of
/// unknown kinds.
class GeminiOrder {
 public:
  explicit GeminiOrder(turn::Rules rules) : rules_(std::move(rules)) {}

  /// Decides about the next frame.
  Ruling take(const wire::Frame& frame);

  /// Decides about the end of the body.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Ends the stream with an error.
  static void fail(const turn::Failure& failure, std::string& out);

  /// Always true: Google sends the error of a stream that broke as an object outside of events.
  static bool reads_bare_objects() { return true; }

  /// Always false: content may follow a reason, and nothing follows an error.
  static bool ended() { return false; }

  bool operator==(const GeminiOrder&) const = default;

 private:
  // One of several answers in a stream.
  struct Candidate {
    bool finished = false;  // it has a reason
    GeminiCalls calls;
    bool operator==(const Candidate&) const = default;
  };

  Ruling take_object(const wire::Json& object);
  Ruling take_candidate(const wire::Json& candidate, std::uint64_t index);
  bool finished() const;

  turn::Rules rules_;
  std::size_t frames_ = 0;                         // frames so far, for messages
  bool blocked_ = false;                           // the prompt was blocked
  std::map<std::uint64_t, Candidate> candidates_;  // by their indices
  std::size_t call_bytes_ = 0;                     // memory of their open calls
};

}  // namespace splitproof::proxy::dialect
