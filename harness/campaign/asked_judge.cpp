#include "harness/campaign/asked_judge.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/campaign/transport.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/lower_case.hpp"
#include "harness/results/result.hpp"
#include "harness/testee/client_request.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

// Violations refer to the request.
void show(std::vector<Judged>& all, const std::string& body) {
  for (Judged& judged : all)
    if (judged.verdict == Verdict::violated || judged.verdict == Verdict::passed_on)
      judged.shown = body.substr(0, results::kKeptBody);
}

dialect::RequestMessage message_of(const testee::UpstreamCall& call, const std::string& body,
                                   const std::string& client, const std::string& request) {
  dialect::RequestMessage message;
  message.method = call.method;
  message.path = call.target;
  nlohmann::json headers = nlohmann::json::object();
  for (const testee::Header& header : call.headers) headers[lower_case(header.name)] = header.value;
  if (!headers.empty()) message.headers = std::make_shared<const nlohmann::json>(std::move(headers));
  message.body = dialect::body_of_request(body, message.fault);
  message.end = body.size();
  message.client = client;
  std::string fault;
  if (!request.empty()) message.asked = dialect::body_of_request(request, fault);
  return message;
}

std::vector<Judged> judge_by(const observe::AskedRules& rules, const contract::Contracts& contracts,
                             const contract::Profile& profile, const dialect::RequestDialect& reader,
                             const dialect::RequestMessage& message) {
  const dialect::ComparedRequests both = dialect::compared(reader, message, rules);
  contract::Context known;
  known.expected = both.documents.expected.get();
  known.got = both.documents.got.get();
  known.features = both.shapes;
  known.unread = both.unread;
  return contract::judge(contracts, std::string(reader.protocol) + std::string(dialect::kUpstreamSide),
                         profile, dialect::asked_trace(reader, message), known);
}

}  // namespace

std::vector<Judged> judge_request(const contract::Contracts& contracts, const contract::Profile& profile,
                                  const dialect::RequestDialect& reader,
                                  const dialect::RequestMessage& message) {
  const auto rules = observe::asked_rules_of(profile.knobs, contracts.name_maps());
  return judge_by(rules, contracts, profile, reader, message);
}

bool is_of_requests(const contract::Obligation& obligation) {
  return !contract::side_of_requests(obligation.contract, {}).empty();
}

bool AskedJudge::refuses(const testee::Observation& seen) const {
  return seen.calls.empty() && seen.http && is_about_request(recording_);
}

Digest AskedJudge::key(const testee::Observation& seen) {
  std::string all = testee::without_tokens(seen.request);
  for (const testee::UpstreamCall& call : seen.calls) {
    all += "\n" + call.target + "\n" + testee::without_tokens(call.body);
    for (const testee::Header& header : call.headers) all += "\n" + header.name + ": " + header.value;
  }
  if (seen.calls.empty() && seen.http) all += "\n" + std::to_string(seen.http->status);
  return digest_of(all);
}

// Returns the protocol of the client's own requests. A client under test has no clients: it must send what an official SDK
// of the protocol sends.
const std::string& AskedJudge::client() const {
  return testee_.reads_answer() ? testee_.upstream : testee_.client;
}

std::string AskedJudge::unseen(const testee::Observation& seen) const {
  if (seen.calls.empty()) return "the target did not call its upstream";
  return "the target called its upstream at " + seen.calls.front().target;
}

// Passes on the violations in the client's own request.
void AskedJudge::attribute_to_client(std::vector<Judged>& all, const dialect::RequestDialect& reader,
                                     const dialect::RequestMessage& message) const {
  const bool clean = std::none_of(all.begin(), all.end(),
                                  [](const Judged& one) { return one.verdict == Verdict::violated; });
  if (clean || message.asked == nullptr) return;
  dialect::RequestMessage own = message;
  own.body = message.asked;
  own.headers = nullptr;  // these and the path are the testee's
  own.path.clear();
  // Without the profile's changes to requests, which no client makes itself.
  const std::vector<Judged> clients = judge_by({}, contracts_, profile_, reader, own);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (clients[i].verdict == Verdict::violated)
      attribute_to_client_or_upstream(all[i], clients[i].violation, "the client's own request violates it");
}

// Returns one entry for each obligation, with this verdict.
std::vector<Judged> AskedJudge::none(Verdict verdict, const std::string& why) const {
  std::vector<Judged> all;
  for (const contract::ContractFile* file :
       contracts_.files_for(testee_.upstream + std::string(dialect::kUpstreamSide)))
    for (const contract::CompiledObligation& one : file->obligations)
      all.push_back(contract::not_judged(one.about, why));
  for (Judged& one : all) one.verdict = verdict;
  return all;
}

std::vector<Judged> AskedJudge::judge(const testee::Observation& seen) const {
  if (testee_.continues && seen.request.empty()) return none(Verdict::not_exercised, "");
  if (testee_.continues && !unjudged_.empty()) return none(Verdict::not_judged, unjudged_);
  if (!testee_.over_http && seen.request.empty()) return {};
  const std::string side = testee_.upstream + std::string(dialect::kUpstreamSide);
  const dialect::RequestDialect* reader = dialect::request_reader_of(side);
  const std::string request = testee::without_tokens(seen.request);
  std::vector<Judged> all;
  std::optional<dialect::RequestMessage> astray;
  for (const testee::UpstreamCall& call : seen.calls) {
    if (reader == nullptr) break;
    const std::string body = testee::without_tokens(call.body);
    dialect::RequestMessage message = message_of(call, body, client(), request);
    message.answered = answered_;
    if (call.target.empty()) continue;
    if (!dialect::is_request_of(*reader, message)) {
      if (!astray && (message.method.empty() || message.method == "POST")) astray = std::move(message);
      continue;
    }
    std::vector<Judged> one = judge_request(contracts_, profile_, *reader, message);
    if (client() == testee_.upstream) attribute_to_client(one, *reader, message);
    show(one, body);
    if (all.empty()) {
      all = std::move(one);
      continue;
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      if (contract::outweighs(one[i].verdict, all[i].verdict)) all[i] = std::move(one[i]);
  }
  if (!all.empty()) return all;
  if (astray) return judge_request(contracts_, profile_, *reader, *astray);
  if (refuses(seen) && reader != nullptr) {
    dialect::RequestMessage nothing;
    nothing.status = seen.http->status;
    nothing.client = client();
    nothing.answered = answered_;
    std::string fault;
    nothing.asked = dialect::body_of_request(request, fault);
    all = judge_request(contracts_, profile_, *reader, nothing);
    for (Judged& one : all)
      if (one.verdict == Verdict::not_judged) one.verdict = Verdict::not_exercised;
    return all;
  }
  const std::string why =
      reader == nullptr ? "splitproof cannot read requests of " + testee_.upstream : unseen(seen);
  return none(Verdict::not_judged, why);
}

}  // namespace splitproof::campaign
