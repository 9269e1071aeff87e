#include "proxy/turn/ledger.hpp"

#include <algorithm>
#include <utility>

#include "proxy/wire/json.hpp"

namespace splitproof::turn {
namespace {

bool blank(std::string_view text) { return text.find_first_not_of(kBlanks) == std::string_view::npos; }

bool is_null(std::string_view arguments) {
  const std::size_t begin = arguments.find_first_not_of(kBlanks);
  const std::size_t end = arguments.find_last_not_of(kBlanks);
  return begin != std::string_view::npos && arguments.substr(begin, end - begin + 1) == "null";
}

bool is_object(std::string_view arguments, std::size_t depth) {
  const std::size_t begin = arguments.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return false;
  return arguments[begin] == '{' && wire::check_json(wire::whole(arguments), depth) == wire::JsonFault::none;
}

}  // namespace

Failure broken_off(BodyEnd end, const Rules& rules) {
  const bool overloaded = rules.truncation_error == TruncationError::overloaded;
  const char* message = end == BodyEnd::reset   ? "the upstream connection was reset before the message ended"
                        : end == BodyEnd::stall ? "the upstream went silent before the message ended"
                        : end == BodyEnd::swollen ? "what the upstream compressed unpacks to too much"
                        : end == BodyEnd::stopped
                            ? "the proxy is shutting down, and the message did not end in time"
                            : "the upstream stream ended before the message did";
  return {overloaded ? ErrorKind::overloaded : ErrorKind::api, message};
}

void Ledger::accept(Event event, std::vector<Step>& steps) {
  if (over_) return;
  std::visit([&](auto& taken) { take(std::move(taken), steps); }, event);
}

void Ledger::end_of_body(BodyEnd end, std::vector<Step>& steps) {
  if (over_) return;
  const bool orderly = end == BodyEnd::complete || end == BodyEnd::closed;
  if (orderly && finish_ && rules_.terminal_signals == TerminalSignals::finish_or_done) {
    finish(steps);
    return;
  }
  fail(broken_off(end, rules_), steps);
}

void Ledger::take(const Begin& event, std::vector<Step>& steps) {
  // Some clients get the model with every piece.
  if (!started_ && event.model.size() > rules_.limits.name_bytes)
    fail({ErrorKind::api, "the upstream gives its model a name of more than " +
                              std::to_string(rules_.limits.name_bytes) + " bytes"},
         steps);
  else
    start_message(event.model, steps);
}

void Ledger::take(Prose event, std::vector<Step>& steps) {
  if (event.text.empty()) return;
  start_message({}, steps);
  thought_began_ |= event.kind == BlockKind::thinking;
  // Some clients get refusals as text.
  const BlockKind told = event.kind == BlockKind::refusal ? BlockKind::text : event.kind;
  std::size_t& latest = latest_parts_[static_cast<std::size_t>(told)];
  if (event.part < latest) {
    fail({ErrorKind::api, "the upstream went on with a part of its answer behind another one"}, steps);
    return;
  }
  latest = event.part;
  const auto goes_on = [&](const Block& last) {
    return last.kind == event.kind && last.part == event.part && !last.ended;
  };
  if (waiting_.empty() && open_ && goes_on(*open_)) {
    append(*open_, event.text, steps);
  } else if (!waiting_.empty() && goes_on(waiting_.back())) {
    waiting_bytes_ += event.text.size();
    waiting_.back().text += event.text;
  } else {
    wait(Block{event.kind, std::move(event.text), 0, event.part});
  }
  advance(steps);
  keep_limits(steps);
}

void Ledger::keep_limits(std::vector<Step>& steps) {
  if (waiting_bytes_ > rules_.limits.waiting_bytes) {
    fail({ErrorKind::api, "too much waits behind an unfinished tool call of the upstream"}, steps);
  } else if (thought_.size() > rules_.limits.waiting_bytes) {
    fail({ErrorKind::api, "the upstream's thinking is larger than what may wait to be said again as text"},
         steps);
  } else if (kept_bytes_ > rules_.limits.waiting_bytes) {
    fail({ErrorKind::api, "the upstream's answer is larger than what may be kept to be said again"}, steps);
  }
}

void Ledger::take(Close event, std::vector<Step>& steps) {
  Block* last = last_block();
  if (last == nullptr || last->kind == BlockKind::call || last->part != event.part) return;
  end(*last, steps);
}

void Ledger::take(Signature event, std::vector<Step>& steps) {
  if (event.text.empty()) return;
  Block* last = last_block();
  const bool thinks = last != nullptr && last->kind == BlockKind::thinking && !last->ended;
  if (!thinks && layout_.signs && (event.ends || !thought_began_)) {
    Block alone{BlockKind::thinking, {}};
    alone.signature = std::move(event.text);
    alone.ended = event.ends;
    return add_thought(std::move(alone), steps);
  }
  if (!thinks) return;
  if (!waiting_.empty()) waiting_bytes_ += event.text.size() - last->signature.size();
  last->signature = std::move(event.text);
  if (event.ends) end(*last, steps);
  keep_limits(steps);
}

void Ledger::take(Sealed event, std::vector<Step>& steps) {
  if (event.data.empty() || !layout_.signs) return;
  Block sealed{BlockKind::thinking, {}};
  sealed.sealed = std::move(event.data);
  sealed.ended = true;
  add_thought(std::move(sealed), steps);
}

// Adds thinking without text.
void Ledger::add_thought(Block thought, std::vector<Step>& steps) {
  thought_began_ = true;
  start_message({}, steps);
  wait(std::move(thought));
  advance(steps);
  keep_limits(steps);
}

void Ledger::take(CallPiece event, std::vector<Step>& steps) {
  if (event.call >= rules_.limits.calls) {
    fail({ErrorKind::api, "the upstream made more tool calls than one message may hold"}, steps);
    return;
  }
  start_message({}, steps);
  call_bytes_ += event.id.size() + event.name.size() + event.arguments.size();
  if (event.call >= calls_.size()) calls_.resize(event.call + 1);
  Call& call = calls_[event.call];
  call.rank = event.rank;
  if (call.id.empty()) call.id = std::move(event.id);
  if (call.name.empty()) call.name = std::move(event.name);
  if (is_finished(event.call)) {
    if (!blank(event.arguments))
      fail({ErrorKind::api, "the upstream went on with a finished tool call"}, steps);
    return;
  }
  const bool was_begun = call.begun();
  call.arguments += event.arguments;
  if (!was_begun)
    call.blanks = std::min(call.arguments.find_first_not_of(kBlanks, call.blanks), call.arguments.size());
  call.progress.feed(event.arguments);
  const bool has_id = !call.id.empty() || (event.no_id && rules_.idless_call == IdlessCall::synthesize);
  if (call.place == Stage::gathering && has_id && !call.name.empty()) {
    call.place = Stage::waiting;
    wait(Block{BlockKind::call, {}, event.call});
  } else if (call.place == Stage::open) {
    go_on(event.call, steps);
  }
  advance(steps);
  if (call_bytes_ > rules_.limits.call_bytes) {
    fail({ErrorKind::api, "the upstream's tool calls are larger than one message may hold"}, steps);
  }
}

// Counts never fall back to 0: some upstreams end with zeros that mean nothing.
void Ledger::take(Usage event, std::vector<Step>&) {
  const auto merge = [](std::optional<std::uint64_t>& known, const std::optional<std::uint64_t>& said) {
    if (said && (!known || *said != 0)) known = said;
  };
  merge(usage_.prompt, event.prompt);
  merge(usage_.cached, event.cached);
  merge(usage_.written, event.written);
  merge(usage_.completion, event.completion);
  merge(usage_.reasoning, event.reasoning);
}

// The first reason counts, unless a later one reports a cut-off answer.
void Ledger::take(Finished event, std::vector<Step>& steps) {
  start_message({}, steps);
  if (finish_ && !cuts_short(event.reason)) return;
  finish_ = event.reason;
  const std::vector<std::string>& asked = rules_.stop_sequences;
  const bool known = std::find(asked.begin(), asked.end(), event.stopped_at) != asked.end();
  stopped_at_ = known ? std::move(event.stopped_at) : std::string();
  unknown_word_ = std::move(event.word);
}

void Ledger::take(Done, std::vector<Step>& steps) {
  if (!finish_ && rules_.done_without_finish == DoneWithoutFinish::error) {
    fail({ErrorKind::api, "the upstream ended the stream without saying why it stopped"}, steps);
    return;
  }
  finish(steps);
}

void Ledger::take(Failure event, std::vector<Step>& steps) { fail(std::move(event), steps); }

void Ledger::take(Unplaced event, std::vector<Step>&) {
  if (unplaced_.what.empty() || (unplaced_.may_miss && !event.may_miss)) unplaced_ = std::move(event);
}

void Ledger::start_message(const std::string& model, std::vector<Step>& steps) {
  if (started_) return;
  started_ = true;
  steps.push_back(StartMessage{model.empty() ? rules_.model : model});
}

std::size_t Ledger::cost(const Block& block) {
  return block.text.size() + block.signature.size() + block.sealed.size() + sizeof(Block);
}

// Returns the last block; null if it is closed.
Ledger::Block* Ledger::last_block() {
  if (!waiting_.empty()) return &waiting_.back();
  return open_ ? &*open_ : nullptr;
}

// Ends the last block.
void Ledger::end(Block& last, std::vector<Step>& steps) {
  last.ended = true;
  if (waiting_.empty()) leave(Closing::whole, steps);
}

void Ledger::wait(Block block) {
  waiting_bytes_ += cost(block);
  waiting_.push_back(std::move(block));
}

Ledger::Block Ledger::next_waiting() {
  Block next = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= cost(next);
  return next;
}

// Opens waiting blocks in order, as far as possible.
void Ledger::advance(std::vector<Step>& steps) {
  while (!waiting_.empty() && may_leave()) {
    leave(Closing::whole, steps);
    open(next_waiting(), steps);
  }
}

bool Ledger::is_whole(const Block& block) const {
  return block.kind != BlockKind::call || calls_[block.call].progress.complete();
}

bool Ledger::may_leave() const { return !open_ || layout_.side_by_side || is_whole(*open_); }

// Makes room for the next block.
void Ledger::leave(Closing how, std::vector<Step>& steps) {
  if (!open_) return;
  if (layout_.side_by_side && !is_whole(*open_)) {
    beside_.emplace(open_->index, std::move(*open_));
  } else {
    close(*open_, how, steps);
  }
  open_.reset();
}

// True if the call's block is closed, or would be if no earlier call waited for its arguments.
bool Ledger::is_finished(std::size_t number) const {
  const Call& call = calls_[number];
  if (call.place != Stage::waiting) return call.place == Stage::closed;
  const Block& last = waiting_.back();
  return call.progress.complete() && !(last.kind == BlockKind::call && last.call == number);
}

void Ledger::open(const Block& block, std::vector<Step>& steps) {
  const std::size_t index = blocks_++;
  open_ = Block{block.kind, {}, block.call, block.part, false, block.signature, index, {}};
  refused_ |= block.kind == BlockKind::refusal;
  if (block.kind != BlockKind::thinking) {
    only_thought_ = false;
    thought_ = {};
  }
  if (!block.sealed.empty()) {
    steps.push_back(SealedBlock{index, block.sealed});
    open_.reset();
    return;
  }
  if (block.kind != BlockKind::call) {
    steps.push_back(OpenBlock{index, block.kind, {}, {}});
    append(*open_, block.text, steps);
    if (block.ended) leave(Closing::whole, steps);
    return;
  }
  called_ = true;
  Call& call = calls_[block.call];
  call.place = Stage::open;
  call.index = index;
  steps.push_back(OpenBlock{index, block.kind, call.id, call.name});
  send_arguments(*open_, steps);
}

// Sends the new part of an open call, and ends the call if it is next to another block.
void Ledger::go_on(std::size_t number, std::vector<Step>& steps) {
  if (open_->kind == BlockKind::call && open_->call == number) return send_arguments(*open_, steps);
  const auto block = beside_.find(calls_[number].index);
  send_arguments(block->second, steps);
  if (!is_whole(block->second)) return;
  close(block->second, Closing::whole, steps);
  beside_.erase(block);
}

void Ledger::send_arguments(Block& block, std::vector<Step>& steps) {
  Call& call = calls_[block.call];
  if (call.sent == call.arguments.size() || !call.begun() || call.arguments[call.blanks] != '{') return;
  append(block, std::string_view(call.arguments).substr(call.sent), steps);
  call.sent = call.arguments.size();
}

void Ledger::append(Block& block, std::string_view text, std::vector<Step>& steps) {
  std::string whole = block.pairs.take(std::string(text));
  say(block, std::move(whole), steps);
}

void Ledger::say(const Block& block, std::string text, std::vector<Step>& steps) {
  if (text.empty()) return;
  if (only_thought_ && rules_.reasoning_only == ReasoningOnly::add_text) thought_ += text;
  if (layout_.repeats && block.kind != BlockKind::call) kept_bytes_ += text.size();
  steps.push_back(AppendBlock{block.index, block.kind, std::move(text)});
}

// A call with complete arguments was not cut short, whatever follows.
void Ledger::close(Block& block, Closing how, std::vector<Step>& steps) {
  std::string rest;
  block.pairs.finish(rest);
  say(block, std::move(rest), steps);
  if (how == Closing::cut_short && block.kind == BlockKind::call && is_whole(block)) how = Closing::whole;
  if (block.kind == BlockKind::call) calls_[block.call].place = Stage::closed;
  if (!block.signature.empty()) steps.push_back(SignBlock{block.index, std::move(block.signature)});
  steps.push_back(CloseBlock{block.index, how});
}

// True if a call without a name is more than an empty announcement.
bool Ledger::has_nameless_call() const {
  return std::any_of(calls_.begin(), calls_.end(), [](const Call& call) {
    return call.name.empty() && !(call.id.empty() && !call.begun());
  });
}

// True if a call that is sent has no arguments.
bool Ledger::has_call_without_arguments() const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [](const Call& call) { return call.place != Stage::gathering && !call.begun(); });
}

