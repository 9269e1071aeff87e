#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/text/redaction.hpp"

namespace splitproof::text {

enum class OwnIdentity : std::uint8_t { pass, rewrite };
enum class UpstreamBlocks : std::uint8_t { pass, strip };
enum class StopRule : std::uint8_t { upstream, cut };

/// Cleaning that a proxy promises; nothing by default.
struct CleaningRules {
  Marker marker = Marker::none;
  /// Prefixes of internal paths.
  std::vector<std::string> internal_paths = {"/tmp/windsurf-workspace", "/home/user/projects/workspace-",
                                             "/opt/windsurf"};
  OwnIdentity identity = OwnIdentity::pass;
  UpstreamBlocks upstream_blocks = UpstreamBlocks::pass;
  StopRule stop_sequences = StopRule::upstream;
  std::string model;               ///< of the client's request; empty: the identity stays
  std::vector<std::string> stops;  ///< the client's stop texts

  bool rewrites() const { return identity == OwnIdentity::rewrite && !model.empty(); }
  bool cuts() const { return stop_sequences == StopRule::cut && !stops.empty(); }

  /// True if there is something to remove.
  bool any() const {
    return marker != Marker::none || rewrites() || upstream_blocks == UpstreamBlocks::strip || cuts();
  }

  bool operator==(const CleaningRules&) const = default;
};

}  // namespace splitproof::text
