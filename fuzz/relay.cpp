// Feeds any bytes to the reference between two sides of one protocol, whole and with two cuts, and any ending. Output
// and state do not depend on the cuts, and the output breaks no rule of order. It equals the input up to a place after
// which only an error may follow.
//
// Bytes 0-3 choose the cuts, byte 4 the ending and the protocol, the rest is the upstream body.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/reference.hpp"
#include "harness/contract/judge.hpp"
#include "harness/observe/trace.hpp"

using namespace splitproof;

namespace {

// Returns the protocols that it relays.
std::vector<const proxy::dialect::UpstreamRow*> relays() {
  std::vector<const proxy::dialect::UpstreamRow*> relays;
  for (const proxy::dialect::UpstreamRow& upstream : proxy::dialect::upstreams())
    if (upstream.order != nullptr) relays.push_back(&upstream);
  return relays;
}

// Rules that no upstream makes it violate.
constexpr std::string_view kNever[] = {"SSE-01", "ANT-03", "ANT-05", "ANT-06",
                                       "ANT-07", "ANT-08", "END-06", "RSP-12"};

void judge(std::string_view protocol, const std::string& out) {
  const observe::Trace trace = observe::read_trace(out, fuzz::contracts().data_kind(std::string(protocol)));
  for (const contract::Judged& judged :
       contract::judge(fuzz::contracts(), std::string(protocol), fuzz::profile(), trace, {})) {
    const bool never =
        std::find(std::begin(kNever), std::end(kNever), judged.obligation->id) != std::end(kNever);
    // Extensions of the first protocol are relayed unread.
    if (protocol == relays().front()->protocol && judged.obligation->id == "SSE-01") continue;
    if (never && judged.verdict == contract::Verdict::violated)
      fuzz::give_up(judged.obligation->id + ": " + judged.message, out);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 5) return 0;
  const auto end = static_cast<turn::BodyEnd>(data[4] % 4);
  const fuzz::CutInput input = fuzz::chosen_input(data, size);

  TranslatorOptions options;
  options.upstream = relays()[data[4] / 4U % relays().size()];
  const std::string_view protocol = options.upstream->protocol;
  options.client = proxy::dialect::find_client(protocol);
  options.relay = data[4] / (4U * relays().size()) % 2 == 0 ? relay::Form::raw : relay::Form::encode;
  options.rules.limits = {4096, 24, 16, 16, 2048, 2048};  // small enough for a fuzzer

  judge(protocol, fuzz::said_of(input, end, options));
  return 0;
}