// Completes calls without a name or id by the rules, and queues them in upstream rank.
void Ledger::settle_calls() {
  std::vector<std::size_t> late;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    Call& call = calls_[i];
    if (call.place != Stage::gathering) continue;
    if (call.name.empty()) {
      const bool empty = call.id.empty() && !call.begun();
      if (rules_.nameless_call != NamelessCall::synthesize || empty) continue;
      call.name = "tool_" + std::to_string(call.rank);
    }
    if (call.id.empty() && rules_.idless_call == IdlessCall::drop) continue;
    late.push_back(i);
  }
  std::stable_sort(late.begin(), late.end(),
                   [&](std::size_t a, std::size_t b) { return calls_[a].rank < calls_[b].rank; });
  for (const std::size_t i : late) {
    calls_[i].place = Stage::waiting;
    wait(Block{BlockKind::call, {}, i});
  }
}

void Ledger::pass_on_everything(Closing how, std::vector<Step>& steps) {
  while (!waiting_.empty()) {
    leave(how, steps);
    open(next_waiting(), steps);
  }
  for (auto& [index, block] : beside_) close(block, how, steps);
  beside_.clear();
  if (open_) close(*open_, how, steps);
  open_.reset();
}

const Ledger::Call* Ledger::unreadable_call() const {
  for (const Call& call : calls_) {
    if (!call.begun() || call.place == Stage::gathering || is_null(call.arguments)) continue;
    if (!is_object(call.arguments, rules_.limits.json_depth)) return &call;
  }
  return nullptr;
}

