#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/selftest/streams.hpp"
#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::selftest {

/// Returns a control of the built-in contracts, by its name without folder and suffix.
inline Stream control(const std::string& protocol, const std::string& name) {
  const std::string file = "falsifiers/" + name + ".sse";
  return {protocol, file, observe::file_bytes(contract::contract_folder() / file)};
}

/// Returns streams of every protocol, in several shapes.
inline std::vector<Stream> some_controls() {
  return {
      control("anthropic.messages", "plain-text"),    control("anthropic.messages", "two-tools"),
      control("anthropic.messages", "ping-between"),  control("anthropic.messages", "thinking-then-tool"),
      control("openai.chat", "chat-two-tools"),       control("openai.chat", "chat-usage"),
      control("openai.chat", "chat-error"),           control("openai.responses", "responses-text-and-tool"),
      control("openai.responses", "responses-failed")};
}

}  // namespace splitproof::selftest
