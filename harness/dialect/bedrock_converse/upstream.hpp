#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// Bedrock's `converse-stream`: an AWS event stream of blocks, which a `messageStop` ends.
class BedrockConverseUpstream final : public UpstreamDialect {
 public:
  BodyFormat format() const override { return {Framing::aws_frames, {}}; }
  std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const override;
  std::vector<std::string_view> shapes() const override { return {}; }
  std::string_view content_type() const override { return "application/vnd.amazon.eventstream"; }
  std::vector<std::string> tiny_answer() const override;
  std::string whole_answer(const observe::Answer& answer) const override;
  std::optional<CanaryStream> canary(std::string_view, std::size_t) const override { return std::nullopt; }
};

}  // namespace splitproof::dialect
