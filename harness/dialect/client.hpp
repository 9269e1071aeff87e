#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/normalised_answer.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::dialect {

/// Counts what a client has been told, event by event.
class ProgressMeter {
 public:
  virtual ~ProgressMeter() = default;
  virtual void take(const observe::SseEvent& event) = 0;
  virtual observe::Due told() const = 0;

  /// Whether it has been told that the answer is over.
  virtual bool over() const = 0;
};

/// Where the events of a dialect have what a server chooses anew for each answer: pointers into their data, with `*` for
/// every element of an array.
struct ChosenFields {
  std::vector<std::string_view> ids;    ///< strings
  std::vector<std::string_view> times;  ///< numbers
};

/// A function that a client offers.
struct WantedTool {
  std::string name;
  std::string description = {};  ///< empty: as kToolDescription has it
  std::string schema = {};       ///< of its arguments, as JSON; empty: open_schema
};

/// What an answer needs that a client has to ask for.
struct Wants {
  std::vector<WantedTool> tools;  ///< each name once
  bool thinking = false;
  std::string system = {};  ///< the system prompt; empty: there is none
};

/// What requests of all dialects are made of: the messages of a user who asks about the tide, the schema of a tool that
/// takes any object, and what such a tool is for, as some proxies refuse tools without that.
nlohmann::json user_turn();
nlohmann::json open_schema();
inline constexpr const char* kToolDescription = "A tool that the answer may call.";

/// What a request says of a tool.
nlohmann::json schema_of(const WantedTool& tool);
std::string description_of(const WantedTool& tool);

/// A dialect as a client reads it.
class Client {
 public:
  virtual ~Client() = default;

  /// What a client assembles from a stream, without how it was dealt out. A stream that was cut off is no error here.
  virtual observe::Answer assemble(observe::EventStream& stream) const = 0;

  /// The same in the form that rules compare, with what the client runs.
  virtual observe::NormalisedAnswer side(observe::EventStream& stream) const = 0;

  /// What it says beside its parts and their end, by what a sentence calls it, as observe::Answer::extra has it.
  virtual std::map<std::string, std::string> notes(observe::EventStream& /*stream*/) const { return {}; }

  /// The first two of a trace.
  observe::Answer assemble(const observe::Trace& trace) const;
  observe::NormalisedAnswer side(const observe::Trace& trace) const;

  /// What its clients can be told, and of which tools they said so in their request; null: no request is known.
  virtual observe::ClientCapabilities carries(const nlohmann::json* request) const = 0;

  virtual std::unique_ptr<ProgressMeter> meter(const observe::Choices& choices) const = 0;

  /// The text that an event adds to the answer's.
  virtual std::string added_text(const nlohmann::json& event) const = 0;

  virtual const ChosenFields& chosen() const = 0;

  /// The frames by which a stream says nothing but that it failed, for the reason that this HTTP status gives.
  virtual std::string lone_error(int status) const = 0;

  /// The body of a request for an answer that needs these: a short user turn that asks for a stream.
  virtual nlohmann::json request(const Wants& wants) const = 0;

  /// The same request for an answer in one piece, and for a stream.
  nlohmann::json whole_request(nlohmann::json request) const;
  nlohmann::json streamed_request(nlohmann::json request) const;

  /// The frames of a stream that says what an answer in one piece says; empty where `whole` is none of the protocol.
  virtual std::string as_stream(const nlohmann::json& whole) const = 0;

  /// The request by which a client goes on, as its official SDK would have it: `request`, then what it was told, then a
  /// made result for each call of a tool that the client runs, or a question where there is none. `reversed`: the results
  /// come in the reverse order. Null where no client goes on from such an answer, as it failed.
  virtual nlohmann::json next_request(const nlohmann::json& request, observe::EventStream& answer,
                                      bool reversed) const = 0;

  /// Which member of a request has the texts at which the answer is to stop; empty: none.
  virtual std::string_view stop_member() const { return {}; }

  /// Which member of a request has the messages, and of what type their parts are that hold text.
  virtual std::string_view messages_member() const { return "messages"; }
  virtual std::string_view text_part() const { return "text"; }

  /// Header fields beside content-type and keys, as name and value.
  virtual std::vector<std::pair<std::string, std::string>> headers() const { return {}; }

  /// Those of the WebSocket handshake that its clients try first, beside what every handshake has; none: they try none.
  virtual std::vector<std::pair<std::string, std::string>> upgrade_headers() const { return {}; }
};

}  // namespace splitproof::dialect
