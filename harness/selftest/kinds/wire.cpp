// Lines and bytes around the data.

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/selftest/kinds/families.hpp"
#include "harness/selftest/kinds/strand_kinds.hpp"

namespace splitproof::selftest {
namespace {

using dialect::Frame;
using dialect::frame_bytes;

constexpr std::string_view kFamily = "wire";
constexpr std::string_view kIgnored = "an event-stream reader ignores the line and its content";
constexpr std::string_view kEventLost = "an event-stream reader drops the event, or parses invalid JSON";

// Lines that belong to no event. Each is put before the first event, between two, into one, into a separate
// block, and after the last.
struct WireLine {
  Operator what;
  std::string_view bytes;
};

constexpr auto kLines = std::to_array<WireLine>({
    {{"stray-line", Effect::shape, kIgnored}, "tide\n"},
    {{"stray-json", Effect::shape, kIgnored}, "{\"tide\":1}\n"},
    {{"stray-size", Effect::shape, kIgnored}, "1f\n"},
    {{"stray-header", Effect::shape, kIgnored}, "Content-Type: text/event-stream\n"},
    {{"stray-page", Effect::shape, kIgnored}, "<html>502 Bad Gateway</html>\n"},
    {{"stray-number", Effect::shape, kIgnored}, "0\n"},
    {{"misspelt-field", Effect::shape, kIgnored}, "dta: {}\n"},
    {{"byte-order-mark", Effect::shape, "the mark joins the name of the next field, which becomes unknown"},
     "\xEF\xBB\xBF"},
});

enum class LinePosition { first, between, inside, alone, last };

struct NamedPosition {
  std::string_view name;
  LinePosition place;
};

constexpr auto kPositions = std::to_array<NamedPosition>({{"first", LinePosition::first},
                                                          {"between", LinePosition::between},
                                                          {"inside", LinePosition::inside},
                                                          {"alone", LinePosition::alone},
                                                          {"last", LinePosition::last}});

std::string before_blank_line(const std::string& bytes, std::string_view line) {
  const std::size_t at = bytes.size() - (bytes.size() >= 4 && bytes[bytes.size() - 2] == '\r' ? 2 : 1);
  return bytes.substr(0, at) + std::string(line) + bytes.substr(at);
}

ChangedBodies with_line(const Draft& draft, std::string_view line, LinePosition place) {
  if (draft.size() < 3) return {};
  const std::size_t middle = draft.size() / 2;
  Draft changed = draft;
  switch (place) {
    case LinePosition::first:
      changed.insert_bytes(0, std::string(line));
      break;
    case LinePosition::between:
      changed.insert_bytes(middle, std::string(line));
      break;
    case LinePosition::inside:
      changed.set_bytes(middle, before_blank_line(draft.frame(middle).bytes, line));
      break;
    case LinePosition::alone:
      changed.insert_bytes(middle, std::string(line) + "\n");
      break;
    case LinePosition::last:
      changed.insert_bytes(draft.size(), std::string(line));
      break;
  }
  return {changed.body()};
}

// Changes of the lines of one event: the first, one in the middle, the last.
struct Damage {
  Operator what;
  std::optional<std::string> (*make)(const Frame& frame);
};

using Bytes = std::optional<std::string>;

Bytes replaced(const std::string& bytes, std::string_view from, std::string_view to) {
  const std::size_t at = bytes.find(from);
  if (at == std::string::npos) return std::nullopt;
  return bytes.substr(0, at) + std::string(to) + bytes.substr(at + from.size());
}

Bytes with_data(const Frame& frame, const std::string& data) { return frame_bytes(frame.event, data); }

constexpr auto kDamages = std::to_array<Damage>({
    {{"data-indented", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data:", " data:"); }},
    {{"data-after-tab", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data:", "\tdata:"); }},
    {{"data-capital", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data:", "Data:"); }},
    {{"data-upper-case", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data:", "DATA:"); }},
    {{"data-no-colon", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data: ", "data "); }},
    {{"data-equals", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data: ", "data="); }},
    {{"data-blank-before-colon", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data:", "data :"); }},
    {{"data-prefix-twice", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data: ", "data: data: "); }},
    {{"data-in-comment", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data:", ": data:"); }},
    {{"data-without-prefix", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "data: ", ""); }},
    {{"data-twice", Effect::shape, kEventLost},
     [](const Frame& f) { return Bytes(before_blank_line(f.bytes, "data: " + f.data + "\n")); }},
    {{"two-objects-a-line", Effect::shape, kEventLost},
     [](const Frame& f) { return with_data(f, f.data + f.data); }},
    {{"line-feed-in-text", Effect::shape, "the event becomes two lines that do not join to JSON"},
     [](const Frame& f) { return replaced(f.bytes, "\":", "\n\":"); }},
    {{"trailing-comma", Effect::shape, kEventLost},
     [](const Frame& f) { return with_data(f, f.data.substr(0, f.data.size() - 1) + ",}"); }},
    {{"single-quotes", Effect::shape, kEventLost},
     [](const Frame& f) { return with_data(f, replaced_all(f.data, "\"", "'")); }},
    {{"python-words", Effect::shape, kEventLost},
     [](const Frame& f) {
       return f.data.find("null") == std::string::npos ? Bytes()
                                                       : with_data(f, replaced_all(f.data, "null", "None"));
     }},
    {{"bytes-literal", Effect::shape, kEventLost},
     [](const Frame& f) { return with_data(f, "b'" + f.data + "'"); }},
    {{"quoted-json", Effect::shape, "a text is not an event"},
     [](const Frame& f) { return with_data(f, nlohmann::json(f.data).dump()); }},
    {{"in-a-list", Effect::shape, "a list is not an event"},
     [](const Frame& f) { return with_data(f, "[" + f.data + "]"); }},
    {{"cut-in-half", Effect::shape, kEventLost},
     [](const Frame& f) { return with_data(f, f.data.substr(0, f.data.size() / 2)); }},
    {{"first-brace-lost", Effect::shape, kEventLost},
     [](const Frame& f) { return with_data(f, f.data.substr(1)); }},
    {{"blank-line-lost", Effect::shape, "a reader joins two events"},
     [](const Frame& f) { return Bytes(f.bytes.substr(0, f.bytes.size() - 1)); }},
    {{"nul-byte", Effect::shape, kEventLost},
     [](const Frame& f) { return Bytes(before_blank_line(f.bytes, std::string_view("\0\n", 2))); }},
    {{"line-separator-as-line-end", Effect::shape, kEventLost},
     [](const Frame& f) { return replaced(f.bytes, "\n\n", "\xE2\x80\xA8\n"); }},
    {{"carriage-return-twice", Effect::shape, "some readers see a blank line inside the event"},
     [](const Frame& f) { return f.event ? replaced(f.bytes, "\n", "\r\r\n") : Bytes(); }},
    {{"lone-carriage-returns", Effect::shape, "a reader that splits at line feeds loses the event"},
     [](const Frame& f) {
       return f.bytes.find('\r') != std::string::npos ? Bytes() : Bytes(replaced_all(f.bytes, "\n", "\r"));
     }},
    {{"event-line-indented", Effect::shape, "a client that uses the event's name drops it"},
     [](const Frame& f) { return replaced(f.bytes, "event:", " event:"); }},
    {{"event-line-capital", Effect::shape, "a client that uses the event's name drops it"},
     [](const Frame& f) { return replaced(f.bytes, "event:", "Event:"); }},
    {{"event-line-quoted", Effect::shape, "a client that uses the event's name drops it"},
     [](const Frame& f) { return f.event ? replaced(f.bytes, *f.event, "\"" + *f.event + "\"") : Bytes(); }},
    {{"event-line-blank-behind", Effect::shape, "a client that uses the event's name drops it"},
     [](const Frame& f) { return f.event ? replaced(f.bytes, *f.event, *f.event + " ") : Bytes(); }},
    {{"event-line-empty", Effect::shape, "a client that uses the event's name drops it"},
     [](const Frame& f) { return f.event ? replaced(f.bytes, *f.event, "") : Bytes(); }},
    {{"event-line-twice", Effect::shape, "a client that uses the event's name drops it"},
     [](const Frame& f) { return f.event ? Bytes(before_blank_line(f.bytes, "event: tide\n")) : Bytes(); }},
    {{"event-line-apart", Effect::shape, "the name has no data, and the data has no name"},
     [](const Frame& f) { return f.event ? replaced(f.bytes, "\ndata:", "\n\ndata:") : Bytes(); }},
});

// Changes of the whole body.
struct WholeBody {
  Operator what;
  std::string (*make)(const std::string& body);
};

constexpr auto kWholes = std::to_array<WholeBody>({
    {{"carriage-returns-throughout", Effect::shape, "a reader that splits at line feeds sees no event"},
     [](const std::string& b) { return replaced_all(replaced_all(b, "\r\n", "\n"), "\n", "\r"); }},
    {{"last-blank-line-lost", Effect::shape, "an event-stream reader drops the last event"},
     [](const std::string& b) { return b.substr(0, b.size() - 1); }},
    {{"last-line-end-lost", Effect::shape, "an event-stream reader drops the last event"},
     [](const std::string& b) { return b.substr(0, b.find_last_not_of("\r\n") + 1); }},
    {{"cut-in-the-last-event", Effect::shape, "the answer has no end"},
     [](const std::string& b) { return b.substr(0, b.size() - 8); }},
    {{"cut-in-half", Effect::shape, "the answer has no end"},
     [](const std::string& b) { return b.substr(0, b.size() / 2); }},
    {{"twice", Effect::shape, "a client reads two answers as one"},
     [](const std::string& b) { return b + b; }},
    {{"page-behind", Effect::shape, kIgnored},
     [](const std::string& b) { return b + "<html><body>502 Bad Gateway</body></html>\n\n"; }},
    {{"json-error-behind", Effect::shape, "the client ignores the failure"},
     [](const std::string& b) { return b + "{\"error\":{\"message\":\"Too many ships.\"}}\n"; }},
    {{"blank-lines-lost", Effect::shape, "a reader joins all events"},
     [](const std::string& b) { return replaced_all(b, "\n\n", "\n"); }},
    {{"data-prefixes-lost", Effect::shape, "no event is left"},
     [](const std::string& b) { return replaced_all(b, "data: ", ""); }},
    {{"sizes-throughout", Effect::shape, kIgnored},
     [](const std::string& b) { return replaced_all(b, "\n\n", "\n\n7d\r\n"); }},
    {{"escaped-line-ends", Effect::shape, "no event is left"},
     [](const std::string& b) { return replaced_all(b, "\n", "\\n"); }},
});

constexpr auto kTargets = std::to_array<std::string_view>({"opening", "middle", "closing"});

}  // namespace

void add_wire_kinds(KindList& kinds) {
  for (const WireLine& line : kLines) {
    for (const NamedPosition& place : kPositions) {
      // Before the first event, the mark is legal.
      if (line.what.name == "byte-order-mark" && place.place == LinePosition::first) continue;
      kinds.add(kFamily, line.what, place.name,
                [bytes = line.bytes, place = place.place](const Draft& draft) {
                  return with_line(draft, bytes, place);
                });
    }
  }
  for (const Damage& damage : kDamages) {
    const bool of_event_line =
        damage.what.name.rfind("event-line", 0) == 0 || damage.what.name == "carriage-return-twice";
    if (of_event_line && !kinds.words().event_lines) continue;
    // Only events that begin an answer always hold null.
    const std::size_t targets = damage.what.name == "python-words" ? 1 : kTargets.size();
    for (std::size_t i = 0; i < targets; ++i) {
      kinds.add(kFamily, damage.what, kTargets[i],
                [i, make = damage.make](const Draft& draft) -> ChangedBodies {
                  if (draft.size() < 3) return {};
                  const std::size_t event = i == 0 ? 0 : i == 1 ? draft.size() / 2 : draft.size() - 1;
                  if (!draft.frame(event).json) return {};
                  const Bytes bytes = make(draft.frame(event));
                  if (!bytes) return {};
                  Draft changed = draft;
                  changed.set_bytes(event, *bytes);
                  return {changed.body()};
                });
    }
  }
  for (const WholeBody& whole : kWholes) {
    kinds.add(kFamily, whole.what, "body", [make = whole.make](const Draft& draft) -> ChangedBodies {
      const std::string body = draft.body();
      return body.size() < 20 ? ChangedBodies() : ChangedBodies{make(body)};
    });
  }
}

}  // namespace splitproof::selftest
