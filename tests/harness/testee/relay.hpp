#pragma once

#include <functional>
#include <string>

#include "harness/testee/http_testee.hpp"
#include "tests/harness/testee/raw_server.hpp"

namespace splitproof::testee {

/// Behaviour of a relay.
struct Manners {
  bool hides_message = false;   ///< sends another message to the upstream than the client's
  std::size_t asks = 1;         ///< number of upstream requests; the last answer counts
  bool buffers = false;         ///< the client gets everything at the end
  bool notices_leaving = true;  ///< of the client, while the upstream is silent
  bool hangs_on_stall = true;   ///< otherwise it ends its answer after a silence of the upstream
};

/// Sends a request to the upstream and its answer, byte for byte, to the client: the smallest proxy from Chat
/// Completions to Chat Completions.
void relay(const std::string& upstream_url, const Manners& manners, RawConnection& client,
           const UpstreamRequest& request);

/// A server with a started HTTP testee for it, both on ports of their own. The supervisor requires that the process has
/// one thread at construction.
class RelayedTestee {
 public:
  using Serve = std::function<void(const std::string& upstream_url, RawConnection&, const UpstreamRequest&)>;

  explicit RelayedTestee(Serve serve, const std::function<void(TargetFile&)>& set_up = {},
                         const HttpTimeouts& timeouts = {});
  explicit RelayedTestee(const Manners& manners, const std::function<void(TargetFile&)>& set_up = {},
                         const HttpTimeouts& timeouts = {});

  const HttpTestee& operator*() const { return *testee_; }
  const HttpTestee* operator->() const { return testee_.get(); }

 private:
  std::unique_ptr<Supervisor> supervisor_;
  StopToken stop_;
  std::string upstream_url_;
  std::unique_ptr<RawServer> server_;
  std::unique_ptr<HttpTestee> testee_;
};

/// Returns a supervisor for a test. Aborts on failure.
std::unique_ptr<Supervisor> supervisor_for_test();

/// Returns an address for a stand-in: "127.0.0.1:PORT", with an unused port.
std::string unused_address();

}  // namespace splitproof::testee
