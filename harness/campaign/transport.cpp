#include "harness/campaign/transport.hpp"

#include <algorithm>
#include <utility>

#include "harness/campaign/judgeability.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/evidence/transport_trace.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::campaign {
namespace {

// Returns a fact if the upstream itself sends a message that is no event, which a relay passes on.
std::vector<testee::SocketEvent> own_socket_facts(const std::string& body, const dialect::SocketForm& form) {
  observe::SseReader reader;
  reader.feed(body);
  reader.finish();
  for (const observe::SseEvent& event : reader.events())
    if (event.terminated && form.has_message(event.data) && !form.is_event(event.data))
      return {{"fault", {{"side", "client"}, {"kind", "event"}}}};
  return {};
}

}  // namespace

using contract::Judged;
using contract::Verdict;

testee::Observation passed_on(const Upstream& upstream, const recording::Recording& recording) {
  testee::Observation seen;
  seen.body = upstream.body;
  seen.ending = upstream.end == recording::End::complete ? testee::Ending::complete : testee::Ending::cut;
  testee::HttpMessage message;
  message.status = status_of(upstream, recording);
  for (const auto& [name, value] : recording.headers) message.headers.push_back({name, value});
  message.chunked = true;
  message.final_chunks = upstream.end == recording::End::complete ? 1 : 0;
  testee::UpstreamCall call;
  call.status = message.status;
  if (const dialect::SocketForm* form = dialect::socket_form_of(recording.protocol))
    seen.socket = own_socket_facts(upstream.body, *form);
  seen.http = std::move(message);
  seen.calls.push_back(std::move(call));
  return seen;
}

void attribute_to_client_or_upstream(Judged& judged, const contract::Violation& upstreams,
                                     const char* reason) {
  if (judged.verdict != Verdict::violated || judged.violation != upstreams) return;
  judged.verdict = Verdict::passed_on;
  judged.reason = reason;
}

std::vector<Judged> TransportJudge::judge(const Upstream& upstream,
                                          const testee::Observation& observation) const {
  if (!testee_.over_http) return {};
  std::vector<Judged> all = rules(upstream, observation);
  const Judgeability judgeability = judgeability_of(observation, testee_, upstream);
  if (!judgeability.ran) {
    for (Judged& one : all) one = contract::not_judged(*one.obligation, judgeability.unjudged);
    return all;  // the answer until the client left can be judged
  }
  const bool clean = std::none_of(all.begin(), all.end(),
                                  [](const Judged& one) { return one.verdict == Verdict::violated; });
  if (clean || testee_.client != testee_.upstream) return all;
  const std::vector<Judged> upstreams_own = rules(upstream, passed_on(upstream, recording_));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (upstreams_own[i].verdict == Verdict::violated)
      attribute_to_client_or_upstream(all[i], upstreams_own[i].violation,
                                      "the upstream's own answer violates it");
  }
  return all;
}

std::vector<Judged> TransportJudge::rules(const Upstream& upstream,
                                          const testee::Observation& observation) const {
  const testee::Exchange exchange = exchange_of(upstream, recording_);
  const auto response = evidence::response_document(observation);
  contract::Context known;
  known.request = request_;
  known.response = response.get();
  known.features.insert(recording_.features.begin(), recording_.features.end());
  return contract::judge(contracts_, contract::kTransport, profile_,
                         evidence::transport_trace(testee_.client, exchange, observation), known);
}

}  // namespace splitproof::campaign
