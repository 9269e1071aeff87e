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
#include "proxy/relay/frame_relay.hpp"
#include "proxy/relay/relay.hpp"
#include "proxy/request/reshaping.hpp"
#include "proxy/text/cleaning.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/rescue.hpp"
#include "proxy/text/think_tags.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/event_array.hpp"

namespace splitproof {

/// Options of one stream's translation.
struct TranslatorOptions {
  const proxy::dialect::UpstreamRow* upstream = &proxy::dialect::upstreams().front();  ///< Protocol to read.
  const proxy::dialect::ClientRow* client = &proxy::dialect::clients().front();        ///< Protocol to write.
  request::Reply reply;
  turn::Rules rules;
  proxy::dialect::Knobs dialect;
  text::ThinkTagRule think_tags = text::ThinkTagRule::reroute;
  text::LeakedMarkup leaked_markup = text::LeakedMarkup::pass;
  std::vector<text::Function> functions;  ///< The client's declared functions, if calls in text are rescued.
  text::CleaningRules cleaning;
  request::Reshaping request;  ///< Changes of the request besides translation.
  names::Names names = names::Names::same;
  names::ToolMap tool_map;               ///< Tools of the request that `names` renames.
  std::string secret;                    ///< Must not occur in errors; see wire::conceal.
  relay::Form relay = relay::Form::raw;  ///< Form of a relayed stream.

  /// True if both sides use one protocol with a known order.
  bool is_within_a_protocol() const {
    return upstream->order != nullptr && upstream->protocol == client->protocol;
  }

  /// True if names are changed in otherwise unchanged content.
  bool names_in_place() const {
    return names != names::Names::same && is_within_a_protocol() && upstream->tools_in_place != nullptr;
  }

  /// True if the request and the answer are relayed, apart from names changed in place. Then only the rules count here.
  bool relays() const {
    return is_within_a_protocol() && !request.any() && (names == names::Names::same || names_in_place());
  }

  /// True if a request without any use of the knobs can be relayed: no knob changes its answer.
  bool may_relay() const {
    return is_within_a_protocol() && leaked_markup == text::LeakedMarkup::pass && !cleaning.any();
  }

  /// Clears the knobs about requests, so that the exchange of an unchanged request is relayed.
  void pass_on() {
    request = {};
    if (!names_in_place()) names = names::Names::same;
  }

  bool operator==(const TranslatorOptions&) const = default;
};

/// Optional changes of a turn's events before the ledger. Each is large.
using Filter = std::variant<text::Rescue, text::Cleaning, names::AnswerNames>;

/// Translates one stream of the upstream's protocol into the client's, bytes to bytes, or relays it if both are the
/// same.
///
/// Pure: no clock, no randomness, no I/O. Output and state depend only on the bytes and the options, never on the
/// chunks. Any bytes are safe: unreadable input ends the stream with an error event.
class Translator {
 public:
  explicit Translator(const TranslatorOptions& options);

  /// Takes any number of upstream bytes and appends all possible output.
  void feed(std::string_view bytes, std::string& out);

  /// Sets the current time, in seconds since 1970, for protocols with a time of completion. Until then it is the
  /// reply's time of creation.
  void set_time(std::uint64_t now);

  /// The upstream body has ended in the given way. Feed nothing more.
  void finish(turn::BodyEnd end, std::string& out);

  /// True after the message's terminal event or an error. Later input is ignored.
  bool over() const {
    if (!relay_) return ledger_.over();
    return std::visit([](const auto& relay) { return relay.over(); }, *relay_);
  }

  /// True if the client has the end of the message. It need not wait for the little that may follow.
  bool ended() const {
    if (!relay_) return over();
    return std::visit([](const auto& relay) { return relay.ended(); }, *relay_);
  }

  /// True if the translator made all output itself and relayed nothing.
  bool made_it_all() const {
    return !relay_ || std::visit([](const auto& relay) { return !relay.passed(); }, *relay_);
  }

  /// Returns the items of the answer, if the client may refer to them later.
  std::vector<proxy::dialect::ToldItem> told() const;

  /// Appends a keep-alive. It is allowed after any `feed`.
  void write_ping(std::string& out) const;

  bool operator==(const Translator&) const = default;

 private:
  template <class Relaying>
  void relay(Relaying relaying, std::string& out);
  void pass_on(const std::vector<wire::Frame>& frames, std::string& out);
  void write(std::vector<turn::Step>& steps, std::string& out);

  proxy::dialect::Framer framer_;
  proxy::dialect::Reader reader_;
  text::ThinkTags think_tags_;
  std::vector<Filter> filters_;  // in order, after the think tags
  turn::Ledger ledger_;
  proxy::dialect::Writer writer_;
  std::string secret_;
  std::optional<std::variant<relay::Relay, relay::FrameRelay>> relay_;  // if set, it does all the work
  std::optional<wire::EventArray> in_array_;                            // if set, it rewrites what is relayed
};

}  // namespace splitproof
