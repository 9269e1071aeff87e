#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/json_progress.hpp"
#include "proxy/turn/step.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::turn {

enum class NamelessCall : std::uint8_t { suppress, synthesize, error };
enum class IdlessCall : std::uint8_t { synthesize, drop };
enum class DoneWithoutFinish : std::uint8_t { close, error };
enum class TerminalSignals : std::uint8_t { finish_or_done, done };
enum class TruncationError : std::uint8_t { api, overloaded };
enum class ReasoningOnly : std::uint8_t { thinking, add_text };
enum class UnknownFinish : std::uint8_t { error, length, stop };

/// The answers to questions on which real proxies differ; the first of each is the default.
struct Rules {
  NamelessCall nameless_call = NamelessCall::suppress;
  IdlessCall idless_call = IdlessCall::synthesize;
  DoneWithoutFinish done_without_finish = DoneWithoutFinish::close;
  TerminalSignals terminal_signals = TerminalSignals::finish_or_done;
  TruncationError truncation_error = TruncationError::api;
  ReasoningOnly reasoning_only = ReasoningOnly::thinking;
  UnknownFinish unknown_finish = UnknownFinish::error;
  std::string model = "unknown";            ///< announced where the upstream never names one
  std::vector<std::string> stop_sequences;  ///< those of the client: others are not reported
  Limits limits;

  bool operator==(const Rules&) const = default;
};

/// The error of a message whose body ended before it did.
Failure broken_off(BodyEnd end, const Rules& rules);

/// What a client's protocol leaves to the order of a message.
struct Layout {
  bool side_by_side = false;  ///< a call may be open beside other blocks, so that nothing waits for it
  bool repeats = false;       ///< the end of the message says all of it again, so all of it is kept
  bool signs = false;         ///< clients are told what thinking is signed with, and what is sealed

  bool operator==(const Layout&) const = default;
};

/// Alone opens, closes and numbers blocks, so that the order of a stream holds by construction whatever the
/// upstream sent. At most one block is open, unless calls may be side by side (12):
///
/// 1. The message starts before anything else, unless all there is to say is an error.
/// 2. A block opens only when no other is open; indices count 0, 1, 2; every block that opened is closed.
/// 3. A call opens once its name and id are known. It closes when another block waits and its joined arguments
///    are one complete JSON value; until then that block and what comes behind it wait, in their order.
/// 4. A call that never got an id or a name is settled at the end, in the order of its upstream rank.
/// 5. The end is said once, by `Done` or the end of the body, and nothing follows it. Arguments of a call that the
///    upstream declared complete are one JSON object, or nothing, or `null`; else the message ends in an error.
/// 6. An error closes what is open, after everything that had come has been passed on.
/// 7. Only arguments that begin an object are passed on, with the white space before them: no client could take
///    anything else for a call's input.
/// 8. What it says of a block is UTF-8, whatever surrogates came in: a high one at the end of what was
///    said waits for its low one until the block goes on or closes.
/// 9. Under `add_text`, a message that holds thinking alone ends with a text block that says it again.
/// 10. Prose of another part of the upstream's answer is another block. A part has ended once another of its kind has
///    begun: who goes on with it interleaves what no client could take apart, and the message ends in an error.
/// 11. A thought that its signature ended takes no more: thinking after it is another block. Sealed thinking is a block
///    that closes at once, or nothing if the client is not told what is sealed.
/// 12. Side by side, a call stays open beside what comes behind it until its arguments are one complete JSON value, so
///    what 3 lets wait does not. Nothing else is different: a call takes no more after the place where it would have
///    closed.
class Ledger {
 public:
  explicit Ledger(Rules rules, Layout layout = {}) : rules_(std::move(rules)), layout_(layout) {}

  /// Takes the next event of the turn and appends the steps it allows.
  void accept(Event event, std::vector<Step>& steps);

  /// The upstream body is over. After `complete` or `closed` the message is whole if its finish was said and
  /// the rules ask for no more; a `reset` or `stall` leaves only what `Done` had already ended.
  void end_of_body(BodyEnd end, std::vector<Step>& steps);

  /// Nothing more will be said.
  bool over() const { return over_; }

  bool operator==(const Ledger&) const = default;

