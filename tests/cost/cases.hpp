#pragma once

#include <string>
#include <vector>

#include "proxy/translator.hpp"
#include "tests/cost/dimension.hpp"

namespace splitproof::cost {

/// One thing that the proxy is asked to do.
struct Case {
  const Dimension* dimension = nullptr;
  bool request = false;  ///< else a stream
  const proxy::dialect::ClientRow* client = nullptr;
  const proxy::dialect::UpstreamRow* upstream = nullptr;
  std::string knob;  ///< that has another answer than the default; empty: none
  std::string answer;

  /// "requests/anthropic.messages>openai.chat/names=opencode/turns"
  std::string name() const;

  /// Empty: the protocol has no such thing.
  std::string input(std::size_t size) const;

  TranslatorOptions options(std::size_t size) const;

  /// Does all that costs: "whole", or why it was not done to the end.
  std::string run(const std::string& input, const TranslatorOptions& options) const;
};

/// Every dimension between all protocols, and with each answer of each knob that matters between two.
std::vector<Case> all_cases();

}  // namespace splitproof::cost
