#pragma once

#include "harness/cli/arguments.hpp"

namespace splitproof::cli {

// One function a subcommand, each in a file of its name. They print, and return the program's exit code.

int run_campaign(const RunCommand& command);
int check(const CheckCommand& command);
int diff(const DiffCommand& command);
int decode(const DecodeCommand& command);
int replay(const ReplayCommand& command);
int shrink_case(const ShrinkCommand& command);
int upstream(const UpstreamCommand& command);
int explain(const ExplainCommand& command);
int list(const ListCommand& command);
int import(const ImportCommand& command);
int judge(const JudgeCommand& command);
int self_test(const SelfTestCommand& command);
int falsify(const FalsifyCommand& command);

}  // namespace splitproof::cli
