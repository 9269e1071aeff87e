// The program behind the command self-test: it takes the same words.
#include <variant>

#include "harness/cli/arguments.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/program.hpp"

namespace {

using namespace splitproof::cli;

int run(const Command& command) {
  if (const auto* ended = std::get_if<EarlyExit>(&command)) return ended->code;
  const auto* asked = std::get_if<SelfTestCommand>(&command);
  return asked != nullptr ? self_test(*asked) : kWrongInput;
}

}  // namespace

int main(int argc, char** argv) {
  return as_program([&] { return run(parse_arguments(argc, argv)); });
}
