#include "harness/testee/socket_trials.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "harness/dialect/canary.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/frame_style.hpp"

namespace splitproof::testee {
namespace {

using observe::FrameStyle;

constexpr std::size_t kFirstCanary = 1;
constexpr std::size_t kSecondCanary = 2;
constexpr auto kMostOfSilence = std::chrono::milliseconds(4000);
constexpr auto kSlack = std::chrono::milliseconds(1000);
constexpr auto kSettles = std::chrono::milliseconds(1000);

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

class SocketTrials {
 public:
  explicit SocketTrials(const SocketTrialGround& ground)
      : ground_(ground), dialect_(dialect::upstream_of(ground.protocol)) {}

  std::vector<SocketEvent> make() {
    if (dialect_ == nullptr) return {};
    if (ground_.client_socket && is_answered_in({})) {
      for (const FrameStyle& style : observe::frame_styles())
        try_form(observe::label(style), {.frames = style});
      try_form("in-bytes", {.in_bytes = true});
      try_next();
    }
    if (ground_.upstream_socket) try_silence();
    return std::move(facts_);
  }

 private:
  using Answer = std::shared_ptr<PreparedAnswer>;

  ResponseScript script(std::vector<std::string> pieces) const {
    ResponseScript script;
    script.headers = {{"content-type", std::string(dialect_->content_type())}};
    script.pieces = std::move(pieces);
    return script;
  }

  void end(const Answer& answer) const {
    ground_.upstream.withdraw(answer);
    answer->give_up();
    answer->wait_until_idle(kSettles);
  }

  // A complete answer has its last event. One without it is an answer too, if it was closed in order.
  static bool is_answered(const Reply& reply) {
    return reply.ending == Ending::complete && !reply.http && !reply.body.empty();
  }

  // Sends a request in this form, with `reply` for its answer.
  bool is_answered_in(const SocketSending& sending, Reply* reply = nullptr) const {
    const std::string token = ground_.new_token();
    const Answer answer = ground_.upstream.prepare(token, script(dialect_->tiny_answer()));
    Reply got = ground_.ask({token}, sending, ground_.patience).back();
    end(answer);
    const bool is_served = is_answered(got) && !answer->served().empty();
    if (reply != nullptr) *reply = std::move(got);
    return is_served;
  }

  void try_form(const std::string& name, const SocketSending& sending) {
    Reply reply;
    const bool answered = is_answered_in(sending, &reply);
    facts_.push_back({"trial", {{"what", "form"}, {"form", name}, {"answered", yes_or_no(answered)}}});
    for (const SocketEvent& fact : reply.socket)
      if (fact.type == "pong") facts_.push_back(fact);
  }

  std::optional<std::vector<std::string>> canary(std::size_t number) const {
    std::string body;
    for (const std::string& piece : dialect_->tiny_answer()) body += piece;
    const auto stream = dialect_->canary(body, number);
    if (!stream) return std::nullopt;
    return std::vector<std::string>{stream->body};
  }

  static bool has_text_of(const Reply& reply, std::size_t number) {
    return dialect::canaries_in(reply.body).contains(number);
  }

  void try_next() {
    const auto first = canary(kFirstCanary);
    const auto second = canary(kSecondCanary);
    if (!first || !second) return;
    const std::vector<std::string> tokens{ground_.new_token(), ground_.new_token()};
    const Answer one = ground_.upstream.prepare(tokens[0], script(*first));
    const Answer two = ground_.upstream.prepare(tokens[1], script(*second));
    const std::vector<Reply> replies = ground_.ask(tokens, {}, ground_.patience);
    end(one);
    end(two);
    const bool is_whole = replies.size() == 2 && is_answered(replies.back());
    const bool has_own = is_whole && has_text_of(replies.back(), kSecondCanary);
    const bool has_other = has_text_of(replies.front(), kSecondCanary) ||
                           (is_whole && has_text_of(replies.back(), kFirstCanary));
    facts_.push_back(
        {"trial", {{"what", "next"}, {"answered", yes_or_no(has_own)}, {"foreign", yes_or_no(has_other)}}});
  }

  // Returns the time until the exchange ended, or nullopt if it did not.
  std::optional<std::chrono::milliseconds> time_with(const FrameStyle& frames,
                                                     std::chrono::milliseconds most) {
    ResponseScript silent = script({dialect_->tiny_answer().front()});
    silent.end = recording::End::stall;
    silent.frames = frames;
    const std::string token = ground_.new_token();
    const Answer answer = ground_.upstream.prepare(token, std::move(silent));
    const Deadline began = within({});
    const Reply reply = ground_.ask({token}, {}, most).back();
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(within({}) - began);
    end(answer);
    if (reply.ending == Ending::hung) return std::nullopt;
    return took;
  }

  void try_silence() {
    const auto plain = time_with({}, std::min(kMostOfSilence, ground_.patience));
    if (!plain) return;
    const auto most = 2 * *plain + kSlack;
    facts_.push_back({"trial",
                      {{"what", "silence"},
                       {"after", std::to_string(plain->count())},
                       {"ended", yes_or_no(time_with({FrameStyle::Kind::pings, 0}, most).has_value())}}});
  }

  const SocketTrialGround& ground_;
  const dialect::UpstreamDialect* dialect_;
  std::vector<SocketEvent> facts_;
};

}  // namespace

std::vector<SocketEvent> try_sockets(const SocketTrialGround& ground) { return SocketTrials(ground).make(); }

}  // namespace splitproof::testee
