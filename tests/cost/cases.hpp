#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/translator.hpp"
#include "tests/cost/dimension.hpp"

namespace splitproof::cost {

/// One task of the proxy.
struct Case {
  const Dimension* dimension = nullptr;
  bool request = false;  ///< Otherwise a stream.
  const proxy::dialect::ClientRow* client = nullptr;
  const proxy::dialect::UpstreamRow* upstream = nullptr;
  std::string knob;  ///< Knob without its default answer; empty: none.
  std::string answer;

  /// Returns for example "requests/anthropic.messages>openai.chat/names=opencode/turns".
  std::string name() const;

  /// Returns empty if the protocol has no such thing.
  std::string input(std::size_t size) const;

  TranslatorOptions options(std::size_t size) const;

  /// Does all work with a cost. Returns "whole", or why it stopped early.
  std::string run(const std::string& input, const TranslatorOptions& options) const;
};

/// A sample tries each dimension in each upstream's protocol with one client, in turn, relayed, and with some of the
/// answers of knobs.
enum class Choice : std::uint8_t { sample, all };

/// Returns every dimension for all pairs of protocols, and for each answer of each knob that matters, or a sample.
std::vector<Case> cases(Choice choice);

}  // namespace splitproof::cost
