#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/http_client.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/testee/stand_in.hpp"

namespace splitproof::wiring {

/// A request that the proxy sent to the stand-in.
struct Call {
  std::string protocol;  ///< By its path; empty: unknown.
  std::string method;
  std::string target;
  std::string body;
};

/// How far a question got.
enum class ProbeReach {
  nothing,   ///< No answer, or the proxy does not know the path.
  refused,   ///< Another status, and no request reached the stand-in.
  called,    ///< A request reached the stand-in, but the answer is an error.
  answered,  ///< A successful answer that has no events of the client's protocol.
  streamed,  ///< The answer has events of the client's protocol.
  read,      ///< The client reads the text that the stand-in sent.
};

/// A question to the proxy, and its result.
struct ClientProbe {
  std::string client;  ///< Protocol.
  std::string path;
  std::string request;  ///< Body.
  testee::Reply reply;
  std::vector<Call> calls;
  ProbeReach reach = ProbeReach::nothing;

  int status() const { return reply.http ? reply.http->status : 0; }

  /// The first call whose protocol is known, or null.
  const Call* call() const;
};

/// Asks a proxy one short question at a time. The stand-in answers each call in the protocol that its path belongs to.
class ClientProber {
 public:
  /// All must outlive it.
  ClientProber(testee::StandIn& stand_in, const testee::HttpAddress& address, const testee::StopToken& stop)
      : stand_in_(stand_in), address_(address), stop_(stop) {}

  /// Sends the shortest request of a client's protocol. `model` replaces the request's, unless it is empty; `headers` come
  /// before those that clients of the protocol send.
  ClientProbe ask(const std::string& client, const std::string& path, const std::string& model,
                  const testee::Headers& headers) const;

  /// The names of the models that the proxy lists, if it does.
  std::vector<std::string> models(const testee::Headers& headers) const;

 private:
  testee::StandIn& stand_in_;
  const testee::HttpAddress& address_;
  const testee::StopToken& stop_;
};

}  // namespace splitproof::wiring
