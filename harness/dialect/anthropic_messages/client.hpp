#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/dialect/client.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::dialect {

/// A strict client of Anthropic Messages. It assembles blocks as the API documents, and runs each call when
/// its block stops.
class AnthropicClient final : public Client {
 public:
  using Client::assemble;
  using Client::side;
  observe::Answer assemble(observe::EventStream& stream) const override;
  observe::NormalisedAnswer side(observe::EventStream& stream) const override;
  std::map<std::string, std::string> notes(observe::EventStream& stream) const override;
  observe::ClientCapabilities carries(const nlohmann::json* request) const override;
  std::unique_ptr<ProgressMeter> meter(const observe::Choices& choices) const override;
  std::string added_text(const nlohmann::json& event) const override;
  const ChosenFields& chosen() const override { return chosen_; }
  std::string lone_error(int status) const override;
  nlohmann::json request(const Wants& wants) const override;
  std::string_view stop_member() const override { return "stop_sequences"; }
  std::string as_stream(const nlohmann::json& whole) const override;
  nlohmann::json next_request(const nlohmann::json& request, observe::EventStream& answer,
                              bool reversed) const override;
  std::vector<std::pair<std::string, std::string>> headers() const override {
    return {{"anthropic-version", "2023-06-01"}};
  }

 private:
  ChosenFields chosen_{{"/message/id", "/content_block/id", "/content_block/tool_use_id"}, {}};
};

/// Returns the body with which a server of Anthropic Messages answers an error status.
std::string refusal_of_anthropic(int status);

EventMarks marks_of_anthropic(const observe::Event& event);

}  // namespace splitproof::dialect
