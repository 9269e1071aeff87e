#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/text/redaction.hpp"

namespace splitproof::text {

enum class OwnIdentity : std::uint8_t { pass, rewrite };
enum class UpstreamBlocks : std::uint8_t { pass, strip };
enum class StopRule : std::uint8_t { upstream, cut };

/// What a proxy promises to take out of text; nothing by default.
struct CleaningRules {
  Marker marker = Marker::none;
  /// What internal paths begin with.
  std::vector<std::string> internal_paths = {"/tmp/windsurf-workspace", "/home/user/projects/workspace-",
                                             "/opt/windsurf"};
  OwnIdentity identity = OwnIdentity::pass;
  UpstreamBlocks upstream_blocks = UpstreamBlocks::pass;
  StopRule stop_sequences = StopRule::upstream;
  std::string model;               ///< that the client asked for; empty: the identity stays
  std::vector<std::string> stops;  ///< at which the client wants the text to end

  bool rewrites() const { return identity == OwnIdentity::rewrite && !model.empty(); }
  bool cuts() const { return stop_sequences == StopRule::cut && !stops.empty(); }

  /// There is something to take out.
  bool any() const {
    return marker != Marker::none || rewrites() || upstream_blocks == UpstreamBlocks::strip || cuts();
  }

  bool operator==(const CleaningRules&) const = default;
};

}  // namespace splitproof::text
