#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/dialect/client.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::dialect {

/// A client of Chat Completions. It uses the same reader as the upstream, so that both sides count alike.
class ChatClient final : public Client {
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
  std::string_view stop_member() const override { return "stop"; }
  std::string as_stream(const nlohmann::json& whole) const override;
  nlohmann::json next_request(const nlohmann::json& request, observe::EventStream& answer,
                              bool reversed) const override;

 private:
  ChosenFields chosen_{{"/id", "/choices/*/delta/tool_calls/*/id"}, {"/created"}};
};

EventMarks marks_of_chat(const observe::Event& event);

}  // namespace splitproof::dialect
