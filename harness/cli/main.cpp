#include <variant>

#include "harness/cli/arguments.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/program.hpp"
#include "harness/cli/self_test_program.hpp"

namespace {

using namespace splitproof::cli;

struct Dispatch {
  char** argv;

  int operator()(const EarlyExit& ended) const { return ended.code; }
  int operator()(const RunCommand& command) const { return run_campaign(command); }
  int operator()(const CheckCommand& command) const { return check(command); }
  int operator()(const DiffCommand& command) const { return diff(command); }
  int operator()(const DecodeCommand& command) const { return decode(command); }
  int operator()(const ReplayCommand& command) const { return replay(command); }
  int operator()(const ShrinkCommand& command) const { return shrink_case(command); }
  int operator()(const UpstreamCommand& command) const { return upstream(command); }
  int operator()(const ExplainCommand& command) const { return explain(command); }
  int operator()(const ListCommand& command) const { return list(command); }
  int operator()(const ImportCommand& command) const { return import(command); }
  int operator()(const JudgeCommand& command) const { return judge(command); }
  int operator()(const SelfTestCommand& /*command*/) const { return run_self_test_program(argv); }
  int operator()(const FalsifyCommand& command) const { return falsify(command); }
};

}  // namespace

int main(int argc, char** argv) {
  return as_program([&] { return std::visit(Dispatch{argv}, parse_arguments(argc, argv)); });
}
