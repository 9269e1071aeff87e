#include "proxy/dialect/bedrock_converse/order.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "proxy/dialect/aws_failure.hpp"
#include "proxy/dialect/aws_frame.hpp"
#include "proxy/dialect/bedrock_converse/errors.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BodyEnd;

// The events whose order is checked.
constexpr std::array<std::string_view, 6> kOrdered = {
    "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata"};

}  // namespace

Ruling ConverseOrder::take(const wire::Frame& frame) {
  if (!frame.terminated) {
    torn_ = true;
    return {.passes = false};
  }
  const AwsFrame read(frame, rules_.limits, kOrdered);
  if (read.failure()) {
    const bool passes = !frame.bare && !frame.error.empty() && is_converse_error(frame.data);
    return passes ? Ruling{.last = true} : Ruling{.passes = false, .failure = *read.failure()};
  }
  if (frame.bare) return {.passes = false};
  if (const std::string problem = problem_of(frame.event, read.event()); !problem.empty())
    return failing("a frame of the upstream " + problem);
  return {};
}

// Returns why an event must not occur here, to follow "a frame of the upstream "; empty if it may.
std::string ConverseOrder::problem_of(const std::string& type, const wire::Json& event) {
  if (!event) return "";
  if (type == "messageStart") {
    if (std::exchange(started_, true)) return "starts the message again";
    return "";
  }
  if (!started_) return "comes before messageStart";
  if (type == "metadata") {
    counted_ = stopped_;
    return "";
  }
  if (stopped_) return "comes after messageStop";
  const std::uint64_t index = event["contentBlockIndex"].count().value_or(0);
  const auto known = blocks_.find(index);
  if (type == "contentBlockStart") return start_block(index, event["start"]);
  if (type == "contentBlockStop") {
    if (known != blocks_.end() && known->second == Block::call) known->second = Block::closed_call;
  } else if (type == "contentBlockDelta") {
    const bool open = known != blocks_.end() && known->second == Block::call;
    if (event["delta"]["toolUse"] && !open) return "is a piece of a call that is not open";
    if (!event["delta"]["toolUse"] && open) return "is other content of the block of a call";
  } else if (std::any_of(blocks_.begin(), blocks_.end(),
                         [](const auto& block) { return block.second == Block::call; })) {
    return "ends the message before the end of a call";
  } else {
    stopped_ = true;
  }
  return "";
}

std::string ConverseOrder::start_block(std::uint64_t index, const wire::Json& start) {
  if (!start["toolUse"]) return "";
  const auto known = blocks_.find(index);
  if (known != blocks_.end() && known->second == Block::call) return "starts a block again";
  if (blocks_.size() >= rules_.limits.parts) return "starts more blocks than one message may hold";
  blocks_[index] = Block::call;
  return "";
}

Ruling ConverseOrder::end(BodyEnd end, std::string& /*out*/) const {
  if (end != BodyEnd::complete || !stopped_ || torn_) return {.failure = turn::broken_off(end, rules_)};
  return {.last = true};
}

void ConverseOrder::fail(const turn::Failure& failure, std::string& out) {
  append_converse_exception(failure.kind, failure.message, out);
}

}  // namespace splitproof::proxy::dialect
