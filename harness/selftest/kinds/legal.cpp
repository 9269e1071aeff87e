// Legal variations: the same answer, or another sound one. No rule may blame them.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/strand_kinds.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;
using dialect::Frame;
using dialect::frame_bytes;
using dialect::kLegal;
using dialect::legal;
using dialect::StreamMutation;
using Text = std::optional<std::string>;

constexpr std::string_view kStandard = "an event-stream reader reads the same";
constexpr std::string_view kJson = "a JSON reader reads the same";
constexpr std::string_view kGrows = "owners add members and events, and clients ignore them";
constexpr std::string_view kDealt = "the pieces of an answer have no meaning";
constexpr std::string_view kAnother = "a different answer that is also valid";

// Rewrites the data of every event.
template <class Write>
bool rewritten(Draft& draft, const Write& write) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const Frame& frame = draft.frame(i);
    if (!frame.json || !frame.json->is_object()) continue;
    draft.set_bytes(i, frame_bytes(frame.event, write(*frame.json)));
    any = true;
  }
  return any;
}

json reversed(const json& value) {
  if (value.is_array()) {
    json made = json::array();
    for (const json& inner : value) made.push_back(reversed(inner));
    return made;
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, json>> members;
  for (const auto& [key, inner] : value.items()) members.emplace_back(key, reversed(inner));
  json made = json::object();
  for (auto member = members.rbegin(); member != members.rend(); ++member)
    made[member->first] = member->second;
  return made;
}

// Adds a member to the given objects.
bool add_member(Draft& draft, std::span<const char* const> objects) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    for (const char* object : objects) {
      if (!draft.at({i, object}).is_object()) continue;
      draft.set({i, std::string(object) + "/x_tide"}, json{{"height", 4}, {"turns", nullptr}});
      any = true;
    }
  }
  return any;
}

bool each_bytes(Draft& draft, std::string_view before, std::string_view after) {
  for (std::size_t i = 0; i < draft.size(); ++i)
    draft.set_bytes(i, std::string(before) + draft.frame(i).bytes + std::string(after));
  return draft.size() > 0;
}

bool in_event(Draft& draft, std::string_view line) {
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const std::string& bytes = draft.frame(i).bytes;
    if (bytes.find('\r') != std::string::npos) return false;
    draft.set_bytes(i, bytes.substr(0, bytes.size() - 1) + std::string(line) + "\n");
  }
  return draft.size() > 0;
}

