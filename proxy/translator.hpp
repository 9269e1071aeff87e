#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/dialect/anthropic_writer.hpp"
#include "proxy/dialect/chat_calls.hpp"
#include "proxy/dialect/chat_reader.hpp"
#include "proxy/text/think_tags.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/bare_body.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof {

/// How one stream is translated.
struct TranslatorOptions {
  std::uint64_t seed = 1;  ///< makes the ids that the upstream does not give; another for every stream
  turn::Rules rules;
  dialect::SameIndexNewId same_index_new_id = dialect::SameIndexNewId::new_call;
  dialect::ContentFilter content_filter = dialect::ContentFilter::refusal;
  text::ThinkTagRule think_tags = text::ThinkTagRule::reroute;

  bool operator==(const TranslatorOptions&) const = default;
};

/// Translates one Chat Completions stream into one Anthropic Messages stream, bytes to bytes, as they come.
///
/// Pure: no clock, no randomness, no I/O. The output depends on the bytes fed and the options alone, never on
/// how the bytes were cut, and neither does the state. Any bytes are survivable: what cannot be read ends the
/// stream with an error event.
class Translator {
 public:
  explicit Translator(const TranslatorOptions& options);

  /// Takes any number of upstream bytes and appends everything they allow to be said.
  void feed(std::string_view bytes, std::string& out);

  /// The upstream body is over, in the way given. Feed nothing more.
  void finish(turn::BodyEnd end, std::string& out);

  /// The message has ended, with its terminal event or an error: whatever else is fed says nothing.
  bool over() const { return ledger_.over(); }

  bool operator==(const Translator&) const = default;

 private:
  void pass_on(const std::vector<wire::SseFrame>& frames, std::string& out);
  void write(const std::vector<turn::Step>& steps, std::string& out);

  wire::SseReader sse_;
  wire::BareBody bare_;  // what came, until it proves to be a stream
  dialect::ChatReader reader_;
  text::ThinkTags think_tags_;
  turn::Ledger ledger_;
  dialect::AnthropicWriter writer_;
};

}  // namespace splitproof
