// Feeds any bytes to the reference translator, whole and cut at two places, with any kind of ending. Whatever
// they are, the output is the same, so is the state, and it meets every `must` of the client's contracts.
//
// Bytes 0-3 choose the cuts, byte 4 the ending and the protocols, the rest is the upstream body.

#include "proxy/translator.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "fuzz/input.hpp"
#include "fuzz/pairs.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/trace.hpp"

using namespace splitproof;

namespace {

[[noreturn]] void give_up(const std::string& why, const std::string& out) {
  std::cerr << why << "\n--- downstream\n" << out << "\n---\n";
  std::abort();
}

template <class T>
T loaded(Result<T> result) {
  if (!result) give_up(describe(result.error()), {});
  return std::move(*result);
}

// Small limits, so that a fuzzer reaches them.
TranslatorOptions options(const fuzz::Pair& pair) {
  TranslatorOptions options;
  options.upstream = pair.upstream;
  options.client = pair.client;
  options.rules.limits = {4096, 24, 16, 32, 2048, 2048};
  return options;
}

void judge(const fuzz::Pair& pair, const campaign::Upstream& upstream, const std::string& out) {
  static const auto contracts = loaded(contract::Contracts::load({SPLITPROOF_CONTRACTS}));
  static const auto profile = loaded(contract::load_profile("default", {SPLITPROOF_CONTRACTS}));
  const observe::Trace trace = observe::read_trace(out, observe::DataKind::json);
  // What the upstream calls its tools, and arguments that it garbles, are passed on as they are.
  contract::Evidence evidence;
  evidence.features =
      campaign::read_upstream(upstream, pair.upstream->protocol, observe::choices_of(profile.knobs))
          .expected.shapes;
  for (const contract::Judged& judged :
       contract::judge(contracts, pair.client->protocol, profile, trace, evidence)) {
    const bool must = judged.obligation->level == contract::Level::must;
    if (must && judged.verdict == contract::Verdict::violated)
      give_up(judged.obligation->id + ": " + judged.message, out);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 5) return 0;
  const auto end = static_cast<turn::BodyEnd>(fuzz::ending_of(data[4]));
  const fuzz::Pair& pair = fuzz::pairs()[fuzz::pair_of(data[4])];
  fuzz::CutInput input = fuzz::cut_input(data, size);
  input.body.remove_prefix(1);
  input.second = std::min(input.second, input.body.size());
  input.first = std::min(input.first, input.second);

  Translator whole(options(pair));
  std::string out;
  whole.feed(input.body, out);
  Translator cut(options(pair));
  std::string cut_out;
  for (const std::string_view piece : input.pieces()) {
    fuzz::with_exact_copy(piece, [&](std::string_view exact) { cut.feed(exact, cut_out); });
  }
  if (cut_out != out) give_up("the output depends on the cuts:\n" + cut_out, out);
  if (!(whole == cut)) give_up("the state depends on the cuts", out);
  whole.finish(end, out);
  cut.finish(end, cut_out);
  if (cut_out != out) give_up("the ending depends on the cuts:\n" + cut_out, out);
  judge(pair, {std::string(input.body), {}, static_cast<recording::End>(fuzz::ending_of(data[4]))}, out);
  return 0;
}
