// usage: write_made_up FORMAT TARGETS RULES
// Prints the report of a made-up campaign.
#include <cstdlib>
#include <iostream>

#include "harness/report/formats.hpp"
#include "made_up.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto all =
      splitproof::report::made_up(std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10));
  for (const splitproof::report::Format& format : splitproof::report::formats())
    if (format.name == argv[1]) std::cout << format.write(all.results, all.heading, all.summary(), true);
  return std::cout.flush() ? 0 : 1;
}
