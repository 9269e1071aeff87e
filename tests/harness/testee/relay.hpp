#pragma once

#include <functional>
#include <string>

#include "harness/testee/http_testee.hpp"
#include "tests/harness/testee/raw_server.hpp"

namespace splitproof::testee {

/// How a relay treats what it passes on.
struct Manners {
  bool hides_message = false;   ///< the upstream is asked something else than the client said
  std::size_t asks = 1;         ///< so many times; the last answer counts
  bool buffers = false;         ///< the client gets everything at the end
  bool notices_leaving = true;  ///< of the client, while the upstream is silent
  bool hangs_on_stall = true;   ///< else it ends its answer when the upstream has been silent for a while
};

/// Sends a request to the upstream and its answer, byte for byte, to the client of the connection: the smallest proxy from
/// Chat Completions to Chat Completions.
void relay(const std::string& upstream_url, const Manners& manners, RawConnection& client,
           const UpstreamRequest& request);

/// A server with an HTTP testee for it that is started, both on ports of their own. As its supervisor demands, there must
/// be one thread when it is made.
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

/// A supervisor for a test. Aborts where there is none.
std::unique_ptr<Supervisor> supervisor_for_test();

/// Where a stand-in may listen: "127.0.0.1:PORT", with a port that nobody listens on.
std::string unused_address();

}  // namespace splitproof::testee
