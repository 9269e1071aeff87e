// The fuzz target of imports begins with a file of each kind. Otherwise it would hardly reach the kind's reader.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/import_input.hpp"
#include "harness/read_file.hpp"

namespace splitproof::fuzz {
namespace {

ImportInput seed(const std::filesystem::path& path) {
  const std::string bytes = read_file(path.string()).value();
  return import_input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

// Returns the kind that reads the file: the named one, or the first that recognises it.
std::string_view kind_of(const ImportInput& input) {
  if (input.importer != nullptr) return input.importer->kind;
  for (const imports::Importer& importer : imports::importers())
    if (importer.recognises != nullptr && importer.recognises(input.source)) return importer.kind;
  return "none";
}

TEST(Seeds, EveryImporterHasAFileThatItReads) {
  const std::filesystem::path root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  std::map<std::string_view, std::size_t> seeds;
  for (const auto& file : std::filesystem::directory_iterator(root / "fuzz/seeds/imports")) {
    const std::string name = file.path().filename().string();
    SCOPED_TRACE(name);
    const ImportInput input = seed(file.path());
    const std::string_view kind = kind_of(input);
    EXPECT_TRUE(name == kind || name.starts_with(std::string(kind) + "-")) << kind;
    ++seeds[kind];
    const auto found = imports::read_with(input.importer, input.source);
    if (kind == "aimock") {  // it has no stream, so its reader only explains that
      ASSERT_FALSE(found);
      EXPECT_NE(found.error().what.find("aimock"), std::string::npos);
      continue;
    }
    if (name.find("-refused-") != name.npos) {  // an earlier finding
      ASSERT_FALSE(found);
      EXPECT_EQ(describe(found.error()).find('\n'), std::string::npos);
      continue;
    }
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_FALSE(found->streams.empty());
  }
  for (const imports::Importer& importer : imports::importers())
    EXPECT_GE(seeds[importer.kind], 1U) << "no seed for " << importer.kind;
}

}  // namespace
}  // namespace splitproof::fuzz
