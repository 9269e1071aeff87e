#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "harness/campaign/normal_form.hpp"
#include "harness/observe/anthropic_message.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/due.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/meaning.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::campaign {

/// What a client assembles from a stream. Nothing where the harness has no reader for its protocol.
using Message = std::variant<std::monostate, observe::AnthropicMessage, observe::Meaning>;

/// One sentence on the first difference between two messages of one protocol, naming `a`'s side first; empty exactly
/// when they are equal.
std::string describe_difference(const Message& a, const Message& b, const observe::Sides& sides = {});

/// What two answers of a testee outside this process must agree in: prose in one block or in several is the same, an id
/// or a signature stands for its place in the order of ids, and of an error only the type counts.
Message essence(Message message);

/// Counts what a client has been told, event by event.
class Hearing {
 public:
  virtual ~Hearing() = default;
  virtual void take(const observe::SseEvent& event) = 0;
  virtual observe::Due told() const = 0;

  /// Whether it has been told that the answer is over.
  virtual bool over() const = 0;
};

/// What a campaign knows about the clients of one protocol. All that depends on a client's protocol, other than its
/// contracts, is behind this.
class Client {
 public:
  virtual ~Client() = default;

  /// What rules compare as `expected.` and `got.` of an answer that was translated; null where there are no such documents
  /// for this protocol.
  virtual observe::Documents documents(const observe::Expected& expected,
                                       const observe::Trace& downstream) const = 0;

  /// The same where the upstream speaks this protocol too: its own stream says what was meant.
  virtual observe::Documents relayed(const observe::Trace& upstream,
                                     const observe::Trace& downstream) const = 0;

  /// What a client assembles from a stream; `body` and `trace` are the same bytes.
  virtual Message message(std::string_view body, const observe::Trace& trace) const = 0;

  /// Whether anybody hears anything: whether there is a reader.
  virtual bool hears() const { return true; }

  virtual std::unique_ptr<Hearing> listen(const observe::Choices& choices) const = 0;

  virtual const ChosenFields& chosen() const = 0;

  /// The frame by which a stream says nothing but that it failed; empty where there is no such reader.
  virtual std::string_view lone_error() const { return {}; }
};

/// The clients of a protocol. For one without a reader, whatever a stream says is no message, and tells nothing.
const Client& client_of(std::string_view protocol);

}  // namespace splitproof::campaign
