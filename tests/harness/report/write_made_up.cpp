// usage: write_made_up FORMAT TARGETS RULES
//        write_made_up kinds 0 0
// Prints the report of a made-up campaign, or the page of a campaign with a bug of each kind.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "harness/report/formats.hpp"
#include "harness/report/html.hpp"
#include "made_up.hpp"

namespace {

void write_kinds() {
  const splitproof::report::Constructed all = splitproof::report::every_kind();
  splitproof::report::Summary summary = all.summary();
  summary.since.emplace();
  summary.since->report = "old.jsonl";
  summary.since->known = {{"broken-proxy", "ANT-08"}, {"broken-proxy", "META-03"}};
  std::cout << splitproof::report::html_report(all.results, all.heading, summary, true);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  if (std::string_view(argv[1]) == "kinds") {
    write_kinds();
    return std::cout.flush() ? 0 : 1;
  }
  const auto all =
      splitproof::report::made_up(std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10));
  for (const splitproof::report::Format& format : splitproof::report::formats())
    if (format.name == argv[1]) std::cout << format.write(all.results, all.heading, all.summary(), true);
  return std::cout.flush() ? 0 : 1;
}
