#include <algorithm>
#include <utility>

#include "harness/campaign/connections.hpp"

namespace splitproof::campaign {
namespace {

contract::Obligation connection_rule(std::string_view id, std::string title, std::string says,
                                     std::string why, std::string document, std::string demands) {
  contract::Obligation one;
  one.id = id;
  one.level = contract::Level::must;
  one.title = std::move(title);
  one.says = std::move(says);
  one.why = std::move(why);
  one.contract = "meta";
  one.form = "connections";
  contract::Harm harm;
  harm.document = std::move(document);
  harm.says = std::move(demands);
  one.harm = {harm};
  return one;
}

}  // namespace

std::vector<contract::Obligation> connection_rules() {
  std::vector<contract::Obligation> rules = {
      connection_rule(
          kOwnAnswer, "Client receives bytes of another answer",
          "A client MUST NOT receive a byte that answers another request, be it another client's or one that nobody "
          "made.",
          "A proxy that reuses an upstream connection with bytes left in it gives one person's answer to another. "
          "From then on every answer may go to the wrong client.",
          "IETF, RFC 9112 HTTP/1.1, 9.2 Associating a Response to a Request",
          "data on a connection without an outstanding request is not a valid response"),
      connection_rule(
          kIdleEnd, "Idle upstream connection closed: next client gets an error",
          "An upstream connection that ends while it is idle MUST NOT become an error for the next client.",
          "Every server closes idle connections after some time. If a proxy notices this only with the "
          "next request, the first client after a pause gets an error.",
          "IETF, RFC 9112 HTTP/1.1, 9.5 Failures and Timeouts",
          "a peer may close the connection at any time, and implementations ought to monitor open connections for that"),
      connection_rule(
          kSentOnce, "Request reaches the upstream twice",
          "A client's request MUST reach the upstream once; only a request that a reused connection closed at once "
          "without a byte MAY be sent once more.",
          "The upstream may already have worked on a request whose answer was lost. Each repetition "
          "costs money again, and its tools act again.",
          "IETF, RFC 9110 HTTP Semantics, 9.2.2 Idempotent Methods",
          "a proxy must not automatically retry requests with methods that are not idempotent"),
      connection_rule(
          kRecovers, "Proxy does not recover from a broken upstream",
          "Whatever the upstream does with a connection, the proxy MUST end the exchange within its timeout, keep its "
          "memory bounded, and serve the next client.",
          "Otherwise an upstream that sends interim answers without end uses up the memory of the "
          "proxy, or stops it for all clients.",
          "IETF, RFC 9110 HTTP Semantics, 15.6.3 502 Bad Gateway",
          "a gateway that gets an invalid response from its upstream says so to its client")};
  for (contract::Obligation& one : rules)
    if (one.id == kSentOnce) one.knobs = {"upstream-retries"};
  return rules;
}

bool is_connection_rule(const contract::Obligation& obligation) { return obligation.form == "connections"; }

}  // namespace splitproof::campaign
