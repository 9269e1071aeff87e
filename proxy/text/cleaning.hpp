#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/text/argument_redaction.hpp"
#include "proxy/text/cleaning_rules.hpp"
#include "proxy/text/hidden_blocks.hpp"
#include "proxy/text/identity.hpp"
#include "proxy/text/redaction.hpp"
#include "proxy/text/stop_texts.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::text {

/// Removes what reveals the upstream from each part of an answer: internal paths, the upstream's own name, blocks from
/// the request. Ends the answer at the client's stop texts. contracts/specifications/cleaning.md has the rules.
class Cleaning {
 public:
  explicit Cleaning(const CleaningRules& rules);

  /// Takes the next event of the turn and appends the result.
  void accept(turn::Event event, std::vector<turn::Event>& events);

  /// The upstream body is over. Appends what waits.
  void finish(std::vector<turn::Event>& events);

  bool operator==(const Cleaning&) const = default;

 private:
  struct Arguments {
    std::uint64_t rank = 0;  // of their call
    ArgumentRedaction redaction;
    bool operator==(const Arguments&) const = default;
  };

  void take(turn::Prose prose, std::vector<turn::Event>& events);
  void take(turn::Signature signature, std::vector<turn::Event>& events);
  void take(turn::CallPiece piece, std::vector<turn::Event>& events);
  void read(std::string text, bool over, std::vector<turn::Event>& events);
  void end_part(std::vector<turn::Event>& events);
  void end_arguments(std::vector<turn::Event>& events);
  bool changed() const { return redaction_.changed() || identity_.changed() || blocks_.changed(); }

  CleaningRules rules_;
  RedactionRules redacted_;
  WantedTexts stops_;

  bool in_part_ = false;
  turn::BlockKind kind_ = turn::BlockKind::text;  // of the current or last part
  std::size_t part_ = 0;
  wire::SurrogateJoiner pairs_;
  Redaction redaction_;
  Identity identity_;
  HiddenBlocks blocks_;
  StopTexts stop_;
  std::optional<turn::Signature> signature_;  // of the current thinking

  std::size_t made_ = 0;  // calls so far
  std::map<std::size_t, Arguments> arguments_;
  bool stopped_ = false;  // by a stop sequence
  bool ended_ = false;
};

/// Cleans an error's message.
void clean_error(const CleaningRules& rules, std::string& message);

/// Cleans an error's message and code.
void clean_error(const CleaningRules& rules, turn::Failure& failure);

}  // namespace splitproof::text
