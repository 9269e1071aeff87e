#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace splitproof::observe {

/// Meaning of a known index with another id (knob `same-index-new-id`).
enum class SameIndexNewId : std::uint8_t { new_call, same_call };

/// Answers to contested questions that change the translation of an upstream answer. The defaults are those
/// of the profile `default`. Each comment names the knob and its value.
struct Choices {
  enum class Nameless : std::uint8_t { suppress, synthesize, error };
  enum class Marker : std::uint8_t { none, ellipsis, structural };

  Nameless nameless_call = Nameless::suppress;                  ///< nameless-call
  bool drop_idless_calls = false;                               ///< idless-call: drop
  SameIndexNewId same_index_new_id = SameIndexNewId::new_call;  ///< same-index-new-id
  bool done_needs_finish = false;                               ///< done-without-finish: error
  bool filtered_is_refusal = true;                              ///< content-filter: refusal
  bool reroute_think_tags = true;                               ///< think-tags: reroute
  bool think_tags_may_stay = true;                              ///< think-tags-as-text: tolerated
  bool rescue_markup = false;                                   ///< leaked-markup: rescue
  bool add_text_to_thinking = false;                            ///< reasoning-only: add-text
  bool only_done_ends = false;                                  ///< terminal-signals: done
  bool metering_ends = false;                                   ///< end-event: metering
  bool cuts_at_stops = false;                                   ///< stop-sequences: cut
  Marker marker = Marker::none;                                 ///< marker: pr54, structural
  bool rewrites_identity = false;                               ///< identity: rewrite
  bool strips_blocks = false;                                   ///< upstream-blocks: strip

  /// True if any of the last four choices removes text from answers.
  bool takes_text_out() const {
    return cuts_at_stops || marker != Marker::none || rewrites_identity || strips_blocks;
  }

  bool operator==(const Choices&) const = default;
};

/// Returns the choices of a profile's knobs. Missing knobs and invalid values leave the default. The
/// profile's loader rejects them.
Choices choices_of(const std::map<std::string, std::string>& knobs);

}  // namespace splitproof::observe
