#include "harness/testee/served_streams.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <utility>

#include "harness/dialect/next_turn.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/read_answer.hpp"
#include "harness/testee/answer_limit.hpp"
#include "harness/testee/client_request.hpp"
#include "harness/testee/exchange_script.hpp"
#include "harness/testee/hold_watch.hpp"

namespace splitproof::testee {
namespace {

constexpr std::chrono::milliseconds kSettling{
    200};                                          // for the client to close its connection after its answer
constexpr std::chrono::milliseconds kPiece{20};    // until a client under load has read a piece
constexpr std::chrono::milliseconds kHolds{6000};  // for all holds of an exchange, if the client meets none

constexpr std::size_t kMostResults = 16;  // calls of an answer that get a result

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

const char* const kSilent = "the stream falls silent, and a client may wait for ever";

// The next request of a conversation.
struct NextRequest {
  std::string wanted;  // the request of an official SDK
  std::string line;    // the question and the results, for the client
};

// Returns the request after this exchange. Returns nullopt if no client continues, and unless the recorded stream comes in one
// read. Half a surrogate pair has no form in a request, so no request follows it.
std::optional<NextRequest> next_request(std::string_view protocol, const std::string& request,
                                        const Exchange& exchange) {
  const bool is_whole = exchange.chunks.size() == 1 && exchange.end == recording::End::complete &&
                        exchange.recording != nullptr && exchange.chunks.front() == exchange.recording->body;
  if (!is_whole || exchange.status) return std::nullopt;
  const observe::Trace trace = observe::read_trace(exchange.chunks.front(), observe::DataKind::json);
  observe::TraceStream stream(trace);
  const nlohmann::json asked = nlohmann::json::parse(request);
  const nlohmann::json wanted = dialect::client_of(protocol)->next_request(asked, stream, false);
  if (wanted.is_null()) return std::nullopt;
  std::string text = wanted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.find(kReplacement) != std::string::npos) return std::nullopt;
  nlohmann::json results = nlohmann::json::array();
  for (std::size_t i = 0; i < kMostResults; ++i) results.push_back(dialect::made_result(i));
  const nlohmann::json told = {{"question", dialect::kNextQuestion}, {"results", std::move(results)}};
  return NextRequest{std::move(text), told.dump()};
}

bool continues_conversation(const UpstreamRequest& request) {
  return request.body.find(dialect::kNextQuestion) != std::string::npos ||
         request.body.find(dialect::made_result(0)) != std::string::npos;
}

// Returns the response to the next request: a short stream.
OtherResponse short_answer(std::string_view protocol) {
  const dialect::UpstreamDialect* spoken = dialect::upstream_of(protocol);
  const std::vector<std::string> pieces = spoken->tiny_answer();
  Exchange exchange;
  exchange.chunks.assign(pieces.begin(), pieces.end());
  return {script_of(exchange, spoken->content_type()), continues_conversation};
}

UpstreamCall call_of(const Served& served, const std::string& token) {
  UpstreamCall call;
  call.method = served.request.method;
  call.target = served.request.target;
  if (const std::size_t at = call.target.find("/" + token); at != std::string::npos)
    call.target.erase(at, token.size() + 1);
  call.headers = served.request.headers;
  call.body = served.request.body;
  call.status = served.status;
  call.written = served.written;
  call.outcome = name(served.outcome);
  call.exact = served.exact;
  return call;
}

}  // namespace

Result<std::unique_ptr<ServedStreams>> ServedStreams::start(const TargetFile& target,
                                                            const Network& network) {
  StandInSettings settings;
  settings.network = &network;
  settings.timeouts.hold = std::chrono::hours(1);  // the hold watch decides
  Result<std::unique_ptr<StandIn>> stand_in = StandIn::start(std::move(settings));
  if (!stand_in) return tl::unexpected(stand_in.error());
  return std::unique_ptr<ServedStreams>(new ServedStreams(target, *std::move(stand_in)));
}

ServedStreams::ServedStreams(const TargetFile& target, std::unique_ptr<StandIn> stand_in)
    : protocol_(target.upstream),
      model_(target.model),
      unreported_(target.unreported),
      continues_(target.continues),
      stand_in_(std::move(stand_in)),
      salt_(std::random_device()()) {}