void Ledger::finish(std::vector<Step>& steps) {
  settle_calls();
  const bool may_be_empty = finish_ && cuts_short(*finish_);
  if (!unplaced_.what.empty() && (!unplaced_.may_miss || (says_nothing() && !may_be_empty))) {
    const std::string holds = "the upstream's answer holds ";
    return fail(
        {ErrorKind::api, unplaced_.may_miss ? holds + "no more than " + unplaced_.what
                                            : holds + unplaced_.what + ", which the client's protocol lacks"},
        steps);
  }
  if (!finish_ && says_nothing())
    return fail({ErrorKind::api, "the upstream ended the stream without an answer"}, steps);
  Finish said = finish_.value_or(Finish::stop);
  if (said == Finish::unknown) {
    if (says_nothing() || rules_.unknown_finish == UnknownFinish::error)
      return fail({ErrorKind::api, "the upstream stopped for a reason that is not known: " + unknown_word_},
                  steps);
    said = rules_.unknown_finish == UnknownFinish::length ? Finish::length : Finish::stop;
  }
  const bool cut_short = cuts_short(said);
  start_message({}, steps);
  if (rules_.nameless_call == NamelessCall::error && has_nameless_call()) {
    fail({ErrorKind::api, "the upstream made a tool call without a name"}, steps);
    return;
  }
  if (const Call* call = cut_short ? nullptr : unreadable_call()) {
    fail({ErrorKind::api,
          "the arguments of the upstream's call of " + call->name + " are not one JSON object"},
         steps);
    return;
  }
  if (!finish_ && has_call_without_arguments()) {
    fail({ErrorKind::api, "the upstream ended the stream before it said the arguments of a tool call"},
         steps);
    return;
  }
  pass_on_everything(cut_short ? Closing::cut_short : Closing::whole, steps);
  if (!thought_.empty()) {
    open(Block{BlockKind::text, std::move(thought_)}, steps);
    pass_on_everything(Closing::whole, steps);
  }
  over_ = true;
  const Finish reason = cut_short ? said : called_ ? Finish::calls : Finish::stop;
  const bool at_sequence = reason == Finish::stop && said == Finish::stop && !refused_;
  steps.push_back(
      FinishMessage{reason, called_, refused_, usage_, at_sequence ? stopped_at_ : std::string()});
}

void Ledger::fail(Failure failure, std::vector<Step>& steps) {
  settle_calls();
  pass_on_everything(Closing::abandoned, steps);
  over_ = true;
  steps.push_back(FailMessage{failure.kind, std::move(failure.message), std::move(failure.code)});
}

}  // namespace splitproof::turn
