#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Realistic streams of any size for measurements. All conform to their contract.

namespace splitproof::bench {

/// Main content of a stream.
enum class Kind {
  text,            ///< text in pieces of a few words
  letters,         ///< text in single letters: the most events for each byte
  arguments,       ///< the arguments of one call, in pieces
  calls,           ///< short calls, one after another: the most blocks for each byte
  call_then_text,  ///< the arguments of one call, and as much text after it
};

inline const std::vector<Kind> kKinds = {Kind::text, Kind::letters, Kind::arguments, Kind::calls,
                                         Kind::call_then_text};

/// Returns a name, such as "text in pieces".
const char* name(Kind kind);

/// Protocols with streams: anthropic.messages, openai.chat and openai.responses.
extern const std::vector<std::string> kProtocols;

/// Returns a stream of a protocol of kProtocols, of about `size` bytes.
std::string stream_of(const std::string& protocol, Kind kind, std::size_t size);

}  // namespace splitproof::bench
