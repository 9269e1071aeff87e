#include "harness/evidence/manifest.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace splitproof::evidence::manifest_test {
namespace {

Manifest manifest() {
  Manifest made;
  made.version = "0.1.0";
  made.profile = "default";
  made.contracts = {{"chat.yaml", "0123456789abcdef"}};
  made.corpora = {"the project's corpus", "\"quoted\""};
  made.options = " --splits 0";
  made.seed = 18446744073709551615U;
  made.targets = {"a", "b"};
  made.untested = {{"b", "it ended"}};
  made.unreadable = 2;
  made.files = {{"a/x.evidence.jsonl", "a", "x", "exact", 7, 8, digest_of("x")},
                {"a/y.evidence.jsonl", "a", "y", "statuses", 0, 9, digest_of("y")}};
  return made;
}

TEST(Manifest, IsReadAsItWasWritten) {
  const auto read = parse_manifest(to_text(manifest()), "m");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(*read, manifest());
  EXPECT_EQ(*parse_manifest(to_text(Manifest()), "m"), Manifest());
  Manifest shards = manifest();
  shards.plan = "0123456789abcdef";
  shards.of = 16;
  shards.shards = {2, 16};
  EXPECT_EQ(*parse_manifest(to_text(shards), "m"), shards);
  for (const std::set<std::size_t>& impossible : {std::set<std::size_t>(), {0, 2}, {17}}) {
    shards.shards = impossible;
    EXPECT_FALSE(parse_manifest(to_text(shards), "m"));
  }
}

TEST(Manifest, TruncatedOrInvalidManifestIsRefused) {
  const std::string text = to_text(manifest());
  for (std::size_t size = 0; size + 1 < text.size(); ++size)
    EXPECT_FALSE(parse_manifest(text.substr(0, size), "m")) << size;
  for (const char* member :
       {"manifest", "splitproof", "profile", "contracts", "corpora", "options", "seed", "targets", "untested",
        "unreadable", "files", "path", "target", "recording", "round", "cases", "bytes", "digest"}) {
    std::string without = text;
    const std::string quoted = "\"" + std::string(member) + "\":";
    without.replace(without.find(quoted), 2, "\"_");
    const auto read = parse_manifest(without, "m");
    ASSERT_FALSE(read) << member;
    EXPECT_NE(describe(read.error()).find("m: the manifest is not valid"), std::string::npos) << member;
    EXPECT_EQ(describe(read.error()).find("json.exception"), std::string::npos) << describe(read.error());
  }
  std::string other = text;
  other.replace(other.find(": 1"), 3, ": 2");
  EXPECT_NE(parse_manifest(other, "m").error().what.find("another version"), std::string::npos);
  EXPECT_EQ(parse_manifest("[]", "m").error().what, "the manifest is not a JSON object");
}

}  // namespace
}  // namespace splitproof::evidence::manifest_test
