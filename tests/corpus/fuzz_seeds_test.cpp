// The numbers by which seeds of the fuzz targets choose protocols are those of the targets.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/pairs.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/read_file.hpp"
#include "proxy/dialect/table.hpp"
#include "tests/corpus/reference_campaign.hpp"

namespace splitproof::recording::fuzz_seeds_test {
namespace {

using Numbers = std::map<std::string, std::vector<std::size_t>>;

Numbers written(const char* name) {
  const auto text = read_file((campaign::source_root() / "fuzz/protocols.json").string());
  return nlohmann::json::parse(text.value()).at(name).get<Numbers>();
}

TEST(FuzzSeeds, ChooseTheirPairs) {
  Numbers pairs;
  for (std::size_t i = 0; i < fuzz::pairs().size(); ++i)
    pairs[std::string(fuzz::pairs()[i].upstream->protocol)].push_back(i);
  EXPECT_EQ(written("pairs"), pairs);
}

TEST(FuzzSeeds, ChooseTheirDialects) {
  Numbers dialects;
  for (std::size_t i = 0; i < dialect::all().size(); ++i)
    dialects[std::string(dialect::all()[i].protocol)].push_back(i);
  EXPECT_EQ(written("dialects"), dialects);
}

TEST(FuzzSeeds, ChooseTheirRelays) {
  Numbers relays;
  std::size_t number = 0;
  for (const proxy::dialect::UpstreamRow& upstream : proxy::dialect::upstreams())
    if (upstream.order != nullptr) relays[std::string(upstream.protocol)].push_back(number++);
  EXPECT_EQ(written("relays"), relays);
}

}  // namespace
}  // namespace splitproof::recording::fuzz_seeds_test
