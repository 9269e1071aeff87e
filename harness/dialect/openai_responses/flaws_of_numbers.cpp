// Flaws of sequence numbers in Responses.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/edits.hpp"
#include "harness/dialect/openai_responses/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_edits;
using json = nlohmann::ordered_json;

bool renumber_by(Draft& draft, long long (*other)(long long number)) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const json& number = draft.at({i, "/sequence_number"});
    if (!number.is_number_integer()) continue;
    const long long was = number.get<long long>();
    if (other(was) != was) draft.set({i, "/sequence_number"}, other(was));
    any = any || other(was) != was;
  }
  return any;
}

constexpr std::string_view kOrder = "a client that uses the numbers drops it or moves it";

constexpr auto kNumberScenes = std::to_array<StreamMutation>({
    {"numbers",
     {"gap", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n > 4 ? n + 3 : n; }); },
     true},
    {"numbers",
     {"repeats", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n > 4 ? n - 1 : n; }); },
     true},
    {"numbers",
     {"falls", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n > 4 ? n - 3 : n; }); },
     true},
    {"numbers",
     {"from-one", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return n + 1; }); },
     true},
    {"numbers",
     {"backwards", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long n) { return 900 - n; }); },
     true},
    {"numbers",
     {"zero-throughout", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) { return renumber_by(d, [](long long) { return 0LL; }); },
     true},
    {"numbers",
     {"absent-throughout", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) {
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.has({i, "/sequence_number"})) d.erase({i, "/sequence_number"});
       }
       return true;
     },
     true},
    {"numbers",
     {"absent-at-the-end", Effect::shape, kOrder},
     "sequence_number",
     [](Draft& d) {
       const FieldRef spot{end_of(d), "/sequence_number"};
       if (!d.has(spot)) return false;
       d.erase(spot);
       return true;
     },
     true},
});

}  // namespace

std::span<const StreamMutation> responses_flaws_of_numbers() { return kNumberScenes; }

}  // namespace splitproof::dialect
