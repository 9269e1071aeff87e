// Recuts any body: the harness reads the same answer, each event has its end, and a label gives the same recut again.
//
// Byte 0 chooses the recut, byte 1 the seed of random ones, byte 4 the protocol; the rest is the body.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

// True if the reading depends on the chunks: a piece `{}` of arguments may be a placeholder, a list of thinking may repeat
// the chunks before it, and another answer may begin. A run does not try recuts that change such a reading.
bool depends_on_chunks(const observe::Expected& expected, std::string_view body) {
  constexpr std::string_view kShapes[] = {"arguments_placeholder", "spliced", "thinking_again",
                                          "thinking_unclear", "text_unclear"};
  return expected.ambiguous || body.find(R"("{}")") != std::string_view::npos ||
         std::any_of(std::begin(kShapes), std::end(kShapes),
                     [&](std::string_view shape) { return expected.shapes.contains(std::string(shape)); });
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
  if (before.failure || depends_on_chunks(before, body)) return 0;
  const observe::Expected after = expected_of(made->body, protocol);
  if (depends_on_chunks(after, made->body)) return 0;
  const char* differs = after.failure                    ? "fails, other than"
                        : after.finish != before.finish  ? "ends otherwise than"
                        : !(after.parts == before.parts) ? "has other parts than"
                                                         : nullptr;
  if (differs != nullptr) fuzz::give_up(label + " " + differs + "\n" + std::string(body), made->body);
  return 0;
}
