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

/// Counts the output that a client has received, event by event.
class ProgressMeter {
 public:
  virtual ~ProgressMeter() = default;
  virtual void take(const observe::SseEvent& event) = 0;
  virtual observe::Due told() const = 0;

  /// True if the client knows that the answer is over.
  virtual bool over() const = 0;
};

/// Fields in which a server chooses new values for each answer: JSON pointers into the data of events, with
/// `*` for every element of an array.
struct ChosenFields {
  std::vector<std::string_view> ids;    ///< Fields with a string.
  std::vector<std::string_view> times;  ///< Fields with a number.
};

/// A function that a client offers.
struct WantedTool {
  std::string name;
  std::string description = {};  ///< Empty: kToolDescription.
  std::string schema = {};       ///< Schema of its arguments as JSON; empty: open_schema.
};

/// Features that a client must request for an answer.
struct Wants {
  std::vector<WantedTool> tools;  ///< Unique names.
  bool thinking = false;
  std::string system = {};  ///< The system prompt; empty: none.
};

/// Common parts of requests in all dialects: a user's message on the tide, the schema of a tool for any
/// object, and a tool description, because some proxies reject tools without one.
nlohmann::json user_turn();
nlohmann::json open_schema();
inline constexpr const char* kToolDescription = "A tool that the answer may call.";

/// Return the schema and the description of a tool in a request.
nlohmann::json schema_of(const WantedTool& tool);
std::string description_of(const WantedTool& tool);

/// Names in a request's messages. A message has a `role` and content: a text, or a list of parts.
struct MessageForm {
  std::string_view list = "messages";    ///< Member of the request with the messages.
  std::string_view content = "content";  ///< Member of a message with its content.
  std::string_view text_type = "text";  ///< Type of its text parts; empty: parts have no type and are a list.
  std::string_view model_role = "assistant";
};

/// Returns a message of this role with these texts. Several texts are several parts.
nlohmann::json text_message(const MessageForm& form, std::string_view role,
                            const std::vector<std::string>& texts);

/// A request as it is sent over HTTP.
struct ClientCall {
  std::string path;  ///< With its query.
  std::string body;
};

/// A dialect as a client reads it.
class Client {
 public:
  virtual ~Client() = default;

  /// Returns the answer that a client assembles from a stream, independent of its chunks. A truncated stream
  /// is not an error here.
  virtual observe::Answer assemble(observe::EventStream& stream) const = 0;

  /// Returns the same in the form that rules compare, with the calls that the client runs.
  virtual observe::NormalisedAnswer side(observe::EventStream& stream) const = 0;

  /// Returns further content besides its parts and their end, by its name in messages, as in
  /// observe::Answer::extra.
  virtual std::map<std::string, std::string> notes(observe::EventStream& /*stream*/) const { return {}; }

  /// Do the same for a trace.
  observe::Answer assemble(const observe::Trace& trace) const;
  observe::NormalisedAnswer side(const observe::Trace& trace) const;

  /// Returns the capabilities of its clients, with the tools of their request. null: no known request.
  virtual observe::ClientCapabilities carries(const nlohmann::json* request) const = 0;

  virtual std::unique_ptr<ProgressMeter> meter(const observe::Choices& choices) const = 0;

  /// Returns the text that an event adds to the answer.
  virtual std::string added_text(const nlohmann::json& event) const = 0;

  virtual const ChosenFields& chosen() const = 0;

  /// Returns the frames of a stream that only reports a failure with this HTTP status.
  virtual std::string lone_error(int status) const = 0;

  /// Returns the body of a request for an answer with these features: a short user turn that requests a
  /// stream.
  virtual nlohmann::json request(const Wants& wants) const = 0;

  /// Return the same request for an answer in one piece, or for a stream.
  nlohmann::json whole_request(nlohmann::json request) const;
  nlohmann::json streamed_request(nlohmann::json request) const;

  /// Returns the frames of a stream with the content of an answer in one piece, or "" if `whole` is not of
  /// the protocol.
  virtual std::string as_stream(const nlohmann::json& whole) const = 0;

  /// Returns the request with which a client continues, as in its official SDK: `request`, the answer, and an
  /// invented result for each call of a client tool, or else a question. `reversed`: the results are in
  /// reverse order. Returns null after a failed answer, because no client continues then.
  virtual nlohmann::json next_request(const nlohmann::json& request, observe::EventStream& answer,
                                      bool reversed) const = 0;

  /// Returns the request's member with stop sequences, or "".
  virtual std::string_view stop_member() const { return {}; }

  virtual MessageForm message_form() const { return {}; }

  /// Returns the HTTP request for a request to the path of a target. Requests have the members `model` and `stream` in
  /// the whole harness. A dialect that has them in the path moves them there.
  virtual ClientCall call(const std::string& path, const nlohmann::json& request) const;

  /// Returns headers in addition to content-type and keys, as name and value.
  virtual std::vector<std::pair<std::string, std::string>> headers() const { return {}; }

  /// Returns special headers of the WebSocket handshake that its clients try first. Returns none if they try
  /// none.
  virtual std::vector<std::pair<std::string, std::string>> upgrade_headers() const { return {}; }
};

}  // namespace splitproof::dialect
