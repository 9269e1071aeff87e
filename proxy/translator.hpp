#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "proxy/dialect/knobs.hpp"
#include "proxy/dialect/table.hpp"
#include "proxy/names/answer_names.hpp"
#include "proxy/names/tool_map.hpp"
#include "proxy/relay/relay.hpp"
#include "proxy/request/reshaping.hpp"
#include "proxy/text/cleaning.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/rescue.hpp"
#include "proxy/text/think_tags.hpp"
#include "proxy/turn/ledger.hpp"

namespace splitproof {

/// How one stream is translated.
struct TranslatorOptions {
  const proxy::dialect::UpstreamRow* upstream =
      &proxy::dialect::upstreams().front();  ///< the protocol that is read
  const proxy::dialect::ClientRow* client =
      &proxy::dialect::clients().front();  ///< the protocol that is written
  request::Reply reply;
  turn::Rules rules;
  proxy::dialect::Knobs dialect;
  text::ThinkTagRule think_tags = text::ThinkTagRule::reroute;
  text::LeakedMarkup leaked_markup = text::LeakedMarkup::pass;
  std::vector<text::Function> functions;  ///< that the client declared, where calls in text are to be made
  text::CleaningRules cleaning;
  request::Reshaping request;  ///< what becomes of the request beside being translated
  names::Names names = names::Names::same;
  names::ToolMap tool_map;               ///< the tools of a request that `names` calls otherwise
  std::string secret;                    ///< which no error is to say; see wire::conceal
  relay::Form relay = relay::Form::raw;  ///< how a stream goes on that is read and written in one protocol

  /// Both sides speak one protocol, of which it is known in what order a stream may come.
  bool is_within_a_protocol() const {
    return upstream->order != nullptr && upstream->protocol == client->protocol;
  }

  /// Names are changed where they stand, in what else stays as it came.
  bool names_in_place() const {
    return names != names::Names::same && is_within_a_protocol() && upstream->tools_in_place != nullptr;
  }

  /// So they do, and the request is to go on as it came, but for names that are changed in place: what the upstream says
  /// is passed on, and nothing else here counts but the rules.
  bool relays() const {
    return is_within_a_protocol() && !request.any() && (names == names::Names::same || names_in_place());
  }

  /// A request that no knob has a use for can go on as it came: nothing is promised of its answer that a relay lacks.
  bool may_relay() const {
    return is_within_a_protocol() && leaked_markup == text::LeakedMarkup::pass && !cleaning.any();
  }

  /// Promises nothing of requests any more, so that the exchange of one that goes on as it came is passed on.
  void pass_on() {
    request = {};
    if (!names_in_place()) names = names::Names::same;
  }

  bool operator==(const TranslatorOptions&) const = default;
};

/// What changes the events of a turn on their way to the ledger where it is asked for. Each is large.
using Filter = std::variant<text::Rescue, text::Cleaning, names::AnswerNames>;

/// Translates one stream of the upstream's protocol into one of the client's, bytes to bytes, as they come; or passes
/// it on, where they are the same.
///
/// Pure: no clock, no randomness, no I/O. The output depends on the bytes fed and the options alone, never on
/// how the bytes were cut, and neither does the state. Any bytes are survivable: what cannot be read ends the
/// stream with an error event.
class Translator {
 public:
  explicit Translator(const TranslatorOptions& options);

  /// Takes any number of upstream bytes and appends everything they allow to be said.
  void feed(std::string_view bytes, std::string& out);

  /// The time by now, in seconds since 1970, for a protocol that says when an answer was whole. Until it is set, that is
  /// when the reply was created.
  void set_time(std::uint64_t now);

  /// The upstream body is over, in the way given. Feed nothing more.
  void finish(turn::BodyEnd end, std::string& out);

  /// The message has ended, with its terminal event or an error: whatever else is fed says nothing.
  bool over() const { return relay_ ? relay_->over() : ledger_.over(); }

  /// The client has the end of the message. What little may follow need not be waited for.
  bool ended() const { return relay_ ? relay_->ended() : over(); }

  /// All that was said is of its own making, and none of it the upstream's as it came.
  bool made_it_all() const { return !relay_ || !relay_->passed(); }

  /// The items that the client was told, if it may refer to them in a later request.
  std::vector<proxy::dialect::ToldItem> told() const;

  /// Appends what keeps a client waiting. It may stand wherever a `feed` has ended.
  void write_ping(std::string& out) const;

  bool operator==(const Translator&) const = default;

 private:
  void pass_on(const std::vector<wire::Frame>& frames, std::string& out);
  void write(std::vector<turn::Step>& steps, std::string& out);

  proxy::dialect::Framer framer_;
  proxy::dialect::Reader reader_;
  text::ThinkTags think_tags_;
  std::vector<Filter> filters_;  // behind it; each takes what the one before it gives
  turn::Ledger ledger_;
  proxy::dialect::Writer writer_;
  std::string secret_;
  std::optional<relay::Relay> relay_;  // does it all
};

}  // namespace splitproof
