#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/upstream.hpp"

namespace splitproof::dialect {

/// Bedrock's `invoke-with-response-stream`: an AWS event stream whose `chunk` frames hold the events of
/// another dialect, as `{"bytes": BASE64}`. That dialect's reader reads the answer and its end. This reader
/// checks that frames are valid and that none is an exception.
class BedrockInvokeUpstream final : public UpstreamDialect {
 public:
  /// `inner` must outlive it. Its events are JSON.
  explicit BedrockInvokeUpstream(const UpstreamDialect& inner) : inner_(inner) {}

  BodyFormat format() const override { return {Framing::aws_frames, {}}; }
  std::unique_ptr<AnswerReader> reader(const observe::Choices& choices) const override;
  std::vector<std::string_view> shapes() const override { return inner_.shapes(); }
  std::string_view content_type() const override { return "application/vnd.amazon.eventstream"; }
  std::vector<std::string> tiny_answer() const override { return {}; }
  std::optional<CanaryStream> canary(std::string_view, std::size_t) const override { return std::nullopt; }

 private:
  const UpstreamDialect& inner_;
};

}  // namespace splitproof::dialect
