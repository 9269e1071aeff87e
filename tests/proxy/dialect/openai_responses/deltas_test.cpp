#include "proxy/dialect/openai_responses/deltas.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::proxy::dialect::openai_responses::deltas_test {
namespace {

// Returns all texts of up to `most` letters of a and b.
std::vector<std::string> texts(std::size_t most) {
  std::vector<std::string> all = {""};
  for (std::size_t i = 0; all[i].size() < most; ++i) {
    all.push_back(all[i] + "a");
    all.push_back(all[i] + "b");
  }
  return all;
}

TEST(Deltas, ARepetitionIsToldOnceIfTheWholeTextSaysSo) {
  std::size_t waited = 0;
  for (const std::string& first : texts(3)) {
    for (const std::string& second : texts(3)) {
      for (const std::string& third : texts(6)) {
        const std::string before = first + second;
        for (const std::string& whole : {before, before + third, before + third + "!"}) {
          Deltas deltas;
          std::string told = deltas.take(first);
          told += deltas.take(second);
          EXPECT_EQ(told, before) << "only what equals all before it waits";
          told += deltas.take(third);
          const bool waits = !first.empty() && !second.empty() && third == before;
          EXPECT_EQ(deltas.waiting(), waits ? third : "");
          waited += waits ? 1 : 0;
          const auto rest = deltas.complete(whole);
          EXPECT_EQ(deltas.waiting(), "");
          if (waits || whole.size() > before.size() || third.empty())
            EXPECT_EQ(told + rest.value_or("none"), whole);
          else
            EXPECT_FALSE(rest) << "a text that was told is not taken back";
        }
      }
    }
  }
  EXPECT_EQ(waited, 14U * 14U * 3U);
}

TEST(Deltas, ADeltaThatWaitedIsNewIfAnotherFollows) {
  Deltas deltas;
  EXPECT_EQ(deltas.take("ha"), "ha");
  EXPECT_EQ(deltas.take("ha"), "ha") << "one delta before it is no evidence";
  EXPECT_EQ(deltas.take("haha"), "");
  EXPECT_EQ(deltas.take("!"), "haha!");
  EXPECT_EQ(deltas.take("hahahaha!"), "");
  EXPECT_EQ(deltas.release(), "hahahaha!");
  EXPECT_EQ(deltas.complete("hahahaha!hahahaha!."), ".");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_responses::deltas_test
