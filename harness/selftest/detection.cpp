#include "harness/selftest/detection.hpp"

#include <utility>

#include "harness/contract/judge.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/documents.hpp"
#include "harness/selftest/words_of.hpp"

namespace splitproof::selftest {
namespace {

observe::Documents documents_of(std::string_view protocol, const observe::Trace& meant,
                                const observe::Trace& got) {
  const dialect::Client* client = dialect::client_of(protocol);
  return client ? observe::documents_of_two(client->side(meant), client->side(got)) : observe::Documents();
}

observe::Answer decided(std::string_view protocol, const observe::Trace& trace) {
  const dialect::SelfTestWords& words = words_of(protocol);
  return words.decided ? words.decided(trace) : observe::Answer();
}

// Returns the first violated `must`, otherwise the first violated rule, or null.
const contract::Obligation* first_violated(const std::vector<contract::Judged>& all) {
  const contract::Obligation* advice = nullptr;
  for (const contract::Judged& judged : all) {
    if (judged.verdict != contract::Verdict::violated) continue;
    if (judged.obligation->level == contract::Level::must) return judged.obligation;
    if (judged.obligation->level == contract::Level::should && !advice) advice = judged.obligation;
  }
  return advice;
}

}  // namespace

StreamExaminer::StreamExaminer(const contract::Contracts& contracts, const contract::Profile& profile,
                               std::string protocol, std::string_view body)
    : contracts_(&contracts), profile_(profile), protocol_(std::move(protocol)), meant_(read(body)) {
  answer_ = decided(protocol_, meant_);
}

observe::Trace StreamExaminer::read(std::string_view body) const {
  return observe::read_trace(body, contracts_->data_kind(protocol_));
}

Detection StreamExaminer::look(std::string_view body) const {
  const observe::Trace trace = read(body);
  Detection sight;
  sight.alters = decided(protocol_, trace) != answer_;
  const auto see = [&](const contract::Context& evidence) {
    const contract::Obligation* found =
        first_violated(contract::judge(*contracts_, protocol_, profile_, trace, evidence));
    sight.decides = found && found->level == contract::Level::must;
    return found ? found->id : std::string();
  };
  sight.alone = see({});
  sight.with_meaning = sight.alone;
  if (!sight.alone.empty()) return sight;
  const observe::Documents documents = documents_of(protocol_, meant_, trace);
  contract::Context evidence;
  evidence.expected = documents.expected.get();
  evidence.got = documents.got.get();
  evidence.words = documents.words.get();
  if (documents.expected) sight.with_meaning = see(evidence);
  return sight;
}

}  // namespace splitproof::selftest
