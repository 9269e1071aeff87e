#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/dialect/client.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::dialect {

/// A client of Bedrock's Converse and ConverseStream. Its requests have the model and the choice of a stream in the path.
/// Its streams are frames of an AWS event stream, which it reads as aws_document() returns them.
class ConverseClient final : public Client {
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
  std::string as_stream(const nlohmann::json& whole) const override;
  nlohmann::json next_request(const nlohmann::json& request, observe::EventStream& answer,
                              bool reversed) const override;
  std::string_view stop_member() const override { return "inferenceConfig.stopSequences"; }
  MessageForm message_form() const override { return {"messages", "content", "", "assistant"}; }

  /// `path` is the path of the models, `/model`.
  ClientCall call(const std::string& path, const nlohmann::json& request) const override;

 private:
  ChosenFields chosen_{{"/start/toolUse/toolUseId"}, {"/metrics/latencyMs"}};
};

EventMarks marks_of_converse(const observe::Event& event);

/// Returns the body with which the service answers an error status.
std::string refusal_of_converse(int status);

}  // namespace splitproof::dialect
