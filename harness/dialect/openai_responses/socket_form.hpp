#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/dialect/socket_form.hpp"

namespace splitproof::dialect {

/// Responses over WebSocket (contracts/specifications/websocket.md).
class ResponsesSocketForm final : public SocketForm {
 public:
  std::string asking(std::string_view request) const override;
  std::optional<std::string> asked(std::string_view message) const override;
  bool only_prepares(std::string_view message) const override;
  std::string prepared_answer() const override;
  bool is_event(std::string_view message) const override;
  bool ends_answer(std::string_view message) const override;
  std::string event_of(std::string_view message) const override;
  bool has_message(std::string_view data) const override;
  std::string error_message(int status, std::string_view body) const override;
};

}  // namespace splitproof::dialect
