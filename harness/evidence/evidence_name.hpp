#pragma once

#include <string>
#include <string_view>

namespace splitproof::evidence {

/// The path, below the folder of a run, of evidence of one target and recording: TARGET/RECORDING.evidence.jsonl, and of
/// what the target did on error statuses TARGET/RECORDING@statuses.evidence.jsonl.
///
/// Two of them are never one file, nor is one the folder of another, on file systems too that do not tell `A` from `a`:
/// lower-case letters, digits, `-`, `_` and dots stand for themselves, `+x` for the capital, `%2f` for the byte 0x2f, and
/// a lone `%` for a name that is empty. Slashes of a recording make folders.
std::string evidence_name(std::string_view target, std::string_view recording, bool statuses);

}  // namespace splitproof::evidence
