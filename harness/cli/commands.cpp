#include "harness/cli/commands.hpp"

namespace splitproof::cli {

std::vector<const Command*> commands() {
  return {&kTry,     &kDoctor, &kRun,    &kCheck, &kDecode, &kReplay, &kShrink,   &kUpstream,
          &kExplain, &kList,   &kImport, &kJudge, &kMerge,  &kDiff,   &kSelfTest, &kFalsify};
}

}  // namespace splitproof::cli
