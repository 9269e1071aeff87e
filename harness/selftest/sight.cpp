#include "harness/selftest/sight.hpp"

#include <utility>

#include "harness/contract/judge.hpp"
#include "harness/observe/documents.hpp"

namespace splitproof::selftest {
namespace {

observe::Documents documents_of(std::string_view protocol, const observe::Trace& meant,
                                const observe::Trace& got) {
  if (protocol == "anthropic.messages") return observe::documents_of_two(meant, got);
  if (protocol == "openai.chat") return observe::chat_documents_of_two(meant, got);
  return {};
}

std::string first_violated(const std::vector<contract::Judged>& all) {
  for (const contract::Judged& judged : all) {
    const bool counts = judged.obligation->level != contract::Level::info;
    if (counts && judged.verdict == contract::Verdict::violated) return judged.obligation->id;
  }
  return {};
}

}  // namespace

Witness::Witness(const contract::Contracts& contracts, const contract::Profile& profile, std::string protocol,
                 std::string_view body)
    : contracts_(&contracts), profile_(profile), protocol_(std::move(protocol)), meant_(read(body)) {
  answer_ = answer_of(protocol_, meant_);
}

observe::Trace Witness::read(std::string_view body) const {
  return observe::read_trace(body, contracts_->data_kind(protocol_));
}

Sight Witness::look(std::string_view body) const {
  const observe::Trace trace = read(body);
  Sight sight;
  sight.alters = answer_of(protocol_, trace) != answer_;
  sight.alone = first_violated(contract::judge(*contracts_, protocol_, profile_, trace, {}));
  sight.with_meaning = sight.alone;
  if (!sight.alone.empty()) return sight;
  const observe::Documents documents = documents_of(protocol_, meant_, trace);
  contract::Evidence evidence;
  evidence.expected = documents.expected.get();
  evidence.got = documents.got.get();
  if (documents.expected)
    sight.with_meaning = first_violated(contract::judge(*contracts_, protocol_, profile_, trace, evidence));
  return sight;
}

}  // namespace splitproof::selftest
