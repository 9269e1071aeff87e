#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Classifies a frame of an AWS event stream before it is read. The frame has to outlive this object.
class AwsFrame {
 public:
  /// `known`: names of the events that are read.
  AwsFrame(const wire::Frame& frame, const Limits& limits, std::span<const std::string_view> known);

  /// The object of a known event; nothing for all other frames.
  wire::Json event() const { return is_event_ ? document_.root() : wire::Json(); }

  /// Set for an exception, an error in place of a stream, and a frame that cannot be read.
  const std::optional<turn::Failure>& failure() const { return failure_; }

 private:
  wire::JsonDocument document_;
  bool is_event_ = false;
  std::optional<turn::Failure> failure_;
};

}  // namespace splitproof::proxy::dialect
