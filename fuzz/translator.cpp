// Feeds any bytes to the reference translator, whole and with two cuts, and any ending. Output and state do not depend
// on the cuts, and the output meets every `must` of the client's contracts.
//
// Bytes 0-3 choose the cuts, byte 4 the ending and the protocols, the rest is the upstream body.

#include "proxy/translator.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/pairs.hpp"
#include "fuzz/reference.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/contract/judge.hpp"
#include "harness/observe/trace.hpp"

using namespace splitproof;

namespace {

// Returns small limits, so that a fuzzer reaches them.
TranslatorOptions options(const fuzz::Pair& pair) {
  TranslatorOptions options;
  options.upstream = pair.upstream;
  options.client = pair.client;
  options.rules.limits = {4096, 24, 16, 32, 2048, 2048};
  return options;
}

void judge(const fuzz::Pair& pair, const results::Upstream& upstream, const std::string& out) {
  const observe::Trace trace = observe::read_trace(out, fuzz::contracts().data_kind(pair.client->protocol));
  // The upstream's tool names and broken arguments pass unchanged.
  contract::Context evidence;
  evidence.features =
      campaign::read_upstream(upstream, pair.upstream->protocol, observe::choices_of(fuzz::profile().knobs))
          .expected.shapes;
  for (const contract::Judged& judged :
       contract::judge(fuzz::contracts(), pair.client->protocol, fuzz::profile(), trace, evidence)) {
    const bool must = judged.obligation->level == contract::Level::must;
    if (must && judged.verdict == contract::Verdict::violated)
      fuzz::give_up(judged.obligation->id + ": " + judged.message, out);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 5) return 0;
  const auto end = static_cast<turn::BodyEnd>(fuzz::ending_of(data[4]));
  const fuzz::Pair& pair = fuzz::pairs()[fuzz::pair_of(data[4])];
  const fuzz::CutInput input = fuzz::chosen_input(data, size);

  const std::string out = fuzz::said_of(input, end, options(pair));
  judge(pair, {std::string(input.body), {}, static_cast<recording::End>(fuzz::ending_of(data[4]))}, out);
  return 0;
}
