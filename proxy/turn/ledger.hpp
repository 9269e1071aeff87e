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

/// Settings for questions on which real proxies differ; the first value of each is the default.
struct Rules {
  NamelessCall nameless_call = NamelessCall::suppress;
  IdlessCall idless_call = IdlessCall::synthesize;
  DoneWithoutFinish done_without_finish = DoneWithoutFinish::close;
  TerminalSignals terminal_signals = TerminalSignals::finish_or_done;
  TruncationError truncation_error = TruncationError::api;
  ReasoningOnly reasoning_only = ReasoningOnly::thinking;
  UnknownFinish unknown_finish = UnknownFinish::error;
  std::string model = "unknown";            ///< Announced if the upstream never names one.
  std::vector<std::string> stop_sequences;  ///< The client's; others are not reported.
  Limits limits;

  bool operator==(const Rules&) const = default;
};

/// Returns the error of a message whose body ended too early.
Failure broken_off(BodyEnd end, const Rules& rules);

/// Choices of a client's protocol about the order of a message.
struct Layout {
  bool side_by_side = false;  ///< A call may be open next to other blocks, so that nothing waits for it.
  bool repeats = false;       ///< The end of the message repeats its content, so the content is kept.
  bool signs = false;         ///< Clients get signatures and sealed thinking.

  bool operator==(const Layout&) const = default;
};

/// The only part that opens, closes and numbers blocks. So the order of a stream is correct for any upstream. At most
/// one block is open, except with `side_by_side` (12):
///
/// 1. The message starts first, unless its only content is an error.
/// 2. A block opens only when no other is open. Indices count 0, 1, 2. Every block is closed.
/// 3. A call opens when its name and id are known, or when no id will come. It closes when another block waits and its joined arguments are one
///    complete JSON value. Until then later content waits in order.
/// 4. A call without a name, or whose id may still come, is settled at the end, in upstream rank.
/// 5. The message ends once, by `Done` or the end of the body. Complete arguments are one JSON object, nothing, or
///    `null`; otherwise the message ends with an error.
/// 6. An error closes the open blocks after all earlier content.
/// 7. Arguments are sent only if they begin an object, with the white space before it. Clients accept nothing else as a
///    call's input.
/// 8. Content is UTF-8 for any incoming surrogates. A high surrogate at the end waits for its low one until the block
///    continues or closes.
/// 9. With `add_text`, a message of thinking alone ends with a text block that repeats it.
/// 10. Prose of another part is another block. A part ends when another of its kind begins. If it continues later, no
///     client could separate the two, and the message ends with an error.
/// 11. A signature may end a thought: later thinking is another block. Sealed thinking is a block that closes at once,
///     or nothing if the client gets none.
/// 12. With `side_by_side`, a call stays open next to later blocks until its arguments are one complete JSON value, so
///     nothing waits as in 3. It takes no input after the place where it would have closed.
class Ledger {
 public:
  explicit Ledger(Rules rules, Layout layout = {}) : rules_(std::move(rules)), layout_(layout) {}

  /// Takes the next event of the turn and appends the possible steps.
  void accept(Event event, std::vector<Step>& steps);

  /// The upstream body is over. After `complete` or `closed` the message is complete if it has a finish and the rules
  /// need nothing more. After `reset` or `stall` it is complete only after `Done`.
  void end_of_body(BodyEnd end, std::vector<Step>& steps);

  /// True if nothing more follows.
  bool over() const { return over_; }

  bool operator==(const Ledger&) const = default;

 private:
  enum class Stage : std::uint8_t { gathering, waiting, open, closed };

  struct Call {
    std::uint64_t rank = 0;
    std::string id;
    std::string name;
    std::string arguments;   // all that came
    std::size_t blanks = 0;  // white space at their beginning
    std::size_t sent = 0;    // bytes of them that were sent
    JsonProgress progress;
    Stage place = Stage::gathering;
    std::size_t index = 0;  // of its open block

    bool begun() const { return blanks < arguments.size(); }
    bool operator==(const Call&) const = default;
  };

  struct Block {
    BlockKind kind = BlockKind::text;
    std::string text;                  // of waiting prose
    std::size_t call = 0;              // index in calls_
    std::size_t part = 0;              // of prose: the upstream's
    bool ended = false;                // of prose: the part has ended
    std::string signature = {};        // of thinking: the last signature, sent when the block closes
    std::size_t index = 0;             // once it is open
    wire::SurrogateJoiner pairs = {};  // for its text
    std::string sealed = {};           // content of sealed thinking
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
  static std::size_t cost(const Block& block);  // counts toward limits.waiting_bytes
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
  std::size_t blocks_ = 0;  // number of opened blocks
  bool refused_ = false;
  bool called_ = false;
  std::optional<Block> open_;            // the last that was opened
  std::map<std::size_t, Block> beside_;  // earlier calls that are still open, by index
  std::size_t kept_bytes_ = 0;           // of prose for repetition
  bool only_thought_ = true;             // no block except thinking was opened
  std::string thought_;                  // all thinking, if only thinking came and the rules repeat it
  std::array<std::size_t, 3> latest_parts_ = {};  // for each kind of prose: the last part
  std::deque<Block> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::vector<Call> calls_;
  std::size_t call_bytes_ = 0;
  Usage usage_;
  bool thought_began_ = false;  // some thinking or a signature came
  std::optional<Finish> finish_;
  Unplaced unplaced_;         // content without a place; empty: there is none
  std::string unknown_word_;  // the upstream's word for an unknown finish
  std::string stopped_at_;
};

}  // namespace splitproof::turn
