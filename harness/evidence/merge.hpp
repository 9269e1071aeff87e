#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/manifest.hpp"
#include "harness/result.hpp"

namespace splitproof::evidence {

/// Evidence and the place that it was read from.
struct PlacedEvidence {
  std::string path;
  Evidence evidence;
};

/// Joins the evidence of parts of one run about one target and recording. The cases have the order of the run, whatever the
/// order of the parts. A case that comes twice counts once, and so does a baseline. Returns an Error with the place if two
/// parts have another target, profile or recording, or different observations of one case. `parts` is not empty.
Result<Evidence> merge(std::vector<PlacedEvidence> parts);

/// A manifest and the place that it was read from.
struct PlacedManifest {
  std::string path;
  Manifest manifest;
};

/// Joins the descriptions of the parts of one run. The result has no files. Returns an Error that names the first field in
/// which two runs differ, with the place. `parts` is not empty.
Result<Manifest> merge(const std::vector<PlacedManifest>& parts);

/// Returns the shards, from 1, whose evidence a manifest lacks; empty if the run had no shards.
std::vector<std::size_t> missing_shards(const Manifest& manifest);

}  // namespace splitproof::evidence
