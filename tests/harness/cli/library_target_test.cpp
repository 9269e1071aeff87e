// `--target` with translators in shared libraries: mutants of the reference, and a library in a target file.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::library_target_test {
namespace {

const std::string kWhole = "openai.chat/tool-name-every-chunk?client=anthropic.messages&gen=whole";

std::string example_library() {
  const char* path = std::getenv("SPLITPROOF_EXAMPLE_LIBRARY");
  return path != nullptr ? path : "translate.so";
}

std::string file_of(const std::string& library) {
  return "target: mine\nkind: in-process\nclient: anthropic.messages\nupstream: openai.chat\nlibrary: " +
         library + "\n";
}

TEST(Mutants, AreListedWithObligationAndBug) {
  const Finished listed = splitproof({"list", "mutants"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  const std::vector<std::string> lines = lines_of(listed.out);
  EXPECT_GE(lines.size(), 40U);
  EXPECT_EQ(
      lines.front(),
      "start-per-name               ANT-05   openai.chat        anthropic.messages Starts the block again for every "
      "chunk that repeats the name. (router-for-me/CLIProxyAPI#2926)");
}

TEST(Mutants, AreRunAndReproducedAsTargets) {
  const Finished run = splitproof(
      {"run", "--all", "--target", "mutant:start-per-name", "--target", "reference", "--only", kWhole});
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_NE(run.out.find("[ANT-05, must]"), std::string::npos);
  EXPECT_NE(run.out.find("1 case of 1 recording on mutant:start-per-name"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("on reference"), std::string::npos);
  EXPECT_NE(run.out.find("splitproof replay '" + kWhole + "' --target mutant:start-per-name"),
            std::string::npos);

  const Finished replayed = splitproof({"replay", kWhole, "--target", "mutant:start-per-name"});
  EXPECT_EQ(replayed.code, 1) << replayed.err;
  EXPECT_NE(replayed.out.find("ANT-05 must"), std::string::npos);
}

TEST(Mutants, ProfileConfiguresTheMutants) {
  const Folder folder;
  const std::string profile =
      folder.put("leave.yaml", "profile: leave\nextends: default\nknobs: {think-tags: leave}\n");
  const std::string tags = "openai.chat/thinking-tags-in-one-piece?client=anthropic.messages&gen=whole";
  for (const char* target : {"reference", "mutant:usage-zero"}) {
    const Finished leaves = splitproof({"replay", tags, "--target", target, "--profile", profile});
    EXPECT_EQ(leaves.code, 0) << target << leaves.out << leaves.err;
    EXPECT_NE(leaves.out.find("<think>"), std::string::npos);
  }
}

TEST(Mutants, UnknownMutantsAreNamed) {
  const Finished unknown = splitproof({"run", "--target", "mutant:start-per-game"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(
      unknown.err,
      "splitproof: there is no mutant 'start-per-game'; did you mean start-per-name? run splitproof list mutants to see all mutants\n");
}

TEST(LibraryTarget, IsFoundFromTheFolderOfItsFile) {
  const Folder folder;
  std::filesystem::create_directory(folder.at("built"));
  std::filesystem::copy_file(example_library(), folder.at("built/translate.so"));
  const std::string file = folder.put("mine.yaml", file_of("built/translate.so"));
  const std::string absolute = folder.put("absolute.yaml", file_of(example_library()));
  for (const std::string& target : {file, absolute}) {
    const Finished run = splitproof({"run", "--target", target, "--only", "openai.chat/text-plain"});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_NE(run.out.find("targets        mine\n"), std::string::npos) << run.out;
    EXPECT_EQ(last_line(run.out).find("splitproof: CONFORMS  1 recording, "), 0U);
  }
  const Finished fails =
      splitproof({"run", "--target", file, "--only", "openai.chat/thinking-only?*gen=whole"});
  EXPECT_EQ(fails.code, 1) << fails.err;
  EXPECT_NE(fails.out.find("--target " + file), std::string::npos) << fails.out;
}

TEST(LibraryTarget, UnloadableLibraryIsRefusedWithTheReason) {
  const Folder folder;
  const auto refused = [&](const std::string& text) {
    const Finished run = splitproof({"run", "--target", folder.put("mine.yaml", text)});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_EQ(refused(file_of("gone.so")),
            "splitproof: " + folder.at("gone.so") + ": the library does not exist\n");
  EXPECT_EQ(refused(file_of(example_library()) + "variant: other\n"),
            "splitproof: " + example_library() +
                ": the library has no variant 'other'; the library has no variants\n");
  EXPECT_NE(refused(file_of("mine.yaml")).find("mine.yaml: cannot load the library: "), std::string::npos);
}

}  // namespace
}  // namespace splitproof::cli::library_target_test
