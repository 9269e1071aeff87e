#include "harness/testee/pipe_testee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "harness/testee/answer_limit.hpp"
#include "harness/testee/client_request.hpp"
#include "harness/testee/installation.hpp"
#include "harness/testee/pipe_protocol.hpp"
#include "harness/testee/reported_request.hpp"

namespace splitproof::testee {
namespace {

namespace fs = std::filesystem;

Ending ending_of(PipeReply::Kind kind) {
  switch (kind) {
    case PipeReply::Kind::skip:
      return Ending::skipped;
    case PipeReply::Kind::error:
    case PipeReply::Kind::crashed:
      return Ending::crashed;
    case PipeReply::Kind::hung:
      return Ending::hung;
    case PipeReply::Kind::garbage:
      return Ending::garbage;
    case PipeReply::Kind::stopped:
      return Ending::unavailable;
    case PipeReply::Kind::ack:
      break;
  }
  return Ending::complete;
}

// A program may answer twice, or write a moment after its answer, and then disturb the next exchange. So
// after the first exchange of a new program, wait this long for further output.
constexpr std::chrono::milliseconds kListen{20};

bool is_fault(Ending ending) {
  return ending == Ending::crashed || ending == Ending::hung || ending == Ending::garbage;
}

Observation unavailable(const Error& error) {
  Observation seen;
  seen.ending = Ending::unavailable;
  seen.detail = describe(error);
  return seen;
}

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}

}  // namespace

Result<void> PipeTestee::start() {
  auto home = FreshFolder::make(fs::path(target_.path).stem().string());
  if (!home) return tl::unexpected(home.error());
  home_ = std::move(*home);
  places_.home = home_->path();
  places_.dir = fs::absolute(target_.path).parent_path().string();
  if (!target_.install.empty() || !target_.version.empty()) {
    const Result<Installation> installed = install(target_, supervisor_, stop_);
    if (!installed) return tl::unexpected(installed.error());
    places_.dir = installed->dir;
    version_ = installed->version;
  }
  if (!target_.has_network) {
    const Result<Supervisor*> apart = supervisor_.without_network();
    if (!apart) return tl::unexpected(apart.error());
    runs_on_ = *apart;
  }
  if (Result<void> written = write_files(target_, places_); !written) return written;
  if (traits().reads_answer()) {
    Result<std::unique_ptr<ServedStreams>> served = ServedStreams::start(target_, runs_on_->network());
    if (!served) return tl::unexpected(served.error());
    served_ = *std::move(served);
    auto program = launch();
    if (!program) return tl::unexpected(program.error());
    const std::string wrong = served_->try_out(**program, target_.ready_within, stop_);
    if (wrong.empty()) return {};
    return tl::unexpected(Error{fmt::format("{} cannot be tested: after `read`, {}", target_.name, wrong),
                                target_.path, 0, fmt::format("{} describes the answer", page())});
  }
  const Result<Opening> opening = opening_of({});
  if (!opening) return tl::unexpected(opening.error());
  auto program = launch();
  if (!program) return tl::unexpected(program.error());
  std::string nothing;
  const PipeReply reply =
      (*program)->tell(opening->line, target_.ready_within, nothing, most_of_answer(Exchange()));
  if (reply.kind == PipeReply::Kind::stopped) return tl::unexpected(Error{reply.detail, target_.path, 0, {}});
  if (reply.kind == PipeReply::Kind::crashed || reply.kind == PipeReply::Kind::hung) {
    return tl::unexpected(Error{target_.name + " never became ready: after `open`, " + reply.detail,
                                target_.path, 0, fmt::format("{} describes the answer", page())});
  }
  tells_what_it_asks_ = !reply.asks.empty();
  for (const std::string& ask : reply.asks) {
    Observation seen;
    if (const auto added = add_reported_request(ask, target_.upstream, seen); !added) {
      return tl::unexpected(Error{fmt::format("splitproof cannot judge {}: after `open`, {}: {}",
                                              target_.name, added.error(), in_backticks(ask)),
                                  target_.path, 0, "docs/without-http.md describes `ask`"});
    }
  }
  return {};
}

std::string PipeTestee::remark() const {
  const std::lock_guard lock(mutex_);
  std::string text = version_;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (const std::string calls = remark_on_calls(*runs_on_); !calls.empty()) add(calls);
  if (served_ != nullptr) {
    if (const std::string served = served_->remark(); !served.empty()) add(served);
  }
  if (passing_ > 0) add(counted(passing_, "fault", "faults") + " did not occur again in a new program");
  if (uncalled_ > 0) {
    add(counted(uncalled_, "program ended or wrote", "programs ended or wrote") +
        " output between two exchanges");
  }
  return text;
}

std::vector<UnattributedFailure> PipeTestee::mishaps() const {
  const std::lock_guard lock(mutex_);
  return mishaps_;
}