Observation ServedStreams::run(PipeProgram& program, const Exchange& given, std::chrono::milliseconds wait,
                               const StopToken& stop, PipeReply& reply) const {
  Observation seen;
  Exchange exchange = given;
  if (!tells_) exchange.holds.clear();
  if (exchange.end == recording::End::stall && !exchange.status) {
    reply = {PipeReply::Kind::skip, kSilent};
    seen.ending = Ending::skipped;
    seen.detail = kSilent;
    return seen;
  }
  std::string request;
  if (dialect::client_of(protocol_) != nullptr) {
    Result<std::string> made = client_request(protocol_, exchange.recording, model_, "");
    if (!made) {
      reply = {PipeReply::Kind::skip, describe(made.error())};
      seen.ending = Ending::skipped;
      seen.detail = reply.detail;
      return seen;
    }
    request = *std::move(made);
  }
  const std::optional<NextRequest> next =
      continues_ ? next_request(protocol_, request, exchange) : std::nullopt;
  const std::string token = request_token(salt_, tokens_++);
  const auto answer =
      stand_in_->prepare(token, script_of(exchange, dialect::upstream_of(protocol_)->content_type()),
                         next ? std::optional(short_answer(protocol_)) : std::nullopt);
  StopToken leave = StopToken::below(stop);
  {
    HoldWatch watch(exchange, *answer, leave, {});
    const auto whole = wait + time_of_pauses(exchange) + kPiece * exchange.chunks.size() +
                       (exchange.holds.empty() ? std::chrono::milliseconds(0) : kHolds);
    reply = program.tell(
        read_line(stand_in_->base_url() + "/" + token, protocol_, request, next ? next->line : ""), whole,
        seen.body, most_of_answer(exchange), [&] { watch.read(seen.body); });
    watch.client_ended();
    stand_in_->withdraw(answer);
    answer->wait_until_idle(kSettling);
    seen.releases = watch.releases();
  }
  answer->give_up();
  answer->wait_until_idle(kSettling);
  const std::vector<Served> served = answer->served();
  if (reply.kind == PipeReply::Kind::ack && served.empty()) {
    reply.kind = PipeReply::Kind::garbage;
    reply.detail =
        "the client answered without a request to the URL: " + in_backticks(observe::answer_line(seen.body));
  }
  if (std::any_of(served.begin(), served.end(), [](const Served& one) { return !one.exact; }))
    is_inexact_ = true;
  auto told = observe::reported_answer(seen.body);
  if (next && reply.kind == PipeReply::Kind::ack) {
    for (const Served& one : served)
      if (continues_conversation(one.request)) seen.calls.push_back(call_of(one, token));
    if (!seen.calls.empty()) {
      seen.request = next->wanted;
    } else if (told && !told->error) {
      reply.kind = PipeReply::Kind::garbage;
      reply.detail = "the client did not continue the conversation: no request had the question or a result";
    }
  }
  if (reply.kind != PipeReply::Kind::ack || unreported_.empty()) return seen;
  if (told) {
    told->unreported.insert(unreported_.begin(), unreported_.end());
    seen.body.resize(seen.body.size() - observe::answer_line(seen.body).size());
    seen.body += observe::line_of(*told);
  }
  return seen;
}

std::string ServedStreams::try_out(PipeProgram& program, std::chrono::milliseconds wait,
                                   const StopToken& stop) {
  const std::vector<std::string> pieces = dialect::upstream_of(protocol_)->tiny_answer();
  Exchange exchange;
  exchange.chunks.assign(pieces.begin(), pieces.end());
  PipeReply reply;
  const Observation seen = run(program, exchange, wait, stop, reply);
  if (reply.kind != PipeReply::Kind::ack) return reply.detail;
  tells_ = observe::told_in(seen.body).has_value();
  const auto answer = observe::reported_answer(seen.body);
  if (answer && answer->error)
    return "it reported an error for a short and complete answer: " + in_backticks(*answer->error);
  return {};
}

std::string ServedStreams::remark() const {
  std::string why = stand_in_->unproven();
  if (why.empty() && is_inexact_) why = "the kernel does not show the sockets of the target";
  std::string text = why.empty() ? "" : "boundaries unproven: " + why;
  if (!tells_) text += (text.empty() ? "" : "; ") + std::string("it reports no text before its answer");
  return text;
}

}  // namespace splitproof::testee