constexpr auto kScenes = std::to_array<StreamMutation>({
    {kLegal, legal("carriage-returns-before-line-feeds", kStandard), "body",
     [](Draft& d) {
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.frame(i).bytes.find('\r') != std::string::npos) return false;
         d.set_bytes(i, replaced_all(d.frame(i).bytes, "\n", "\r\n"));
       }
       return true;
     }},
    {kLegal, legal("byte-order-mark-first", kStandard), "body",
     [](Draft& d) {
       if (d.frame(0).bytes.rfind("\xEF\xBB\xBF", 0) == 0) return false;
       d.insert_bytes(0, "\xEF\xBB\xBF");
       return true;
     }},
    {kLegal, legal("blank-lines-before", kStandard), "body",
     [](Draft& d) {
       if (d.frame(0).bytes.rfind("\xEF\xBB\xBF", 0) == 0) return false;
       d.insert_bytes(0, "\n\n");
       return true;
     }},
    {kLegal, legal("blank-lines-between", kStandard), "events",
     [](Draft& d) { return each_bytes(d, "", "\n\n"); }},
    {kLegal, legal("comments-between", kStandard), "events",
     [](Draft& d) { return each_bytes(d, "", ": keep-alive\n\n"); }},
    {kLegal, legal("empty-comments-between", kStandard), "events",
     [](Draft& d) { return each_bytes(d, "", ":\n\n"); }},
    {kLegal, legal("comments-inside", kStandard), "events",
     [](Draft& d) { return in_event(d, ": keep-alive\n"); }},
    {kLegal, legal("comment-of-json", kStandard), "events",
     [](Draft& d) { return in_event(d, ": {\"type\":\"error\"}\n"); }},
    {kLegal, legal("comment-of-two-kilobytes", kStandard), "body",
     [](Draft& d) {
       d.insert_bytes(d.size() / 2, ": " + std::string(2048, '-') + "\n\n");
       return true;
     }},
    {kLegal, legal("event-ids", kStandard), "events", [](Draft& d) { return in_event(d, "id: 7\n"); }},
    {kLegal, legal("retry", kStandard), "body",
     [](Draft& d) {
       d.insert_bytes(d.size() / 2, "retry: 3000\n\n");
       return true;
     }},
    {kLegal, legal("no-blank-after-colon", kStandard), "data",
     [](Draft& d) {
       for (std::size_t i = 0; i < d.size(); ++i)
         d.set_bytes(i,
                     replaced_all(replaced_all(d.frame(i).bytes, "data: {", "data:{"), "data: [", "data:["));
       return true;
     }},
    {kLegal, legal("blanks", kJson), "json",
     [](Draft& d) {
       return rewritten(d, [](const json& data) { return replaced_all(data.dump(), "\":", "\" :  "); });
     }},
    {kLegal, legal("blank-behind", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return data.dump() + "   "; }); }},
    {kLegal, legal("over-several-lines", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return data.dump(2); }); }},
    {kLegal, legal("members-in-another-order", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return reversed(data).dump(); }); }},
    {kLegal, legal("all-escaped", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return data.dump(-1, ' ', true); }); }},
    {kLegal, legal("slashes-escaped", kJson), "json",
     [](Draft& d) {
       return rewritten(d, [](const json& data) { return replaced_all(data.dump(), "/", "\\/"); });
     }},
    {kLegal, legal("letters-escaped", kJson), "json",
     [](Draft& d) {
       return rewritten(
           d, [](const json& data) { return replaced_all(data.dump(), "\"type\":", "\"\\u0074ype\":"); });
     }},
    {kLegal, legal("another-member", kGrows), "event",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.data(i).is_object()) continue;
         d.set({i, "/x_tide"}, json{{"height", 4}});
         any = true;
       }
       return any;
     }},
});

constexpr auto kEventLineScenes = std::to_array<StreamMutation>({
    {kLegal, legal("no-blank-after-colon", kStandard), "event-line",
     [](Draft& d) {
       if (!d.frame(0).event) return false;
       for (std::size_t i = 0; i < d.size(); ++i)
         d.set_bytes(i, replaced_all(d.frame(i).bytes, "event: ", "event:"));
       return true;
     }},
    {kLegal, legal("event-line-behind", kStandard), "event-line",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         const Frame& frame = d.frame(i);
         if (!frame.event) continue;
         d.set_bytes(
             i, "data: " + replaced_all(frame.data, "\n", "\ndata: ") + "\nevent: " + *frame.event + "\n\n");
         any = true;
       }
       return any;
     }},
});

// Variations of texts.
constexpr auto kTexts = std::to_array<TextOperator>({
    {legal("says-json", kAnother),
     [](const std::string& t) -> Text { return t + " Write {\"height\": 4} there."; }},
    {legal("says-emoji", kAnother),
     [](const std::string& t) -> Text { return t + " \xF0\x9F\x8C\x8A\xE2\x80\x8D\xF0\x9F\x8C\x8A"; }},
    {legal("says-mixed-scripts", kAnother),
     [](const std::string& t) -> Text {
       return t +
              " \xD9\x85\xD8\xAF \xE6\xBD\xAE \xE2\x80\xAE"
              "abc";
     }},
    {legal("says-line-separators", kAnother),
     [](const std::string& t) -> Text {
       return t +
              " a\xE2\x80\xA8"
              "b\xC2\x85"
              "c";
     }},
    {legal("says-much", kAnother), [](const std::string& t) -> Text { return t + std::string(20000, 'w'); }},
    {legal("says-blanks-at-the-end", kAnother), [](const std::string& t) -> Text { return t + "  \n\n"; }},
    {legal("says-less-and-greater", kAnother),
     [](const std::string& t) -> Text { return t + " a < b && c > d"; }},
});

