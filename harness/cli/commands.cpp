#include "harness/cli/commands.hpp"

namespace splitproof::cli {

std::vector<const Command*> commands() {
  return {&kTry,    &kDoctor, &kRun,      &kCheck,   &kDecode,   &kReplay, &kShrink, &kFuzz,
          &kDistil, &kProve,  &kUpstream, &kExplain, &kList,     &kRecord, &kImport, &kExport,
          &kJudge,  &kMerge,  &kDiff,     &kUi,      &kSelfTest, &kFalsify};
}

}  // namespace splitproof::cli
