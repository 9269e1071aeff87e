// Events of another protocol, or of none.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/self_test_registry.hpp"
#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {
namespace {

using dialect::ForeignEvent;

constexpr std::string_view kNoEvent = "a client that reads members of it throws";
constexpr std::string_view kUnknown = "a client that checks types throws, and other clients ignore it";

constexpr auto kStrangers = std::to_array<ForeignEvent>({
    {{"empty-object", Effect::shape, kNoEvent}, "tide", "{}"},
    {{"null-data", Effect::shape, kNoEvent}, "tide", "null"},
    {{"list-data", Effect::shape, kNoEvent}, "tide", "[]"},
    {{"number-data", Effect::shape, kNoEvent}, "tide", "7"},
    {{"text-data", Effect::shape, kNoEvent}, "tide", "\"ping\""},
    {{"word-data", Effect::shape, "no JSON reader accepts it"}, "tide", "keepalive"},
    {{"empty-data", Effect::shape, "no JSON reader accepts it"}, "tide", ""},
    {{"page-data", Effect::shape, "no JSON reader accepts it"}, "tide", "<html>502 Bad Gateway</html>"},
    {{"unknown-event", Effect::shape, kUnknown}, "tide.turned", R"({"type":"tide.turned","height":4})"},
    {{"event-without-type", Effect::shape, kUnknown}, "tide", R"({"height":4})"},
    {{"bare-message", Effect::shape, "the client ignores a failure"},
     "error",
     R"({"message":"Too many ships."})"},
    {{"error-as-word", Effect::shape, "a client that reads its message shows undefined"},
     "error",
     R"({"error":true})"},
});

constexpr Operator kNoData = {"event-without-data", Effect::shape, "an event-stream reader drops it"};

constexpr auto kPlaces = std::to_array<std::string_view>({"first", "middle", "last"});

std::size_t place_in(const Draft& draft, std::size_t place) {
  return place == 0 ? 0 : place == 1 ? draft.size() / 2 : draft.size();
}

void add(KindList& kinds, const ForeignEvent& stranger) {
  for (std::size_t place = 0; place < kPlaces.size(); ++place) {
    kinds.add("foreign", stranger.what, kPlaces[place],
              [place, stranger](const Draft& draft) -> ChangedBodies {
                if (draft.size() < 3) return {};
                Draft changed = draft;
                changed.insert(place_in(draft, place), stranger.data, stranger.type);
                return {changed.body()};
              });
  }
}

void add_without_data(KindList& kinds) {
  for (std::size_t place = 0; place < kPlaces.size(); ++place) {
    kinds.add("foreign", kNoData, kPlaces[place], [place](const Draft& draft) -> ChangedBodies {
      if (draft.size() < 3) return {};
      Draft changed = draft;
      changed.insert_bytes(place_in(draft, place), "event: tide\n\n");
      return {changed.body()};
    });
  }
}

}  // namespace

void add_foreign_kinds(KindList& kinds) {
  for (const ForeignEvent& stranger : kStrangers) add(kinds, stranger);
  for (const ForeignEvent& stranger : dialect::foreign_events()) add(kinds, stranger);
  for (const dialect::SelfTested& one : dialect::self_tested()) {
    for (const ForeignEvent& stranger : one.words->foreign_events) {
      if (one.words != &kinds.words() || stranger.in_own_too) add(kinds, stranger);
    }
  }
  add_without_data(kinds);
}

}  // namespace splitproof::selftest
