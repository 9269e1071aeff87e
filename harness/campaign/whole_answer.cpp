#include "harness/campaign/whole_answer.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/campaign/comparison.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/contract/json_value.hpp"
#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/documents.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;
using nlohmann::json;
using observe::NormalisedAnswer;

constexpr int kFirstServerError = 500;
constexpr std::string_view kInOnePiece = "in one piece, ";

Judged told(Verdict verdict, std::string message, const testee::Observation& whole) {
  Judged one;
  one.obligation = &meta_obligation(kSameWhole);
  one.verdict = verdict;
  one.begin = 0;
  one.end = std::min<std::size_t>(whole.body.size(), 160);
  one.violation.found = message;
  one.found = message;
  one.message = std::move(message);
  return one;
}

// True if every call asks its upstream for a stream.
bool asks_for_streams(const testee::Observation& whole, const testee::Traits& testee) {
  return std::all_of(whole.calls.begin(), whole.calls.end(), [&](const testee::UpstreamCall& call) {
    return dialect::asks_for_stream(testee.upstream, call.target, call.body);
  });
}

// Truncated arguments cannot be expressed in one piece, so calls are not compared.
bool has_cut_call(const NormalisedAnswer& side) {
  return std::any_of(side.calls.begin(), side.calls.end(), [](const NormalisedAnswer::Call& call) {
    return !call.custom && !call.input.is_object();
  });
}

}  // namespace

std::set<std::string> differing(const observe::Documents& documents) {
  std::set<std::string> names;
  for (const json* document : {documents.expected.get(), documents.got.get()})
    for (const auto& [name, value] : document->items())
      if (documents.expected->value(name, json()) != documents.got->value(name, json())) names.insert(name);
  return names;
}

std::string difference_of_whole(const dialect::Client& client, const NormalisedAnswer& streamed,
                                const NormalisedAnswer& whole, const std::set<std::string>& left_out) {
  const observe::Documents documents = observe::documents_of_two(streamed, whole);
  const std::set<std::string> different = differing(documents);
  std::vector<std::string> compared = {"error", "text", "thinking", "refusal", "finish", "usage"};
  if (!has_cut_call(streamed)) {
    compared.insert(compared.end(), {"called", "names", "inputs", "takes"});
    if (client.carries(nullptr).order) compared.emplace_back("kinds");
  }
  for (const std::string& name : compared) {
    if (different.count(name) == 0 || left_out.count(name) > 0) continue;
    return std::string(kInOnePiece) + name + " is " +
           contract::excerpt(written(documents.got->value(name, json()))) + ", and in the stream it is " +
           contract::excerpt(written(documents.expected->value(name, json())));
  }
  return {};
}

std::string part_that_differs(std::string_view difference) {
  if (!difference.starts_with(kInOnePiece)) return {};
  difference.remove_prefix(kInOnePiece.size());
  const std::string name(difference.substr(0, difference.find(' ')));
  constexpr std::string_view kBesideContent[] = {"error", "finish", "usage"};
  const bool is_content =
      std::find(std::begin(kBesideContent), std::end(kBesideContent), name) == std::end(kBesideContent);
  return is_content ? "content" : name;
}

Judged judge_whole(const StreamedCounterpart& streamed, const testee::Observation& whole,
                   const Judgeability& judgeability, const testee::Traits& testee,
                   const observe::DataKind& kind) {
  const auto unjudged = [](std::string why) { return meta_not_judged(kSameWhole, std::move(why)); };
  if (!judgeability.unjudged.empty()) return unjudged(judgeability.unjudged);
  if (!streamed.judgeability.unjudged.empty())
    return unjudged("of the streamed answer: " + streamed.judgeability.unjudged);
  const dialect::Client* client = dialect::client_of(testee.client);
  if (client == nullptr || !whole.http) return unjudged("the target has no answer in one piece");
  const bool failed = streamed.side.error || streamed.judgeability.refused;
  if (!asks_for_streams(whole, testee)) {
    if (streamed.whole.empty()) {
      return unjudged(
          "the target also asks its upstream for an answer in one piece, which cannot repeat the "
          "recording");
    }
    if (failed)
      return unjudged(
          "the target rejects the recorded stream, and the answer in one piece has no such fault");
  }
  const int status = whole.http->status;
  const std::string by_status = "status " + std::to_string(status);
  if (status != kOk) {
    if (failed) return told(Verdict::met, {}, whole);
    if (status < kFirstServerError)
      return unjudged("the target refuses to answer in one piece, with " + by_status);
    return told(Verdict::violated,
                "the answer in one piece is " + by_status + ", and the streamed one is complete", whole);
  }
  if (judgeability.no_stream.empty())
    return unjudged("the target streams the answer although the client asked for one piece");
  const json body = json::parse(whole.body, nullptr, false);
  const std::string stream = body.is_discarded() ? "" : client->as_stream(body);
  if (stream.empty()) {
    return told(Verdict::violated,
                "the answer in one piece does not follow the protocol: " + contract::excerpt(whole.body),
                whole);
  }
  if (streamed.judgeability.refused)
    return told(Verdict::violated, "the streamed answer is refused, and the answer in one piece succeeds",
                whole);
  const std::string difference = difference_of_whole(
      *client, streamed.side, client->side(observe::read_trace(stream, kind)), streamed.wrong);
  return told(difference.empty() ? Verdict::met : Verdict::violated, difference, whole);
}

}  // namespace splitproof::campaign
