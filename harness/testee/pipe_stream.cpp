#include "harness/testee/pipe_stream.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "harness/testee/pipe_protocol.hpp"

namespace splitproof::testee {
namespace {

class PipeStream;

// A program with one exchange, and the names of the states that it keeps.
class SharedProgram {
 public:
  SharedProgram(std::unique_ptr<PipeProgram> program, const PipeLimits& limits)
      : program_(std::move(program)), limits_(limits) {}

  // Writes a line and appends the output. After a failure nothing more is written.
  PipeReply tell(std::string_view line, std::string& out) { return tell_within(limits_.answer, line, out); }
  PipeReply open(std::string_view line, std::string& out) { return tell_within(limits_.opening, line, out); }

  const std::string& failure() const { return failure_; }

  std::size_t new_name() {
    if (free_.empty()) return names_++;
    const std::size_t name = free_.back();
    free_.pop_back();
    return name;
  }
  void release(std::size_t name) { free_.push_back(name); }

  std::size_t new_state() { return ++states_; }

  std::size_t state = 0;               // state of the program's exchange, as a number
  const PipeStream* unkept = nullptr;  // the stream in this state, if the program does not keep it

 private:
  PipeReply tell_within(std::chrono::milliseconds wait, std::string_view line, std::string& out) {
    if (!failure_.empty()) return {PipeReply::Kind::error, failure_};
    std::string said;
    PipeReply reply = program_->tell(line, wait, said, limits_.most);
    out += said;
    if (reply.kind != PipeReply::Kind::ack) failure_ = reply.detail;
    return reply;
  }

  const std::unique_ptr<PipeProgram> program_;
  const PipeLimits limits_;
  std::string failure_;
  std::size_t names_ = 0;
  std::vector<std::size_t> free_;  // names whose states nobody needs
  std::size_t states_ = 0;
};

// A state that the program keeps.
class KeptState {
 public:
  explicit KeptState(std::shared_ptr<SharedProgram> program)
      : program_(std::move(program)), name_(program_->new_name()) {
    std::string none;
    program_->tell(fork_line(name_), none);
  }
  ~KeptState() { program_->release(name_); }
  KeptState(const KeptState&) = delete;
  KeptState& operator=(const KeptState&) = delete;

  void enter() const {
    std::string none;
    program_->tell(use_line(name_), none);
  }

 private:
  const std::shared_ptr<SharedProgram> program_;
  const std::size_t name_;
};

class PipeStream final : public CopyableStream {
 public:
  PipeStream(std::shared_ptr<SharedProgram> program, std::string opening)
      : program_(std::move(program)), opening_(std::move(opening)) {
    program_->unkept = this;
  }
  ~PipeStream() override { give_up(); }
  PipeStream& operator=(const PipeStream&) = delete;

  std::unique_ptr<CopyableStream> copy() const override {
    keep();
    return std::unique_ptr<CopyableStream>(new PipeStream(*this));
  }

  void become(const CopyableStream& other) override {
    const PipeStream& from = of(other);
    from.keep();
    give_up();
    state_ = from.state_;
    kept_ = from.kept_;
    digest_ = from.digest_;
    is_cut_ = from.is_cut_;
  }

  bool equals(const CopyableStream& other) const override {
    return failure().empty() && !digest().empty() && digest() == of(other).digest();
  }

  void feed(std::string_view chunk, std::string& out) override { change(feed_line(chunk), out); }
  void finish(recording::End end, std::string& out) override { is_cut_ = change(end_line(end), out); }

  std::string failure() const override {
    return is_cut_ ? "the message to its client breaks off" : program_->failure();
  }
  std::string opening() const override { return opening_; }

 private:
  PipeStream(const PipeStream&) = default;

  static const PipeStream& of(const CopyableStream& stream) { return static_cast<const PipeStream&>(stream); }

  void keep() const {
    if (kept_ != nullptr) return;
    kept_ = std::make_shared<const KeptState>(program_);
    give_up();
  }

  // From here on, nobody needs the state of the program's exchange, or the program keeps it.
  void give_up() const {
    if (program_->unkept == this) program_->unkept = nullptr;
  }

  // Brings the program's exchange into this state.
  void enter() const {
    if (program_->state == state_) return;
    if (program_->unkept != nullptr) program_->unkept->keep();
    kept_->enter();
    program_->state = state_;
  }

  // Returns true if the program cuts the message to its client.
  bool change(std::string_view line, std::string& out) {
    enter();
    const bool cut = program_->tell(line, out).cut;
    state_ = program_->state = program_->new_state();
    kept_ = nullptr;
    digest_.clear();
    program_->unkept = this;
    return cut;
  }

  // Empty if the program gives none.
  const std::string& digest() const {
    if (!digest_.empty()) return digest_;
    enter();
    std::string none;
    digest_ = program_->tell(kDigestLine, none).digest;
    return digest_;
  }

  const std::shared_ptr<SharedProgram> program_;
  const std::string opening_;
  std::size_t state_ = 0;
  bool is_cut_ = false;
  mutable std::shared_ptr<const KeptState>
      kept_;                    // null: the program's exchange has this state, and no kept one
  mutable std::string digest_;  // empty: not known
};

}  // namespace

Result<std::unique_ptr<CopyableStream>> open_pipe_stream(std::unique_ptr<PipeProgram> program,
                                                         const std::string& opening,
                                                         const PipeLimits& limits) {
  auto shared = std::make_shared<SharedProgram>(std::move(program), limits);
  std::string out;
  const PipeReply reply = shared->open(opening, out);
  if (reply.kind != PipeReply::Kind::ack)
    return tl::unexpected(Error{"after `open`, " + reply.detail, {}, 0, {}});
  return std::make_unique<PipeStream>(std::move(shared), std::move(out));
}

PipeCopying try_copying(std::unique_ptr<PipeProgram> program, const std::string& opening,
                        const PipeLimits& limits) {
  SharedProgram shared(std::move(program), limits);
  std::string none;
  shared.open(opening, none);
  const std::size_t name = shared.new_name();
  shared.tell(fork_line(name), none);
  PipeCopying copying;
  copying.copies = shared.tell(use_line(name), none).kind == PipeReply::Kind::ack;
  copying.compares = copying.copies && shared.tell(kDigestLine, none).kind == PipeReply::Kind::ack;
  return copying;
}

}  // namespace splitproof::testee