Observation PipeTestee::observe(const Exchange& exchange) const {
  if (std::unique_ptr<PipeProgram> used = take_idle(exchange.name); used != nullptr) {
    PutThrough put = run_exchange(std::move(used), false, exchange);
    if (put.was_over) {
      const std::lock_guard lock(mutex_);
      ++uncalled_;
    } else {
      return is_fault(put.seen.ending) ? observe_again(exchange, put.seen) : std::move(put.seen);
    }
  }
  Observation seen = observe_anew(exchange);
  if (seen.ending == Ending::crashed) return observe_again(exchange, seen);
  if (seen.ending != Ending::hung) return seen;
  // It was the first in its program: if it answers now, it was only slow.
  Observation again = observe_anew(exchange);
  if (again.ending != Ending::hung) {
    const std::lock_guard lock(mutex_);
    ++passing_;
  }
  return again;
}

Observation PipeTestee::observe_anew(const Exchange& exchange) const {
  auto program = launch();
  if (!program) return unavailable(program.error());
  return run_exchange(std::move(*program), true, exchange).seen;
}

Observation PipeTestee::observe_again(const Exchange& exchange, const Observation& fault) const {
  Observation seen = observe_anew(exchange);
  if (is_fault(seen.ending) || seen.ending == Ending::unavailable) return seen;
  const std::lock_guard lock(mutex_);
  ++passing_;
  mishaps_.push_back({fault.ending, fault.detail, {}, exchange.name});
  return seen;
}

Result<std::unique_ptr<PipeProgram>> PipeTestee::launch() const {
  if (home_ == nullptr) return tl::unexpected(Error{target_.name + " did not start", target_.path, 0, {}});
  std::string errors;
  {
    const std::lock_guard lock(mutex_);
    errors = places_.home + "/errors-" + std::to_string(++launched_) + ".txt";
  }
  auto process = runs_on_->launch(launch_of(target_, places_, errors));
  if (!process) return tl::unexpected(process.error());
  const PipeRole role = traits().reads_events()   ? PipeRole::reader
                        : traits().reads_answer() ? PipeRole::client
                                                  : PipeRole::translator;
  return std::make_unique<PipeProgram>(std::move(*process), role, errors, stop_);
}

// Checking and ending an idle program take time, so not under the lock.
std::unique_ptr<PipeProgram> PipeTestee::take_idle(const std::string& exchange) const {
  while (true) {
    std::unique_ptr<PipeProgram> program;
    {
      const std::lock_guard lock(mutex_);
      if (idle_.empty()) return nullptr;
      program = std::move(idle_.back());
      idle_.pop_back();
    }
    const PipeReply found = program->look();
    if (found.kind == PipeReply::Kind::ack) return program;
    const std::lock_guard lock(mutex_);
    ++uncalled_;
    if (!found.ended_well)
      mishaps_.push_back({ending_of(found.kind), "after an exchange, " + found.detail, {}, exchange});
  }
}

PipeTestee::PutThrough PipeTestee::run_exchange(std::unique_ptr<PipeProgram> program, bool fresh,
                                                const Exchange& exchange) const {
  if (served_ != nullptr) return run_read(std::move(program), fresh, exchange);
  const Result<Opening> opening = opening_of(exchange);
  if (!opening) return {unavailable(opening.error())};
  PutThrough put;
  Observation& seen = put.seen;
  if (tells_what_it_asks_) seen.request = opening->request;
  // A new program may take as long to get ready as its target file allows.
  const auto first_wait = fresh ? std::max(target_.timeout, target_.ready_within) : target_.timeout;
  bool last_line = false;
  const std::size_t most = most_of_answer(exchange);
  const std::chrono::milliseconds whole = longest_exchange(exchange, target_.timeout);
  const Deadline end = within(first_wait + whole);
  const auto told = [&](std::string_view line, std::chrono::milliseconds wait, const std::string& what) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    PipeReply reply =
        program->tell(line, std::clamp(left, std::chrono::milliseconds(0), wait), seen.body, most);
    if (reply.kind == PipeReply::Kind::hung && has_passed(end))
      reply.detail = "the exchange did not end in time: the program sent each answer, but too late";
    if (reply.cut && !last_line) {
      reply.kind = PipeReply::Kind::garbage;
      reply.detail = "the program cut the client's message off before the upstream's answer ended";
    }
    for (const std::string& ask : reply.asks) {
      if (!tells_what_it_asks_) break;
      if (const auto added = add_reported_request(ask, target_.upstream, seen); !added) {
        reply.kind = PipeReply::Kind::garbage;
        reply.detail = added.error() + ": " + in_backticks(ask);
      }
    }
    seen.ending = ending_of(reply.kind);
    if (reply.kind == PipeReply::Kind::skip)
      seen.detail = reply.detail;
    else if (reply.kind != PipeReply::Kind::ack)
      seen.detail = what + ": " + reply.detail;
    if (reply.cut && reply.kind == PipeReply::Kind::ack) {
      seen.ending = Ending::cut;
      seen.detail = "the program reports that the message to its client breaks off";
    }
    put.was_over = reply.ended_well;
    return reply.kind;
  };
  PipeReply::Kind kind = told(opening->line, first_wait, "after `open`");
  put.was_over = put.was_over && !fresh && seen.body.empty();
  if (put.was_over) return put;
  const auto pause = [&](std::size_t i) {
    if (i < exchange.pauses.size()) sleep_until(stop_, after(exchange.pauses[i]));
  };
  // A reader of events sees no pause between lines, so its lines need not wait for each other.
  const bool is_ahead = kind == PipeReply::Kind::ack && traits().reads_events() && exchange.pauses.empty();
  if (is_ahead) {
    std::string lines;
    for (const auto& chunk : exchange.chunks) lines += feed_line(chunk);
    program->send_ahead(lines + end_line(exchange.end), exchange.chunks.size() + 1);
  }
  for (std::size_t i = 0; kind == PipeReply::Kind::ack && i < exchange.chunks.size(); ++i) {
    pause(i);
    kind = told(is_ahead ? std::string() : feed_line(exchange.chunks[i]), target_.timeout,
                "after chunk " + std::to_string(i + 1) + " of " + std::to_string(exchange.chunks.size()));
    if (kind == PipeReply::Kind::ack) seen.after_chunk.push_back(seen.body.size());
  }
  if (kind == PipeReply::Kind::ack) {
    last_line = true;
    pause(exchange.chunks.size());
    kind = told(is_ahead ? std::string() : end_line(exchange.end), target_.timeout, "after `end`");
  } else {
    seen.after_chunk.clear();
  }
  if ((kind == PipeReply::Kind::ack || kind == PipeReply::Kind::skip) && !program->owes_answers())
    keep(std::move(program), fresh && kind == PipeReply::Kind::ack, "`end`", seen);
  put.was_over = false;
  return put;
}

