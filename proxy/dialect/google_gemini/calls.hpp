#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "proxy/dialect/google_gemini/arguments.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Message of the failure if calls exceed their limit of bytes.
inline constexpr const char* kLargeCalls = "the upstream's tool calls are larger than one message may hold";

/// Reads the calls of a Gemini answer. A `functionCall` is a whole call, or on Vertex a piece of one: then its arguments
/// are gathered, and the call is one event after its last piece.
class GeminiCalls {
 public:
  explicit GeminiCalls(const Limits& limits) : limits_(limits) {}

  /// Reads one `functionCall` and appends its events.
  void read(const wire::Json& call, std::vector<turn::Event>& events);

  /// True if a call in pieces lacks its end.
  bool in_pieces() const { return open_.has_value(); }

  /// Returns the approximate memory of a call in pieces that lacks its end, in bytes.
  std::size_t cost() const;

  bool operator==(const GeminiCalls&) const = default;

 private:
  // A call in pieces.
  struct Pieces {
    std::string id;
    std::string name;
    std::string args;  // a whole object, if a piece has one
    GeminiArguments arguments;
    bool operator==(const Pieces&) const = default;
  };

  void add(std::string id, std::string name, std::string arguments, std::vector<turn::Event>& events);
  const char* take_piece(const wire::Json& call);

  Limits limits_;
  std::size_t calls_ = 0;  // Calls so far.
  std::optional<Pieces> open_;
};

}  // namespace splitproof::proxy::dialect