constexpr auto kLegalArguments = std::to_array<TextOperator>({
    {legal("blanks-inside", kAnother),
     [](const std::string& t) -> Text { return replaced_all(t, ":", " : "); }},
    {legal("empty-object", kAnother), [](const std::string&) -> Text { return "{}"; }},
    {legal("deep", kAnother),
     [](const std::string&) -> Text { return R"({"a":{"b":[{"c":[[]]},{}]},"d":null})"; }},
    {legal("braces-in-text", kAnother),
     [](const std::string&) -> Text { return R"({"a":"}{ \"b\": [\"","c":"\\"})"; }},
    {legal("many-scripts", kAnother),
     [](const std::string&) -> Text {
       return "{\"\xE6\xBD\xAE\":\"\xF0\x9F\x8C\x8A \\ud83c\\udf0a \\u00fc\"}";
     }},
    {legal("large-numbers", kAnother),
     [](const std::string&) -> Text { return R"({"n":12345678901234567890,"x":-1.5e-7})"; }},
});

constexpr auto kLegalNames = std::to_array<TextOperator>({
    {legal("with-digits-and-dashes", kAnother), [](const std::string&) -> Text { return "read-tide_2"; }},
    {legal("64-characters", kAnother),
     [](const std::string& t) -> Text {
       return t + std::string(64 - std::min<std::size_t>(t.size(), 63), 'x');
     }},
});

// Splits every piece in two, or joins all into the first.
ChangedBodies dealt_out(const dialect::SelfTestWords& words, std::string_view what, const Draft& draft) {
  ChangedBodies bodies;
  for (const LogicalString& strand : strands_of(words, draft, what)) {
    Draft changed = draft;
    for (std::size_t i = strand.pieces.size(); i-- > 0;) {
      const FieldRef& piece = strand.pieces[i];
      const std::string text = draft.text(piece);
      const std::string half = first_half(text);
      if (half.empty() || !words.can_be_halved(draft, piece)) continue;
      changed.copy(piece.event, piece.event);
      changed.set(piece, half);
      changed.set({piece.event + 1, piece.field}, text.substr(half.size()));
    }
    changed.renumber();
    bodies.push_back(changed.body());
  }
  return bodies;
}

}  // namespace

void add_legal_kinds(KindList& kinds) {
  const dialect::SelfTestWords& words = kinds.words();
  add_scenes(kinds, kScenes);
  const auto grows = [&](std::string_view what, std::span<const char* const> objects) {
    kinds.add(kLegal, legal("another-member", kGrows), what, [objects](const Draft& draft) -> ChangedBodies {
      Draft changed = draft;
      if (!add_member(changed, objects)) return {};
      return {changed.body()};
    });
  };
  grows("inside", words.objects);
  grows("usage", words.counts);
  if (words.event_lines) add_scenes(kinds, kEventLineScenes);
  add_scenes(kinds, words.variations());
  add_text_kinds(kinds, kLegal, StringKind::prose, kTexts);
  add_text_kinds(kinds, kLegal, StringKind::arguments, kLegalArguments);
  add_text_kinds(kinds, kLegal, StringKind::name, kLegalNames);
  for (const LogicalStringClass& of : words.strand_classes()) {
    if (!of.in_pieces) continue;
    kinds.add(kLegal, legal("in-smaller-pieces", kDealt), of.what,
              [&words, what = of.what](const Draft& draft) { return dealt_out(words, what, draft); });
  }
}

}  // namespace splitproof::selftest
