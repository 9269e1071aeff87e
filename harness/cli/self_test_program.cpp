#include "harness/cli/self_test_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/own_file.hpp"
#include "harness/cli/sources.hpp"

namespace splitproof::cli {
namespace {

// Executes that program. Returns only if it is missing, after reporting it.
int become_self_test(const SelfTestCommand& /*command*/, char** words) {
  const auto file = own_file("splitproof-self-test", "the program of the self-test is missing");
  if (!file) return complain(file.error());
  execv(file->c_str(), words);
  return complain(
      Error{"the program of the self-test cannot start: " + std::generic_category().message(errno), *file, 0,
            kBuildAll});
}

}  // namespace

Command self_test_command(int (*run)(const SelfTestCommand&, char**)) {
  return {"self-test",
          "Change conforming streams in every small way and by every kind of flaw, and report which "
          "changes the contracts notice",
          "splitproof self-test --contracts house --client anthropic.messages",
          [=](Options& options) -> std::function<int()> {
            const auto asked = std::make_shared<SelfTestCommand>();
            Selection& selection = asked->selection;
            add_corpus(options, selection.corpus);
            options
                .text("--only", selection.only, "only streams of recordings and controls whose name matches")
                .type("GLOB");
            add_contracts(options, selection.contracts);
            options.text("--client", selection.client, "only streams of this protocol").type("PROTOCOL");
            add_profile(options, selection.profile);
            options.flag("--json", asked->json, "print a JSON object for each finding");
            return [=, words = options.words()] { return run(*asked, words); };
          }};
}

const Command kSelfTest = self_test_command(become_self_test);

}  // namespace splitproof::cli
