#pragma once

#include <string>
#include <string_view>

namespace splitproof::evidence {

/// Returns the path of an evidence file within a run's folder: TARGET/RECORDING.evidence.jsonl. Evidence
/// about error statuses has TARGET/RECORDING@statuses.evidence.jsonl.
///
/// Distinct files have distinct paths, even on file systems that ignore case, and no file has the path of a
/// folder. Lower-case letters, digits, `-`, `_` and dots are kept. `+x` is the capital, `%2f` the byte 0x2f,
/// and a lone `%` an empty name. Slashes in a recording's name create folders.
std::string evidence_name(std::string_view target, std::string_view recording, bool statuses);

}  // namespace splitproof::evidence
