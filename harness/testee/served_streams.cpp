#include "harness/testee/served_streams.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "harness/dialect/registry.hpp"
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

const char* const kSilent = "the stream falls silent, and a client may wait for ever";

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
  const std::string token = request_token(salt_, tokens_++);
  const auto answer =
      stand_in_->prepare(token, script_of(exchange, dialect::upstream_of(protocol_)->content_type()));
  StopToken leave = StopToken::below(stop);
  {
    HoldWatch watch(exchange, *answer, leave, {});
    const auto whole = wait + time_of_pauses(exchange) + kPiece * exchange.chunks.size() +
                       (exchange.holds.empty() ? std::chrono::milliseconds(0) : kHolds);
    reply = program.tell(read_line(stand_in_->base_url() + "/" + token, protocol_, request), whole, seen.body,
                         most_of_answer(exchange), [&] { watch.read(seen.body); });
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
  if (reply.kind != PipeReply::Kind::ack || unreported_.empty()) return seen;
  if (auto told = observe::reported_answer(seen.body)) {
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
