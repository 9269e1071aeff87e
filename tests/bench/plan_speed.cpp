// Counts the cases of a plan of ten million, like each shard of a campaign of this size, for `make bench`.
//
// usage: plan_speed CORPUS

#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <iostream>

#include "harness/campaign/variations.hpp"
#include "harness/recording/corpus.hpp"

using namespace splitproof;

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: plan_speed CORPUS\n";
    return 2;
  }
  const recording::Corpus corpus = recording::load_corpus({arguments[1]});
  const std::clock_t began = std::clock();
  std::size_t cases = 0;
  const campaign::Trials trials{{3000, true, 1}, 1500, true};
  for (const recording::Recording& recording : corpus.recordings)
    cases += campaign::extent_of(recording, "anthropic.messages", trials, "").cases;
  const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  fmt::print("a plan of {:.1f} million cases                     {:6.2f} s {:22.0f} MB\n",
             static_cast<double>(cases) / 1e6, seconds, static_cast<double>(used.ru_maxrss) / 1024);
}