 private:
  enum class Stage : std::uint8_t { gathering, waiting, open, closed };

  struct Call {
    std::uint64_t rank = 0;
    std::string id;
    std::string name;
    std::string arguments;   // all that came
    std::size_t blanks = 0;  // white space that they begin with
    std::size_t sent = 0;    // how much of them was passed on
    JsonProgress progress;
    Stage place = Stage::gathering;
    std::size_t index = 0;  // of its block, once it is open

    bool begun() const { return blanks < arguments.size(); }
    bool operator==(const Call&) const = default;
  };

  struct Block {
    BlockKind kind = BlockKind::text;
    std::string text;                  // of prose that waits
    std::size_t call = 0;              // into calls_
    std::size_t part = 0;              // of prose: the upstream's
    bool ended = false;                // likewise: it says no more
    std::string signature = {};        // of thinking: the last that came, said when the block closes
    std::size_t index = 0;             // once it is open
    wire::SurrogateJoiner pairs = {};  // of what it says
    std::string sealed = {};           // of thinking that only its provider can read: all it holds
    bool operator==(const Block&) const = default;
  };

  void take(const Begin& event, std::vector<Step>& steps);
  void take(Prose event, std::vector<Step>& steps);
  void take(Close event, std::vector<Step>& steps);
  void take(Signature event, std::vector<Step>& steps);
  void take(Sealed event, std::vector<Step>& steps);
  void take(CallPiece event, std::vector<Step>& steps);
  void take(Usage event, std::vector<Step>& steps);
  void take(Finished event, std::vector<Step>& steps);
  void take(Done event, std::vector<Step>& steps);
  void take(Failure event, std::vector<Step>& steps);
  void take(Unplaced event, std::vector<Step>& steps);

  void start_message(const std::string& model, std::vector<Step>& steps);
  void advance(std::vector<Step>& steps);
  void open(const Block& block, std::vector<Step>& steps);
  void append(Block& block, std::string_view text, std::vector<Step>& steps);
  void say(const Block& block, std::string text, std::vector<Step>& steps);
  void go_on(std::size_t number, std::vector<Step>& steps);
  void send_arguments(Block& block, std::vector<Step>& steps);
  void leave(Closing how, std::vector<Step>& steps);
  void close(Block& block, Closing how, std::vector<Step>& steps);
  Block* last_block();
  void end(Block& last, std::vector<Step>& steps);
  void add_thought(Block thought, std::vector<Step>& steps);
  void keep_limits(std::vector<Step>& steps);
  static std::size_t cost(const Block& block);  // against limits.waiting_bytes
  void wait(Block block);
  Block next_waiting();
  bool is_whole(const Block& block) const;
  bool says_nothing() const { return blocks_ == 0 && waiting_.empty(); }
  bool may_leave() const;
  bool is_finished(std::size_t number) const;
  bool has_nameless_call() const;
  bool has_call_without_arguments() const;
  void settle_calls();
  void pass_on_everything(Closing how, std::vector<Step>& steps);
  const Call* unreadable_call() const;
  void finish(std::vector<Step>& steps);
  void fail(Failure failure, std::vector<Step>& steps);

  Rules rules_;
  Layout layout_;
  bool started_ = false;
  bool over_ = false;
  std::size_t blocks_ = 0;  // how many were opened
  bool refused_ = false;
  bool called_ = false;
  std::optional<Block> open_;  // the last that was opened
  std::map<std::size_t, Block>
      beside_;                  // calls that were opened before it, and are not closed, by their index
  std::size_t kept_bytes_ = 0;  // of prose that is said again
  bool only_thought_ = true;    // no block but thinking was opened
  std::string thought_;         // all thinking, while that is so and the rules want it again
  std::array<std::size_t, 3> latest_parts_ = {};  // by the kinds of prose: the last part that has begun
  std::deque<Block> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::vector<Call> calls_;
  std::size_t call_bytes_ = 0;
  Usage usage_;
  bool thought_began_ = false;  // some thinking came, or a signature of it
  std::optional<Finish> finish_;
  Unplaced unplaced_;         // content without a place; empty: there is none
  std::string unknown_word_;  // the upstream's for a finish that is unknown
  std::string stopped_at_;
};

}  // namespace splitproof::turn