PipeTestee::PutThrough PipeTestee::run_read(std::unique_ptr<PipeProgram> program, bool fresh,
                                            const Exchange& exchange) const {
  const auto wait = fresh ? std::max(target_.timeout, target_.ready_within) : target_.timeout;
  PutThrough put;
  PipeReply reply;
  put.seen = served_->run(*program, exchange, wait, stop_, reply);
  put.was_over = reply.ended_well && !fresh && put.seen.body.empty();
  if (put.was_over) return put;
  put.seen.ending = ending_of(reply.kind);
  if (reply.kind != PipeReply::Kind::ack)
    put.seen.detail = reply.kind == PipeReply::Kind::skip ? reply.detail : "after `read`: " + reply.detail;
  if (reply.kind == PipeReply::Kind::ack || reply.kind == PipeReply::Kind::skip)
    keep(std::move(program), fresh && reply.kind == PipeReply::Kind::ack, "`read`", put.seen);
  return put;
}

// Keeps the program for the next exchange, unless it wrote more after the line that it answered. `fresh`: it has not been
// checked for that.
void PipeTestee::keep(std::unique_ptr<PipeProgram> program, bool fresh, std::string_view after,
                      Observation& seen) const {
  if (fresh) {
    if (const std::string_view more = program->overhear(kListen); !more.empty()) {
      seen.ending = Ending::garbage;
      seen.detail =
          fmt::format("after {}: the program wrote more after its answer: {}", after, in_backticks(more));
      return;
    }
  }
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(program));
}

Result<PipeTestee::Opening> PipeTestee::opening_of(const Exchange& exchange) const {
  if (traits().reads_events()) return Opening{open_reader_line(), {}};
  Result<std::string> request = client_request(target_.client, exchange.recording, target_.model, "");
  if (!request) return tl::unexpected(request.error());
  std::string line = open_line(target_.client, target_.upstream, *request);
  return Opening{std::move(line), *std::move(request)};
}

PipeLimits PipeTestee::limits(const Exchange& exchange) const {
  return {std::max(target_.timeout, target_.ready_within), target_.timeout, most_of_answer(exchange)};
}

PipeCopying PipeTestee::copying() const {
  std::call_once(tried_copying_, [this] {
    if (traits().is_client()) return;
    auto program = launch();
    const Result<Opening> opening = opening_of({});
    if (program && opening) copying_ = try_copying(*std::move(program), opening->line, limits({}));
  });
  return copying_;
}

Result<std::unique_ptr<CopyableStream>> PipeTestee::open(const recording::Recording& recording) const {
  Exchange exchange;
  exchange.recording = &recording;
  exchange.chunks = {recording.body};
  const Result<Opening> opening = opening_of(exchange);
  if (!opening) return tl::unexpected(opening.error());
  auto program = launch();
  if (!program) return tl::unexpected(program.error());
  return open_pipe_stream(*std::move(program), opening->line, limits(exchange));
}

const char* PipeTestee::page() const {
  return traits().is_client() ? "docs/clients.md" : "docs/without-http.md";
}

}  // namespace splitproof::testee
