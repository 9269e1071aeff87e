#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "proxy/dialect/knobs.hpp"
#include "proxy/dialect/table.hpp"
#include "proxy/text/think_tags.hpp"
#include "proxy/turn/ledger.hpp"

namespace splitproof {

/// How one stream is translated.
struct TranslatorOptions {
  const proxy::dialect::Upstream* upstream =
      &proxy::dialect::upstreams().front();  ///< the protocol that is read
  const proxy::dialect::Client* client =
      &proxy::dialect::clients().front();  ///< the protocol that is written
  request::Reply reply;
  turn::Rules rules;
  proxy::dialect::Knobs dialect;
  text::ThinkTagRule think_tags = text::ThinkTagRule::reroute;

  bool operator==(const TranslatorOptions&) const = default;
};

/// What changes the events of a turn on their way to the ledger.
using Filter = std::variant<text::ThinkTags>;

/// Translates one stream of the upstream's protocol into one of the client's, bytes to bytes, as they come.
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

  /// Appends what keeps a client waiting. It may stand wherever a `feed` has ended.
  void write_ping(std::string& out) const;

  bool operator==(const Translator&) const = default;

 private:
  void pass_on(const std::vector<wire::Frame>& frames, std::string& out);
  void write(const std::vector<turn::Step>& steps, std::string& out);

  proxy::dialect::Framer framer_;
  proxy::dialect::Reader reader_;
  std::vector<Filter> filters_;  // each takes what the one before it gives
  turn::Ledger ledger_;
  proxy::dialect::Writer writer_;
};

}  // namespace splitproof
