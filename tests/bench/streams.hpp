#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Streams to measure with: of any size, and of a kind that real ones have. All conform to their contract.

namespace splitproof::bench {

/// What most events of a stream are.
enum class Kind {
  text,            ///< text in pieces of a few words
  letters,         ///< text a letter at a time: the most events a byte
  arguments,       ///< the arguments of one call, in pieces
  calls,           ///< one short call after the other: the most blocks a byte
  call_then_text,  ///< the arguments of one call, and as much text behind it
};

inline const std::vector<Kind> kKinds = {Kind::text, Kind::letters, Kind::arguments, Kind::calls,
                                         Kind::call_then_text};

/// "text in pieces"
const char* name(Kind kind);

/// The protocols that there are streams of: anthropic.messages, openai.chat and openai.responses.
extern const std::vector<std::string> kProtocols;

/// A stream of a protocol of kProtocols, of about `size` bytes.
std::string stream_of(const std::string& protocol, Kind kind, std::size_t size);

}  // namespace splitproof::bench
