// Runs the proxy's translation on inputs of growing size, to count its instructions for each.
//
// usage: costs requests|streams [FILTER]   Runs a sample under valgrind --tool=callgrind. Makes a dump for each case and
//                                          size. FILTER chooses from all cases. With COST_SHARE=K/N in the environment,
//                                          it runs the Kth of N shares: every Nth case.
//        costs time                        Prints the processor time of the cases that once cost the most.
//
// The name of a case is "requests/CLIENT>UPSTREAM/KNOB=ANSWER/DIMENSION", with "-" for the default knobs. FILTER is a
// part of this name.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cost/cases.hpp"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else  // nothing is counted without valgrind
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(label) static_cast<void>(label)
#endif

namespace {

using splitproof::cost::Case;
using splitproof::cost::Choice;

// These words identify a dump: the case, the size and the result, between tabs.
void count(const Case& one) {
  // Initialises everything that is made only once.
  if (const std::string smallest = one.input(1); !smallest.empty()) one.run(smallest, one.options(1));
  for (const std::size_t size : {std::size_t{1}, one.dimension->size, 2 * one.dimension->size}) {
    const std::string input = one.input(size);
    if (input.empty()) return;
    const splitproof::TranslatorOptions options = one.options(size);
    CALLGRIND_ZERO_STATS;
    const std::string outcome = one.run(input, options);
    const std::string label = one.name() + "\t" + std::to_string(size) + "\t" + outcome;
    CALLGRIND_DUMP_STATS_AT(label.c_str());
  }
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Timed {
  std::size_t size;
  const char* name;
};

// One case for each kind of cost that was quadratic in the past.
constexpr Timed kTimed[] = {
    {2'500, "requests/anthropic.messages>openai.chat/-/calls of one id"},
    {2'500, "requests/openai.chat>anthropic.messages/-/tools"},
    {2'500, "requests/openai.responses>openai.chat/-/custom tools"},
    {2'500, "requests/openai.responses>openai.chat/-/allowed tools"},
    {1'000, "requests/anthropic.messages>kiro.eventstream/-/tools of like names"},
    {1'000, "requests/anthropic.messages>openai.chat/-/images of a result with a long id"},
    {10'000, "requests/anthropic.messages>openai.chat/retention=structured/written calls"},
    {10'000, "requests/anthropic.messages>openai.chat/retention=structured/narrated calls without an end"},
    {30'000, "streams/openai.chat>openai.chat/-/keys in an error"},
    {1'000, "streams/anthropic.messages>openai.responses/-/ends of an item of many parts"},
    {4'000, "streams/openai.chat>kiro.eventstream/-/blanks in the head of a call in events"},
    {50'000,
     "streams/openai.chat>kiro.eventstream/stop-sequences=cut/beginnings of a stop sequence in one event"},
    {2'000,
     "streams/openai.chat>kiro.eventstream/stop-sequences=cut/beginnings of many stop sequences in one event"},
};

void time(const Case& one, std::size_t size) {
  std::printf("%s\n ", one.name().c_str());
  for (const std::size_t factor : {1U, 2U, 4U}) {
    const std::string input = one.input(factor * size);
    const splitproof::TranslatorOptions options = one.options(factor * size);
    const double begin = processor_seconds();
    const std::string outcome = one.run(input, options);
    const double took = processor_seconds() - begin;
    std::printf("%9.2f MB %8.3f s%s", static_cast<double>(input.size()) * 1e-6, took,
                outcome == "whole" ? "" : (" " + outcome).c_str());
    std::fflush(stdout);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const std::vector<Case> cases =
      splitproof::cost::cases(words.size() == 1 && words[0] != "time" ? Choice::sample : Choice::all);
  if (words.size() == 1 && words[0] == "time") {
    for (const Timed& timed : kTimed) {
      for (const Case& one : cases) {
        if (one.name() == timed.name) time(one, timed.size);
      }
    }
    return 0;
  }
  if (words.empty() || (words[0] != "requests" && words[0] != "streams")) {
    std::cerr << "usage: costs requests|streams [FILTER] | costs time\n";
    return 2;
  }
  const char* const share = std::getenv("COST_SHARE");
  unsigned ours = 1;
  unsigned shares = 1;
  if (share != nullptr && (std::sscanf(share, "%u/%u", &ours, &shares) != 2 || ours == 0 || ours > shares)) {
    std::cerr << "COST_SHARE is not K/N, such as 2/4: " << share << "\n";
    return 2;
  }
  unsigned number = 0;
  for (const Case& one : cases) {
    if (!one.name().starts_with(words[0])) continue;
    if (words.size() > 1 && one.name().find(words[1]) == std::string::npos) continue;
    if (number++ % shares + 1 == ours) count(one);
  }
}
