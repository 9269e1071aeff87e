// Recuts any body: the harness reads the same answer, each event has its end, and a label gives the same recut again.
//
// Byte 0 chooses the recut, byte 1 the seed of random ones, byte 4 the protocol; the rest is the body.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/reference.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/choices.hpp"
#include "harness/split/recut.hpp"

using namespace splitproof;

namespace {

observe::Expected expected_of(std::string_view body, std::string_view protocol) {
  static const observe::Choices choices = observe::choices_of(fuzz::profile().knobs);
  return campaign::read_upstream({std::string(body), {}}, protocol, choices).expected;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 6) return 0;
  const std::string_view body = fuzz::chosen_input(data, size).body;
  const std::string_view protocol = dialect::all()[data[4] / 4 % dialect::all().size()].protocol;
  const split::Rechunker* dealer = dialect::dealer_of(protocol);
  if (dealer == nullptr) return 0;

  const split::Recuts recuts(*dealer, body);
  const std::vector<std::string> labels = recuts.plan(4, body.size() < 512, data[1]);
  const std::string& label = labels[data[0] % labels.size()];
  const auto made = recuts.make(label);
  if (!made) return 0;

  if (made->arrivals.empty() || made->arrivals.back() != made->body.size())
    fuzz::give_up(label + " has no end", made->body);
  const auto again = split::recut(*dealer, body, label);
  if (!again || !(*again == *made))
    fuzz::give_up(label + " is another recut when it is made alone", made->body);

  // The content of a failing answer may depend on the place of the failure.
  const observe::Expected before = expected_of(body, protocol);
  if (before.failure || before.ambiguous) return 0;
  const observe::Expected after = expected_of(made->body, protocol);
  const char* differs = after.failure                    ? "fails, other than"
                        : after.finish != before.finish  ? "ends otherwise than"
                        : !(after.parts == before.parts) ? "has other parts than"
                                                         : nullptr;
  if (differs != nullptr) fuzz::give_up(label + " " + differs + "\n" + std::string(body), made->body);
  return 0;
}
