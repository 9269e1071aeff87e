// What may vary: the same answer, or another that is as sound. No rule may blame any of it.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/scene.hpp"
#include "harness/selftest/kinds/text_operator.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;
using dialect::Frame;
using dialect::written;
using Text = std::optional<std::string>;

constexpr std::string_view kFamily = "legal";

constexpr Operator legal(std::string_view name, std::string_view then) { return {name, Effect::none, then}; }

constexpr std::string_view kStandard = "an event-stream reader reads the same";
constexpr std::string_view kJson = "a JSON reader reads the same";
constexpr std::string_view kGrows = "owners add members and events, and clients pass them over";
constexpr std::string_view kDealt = "how an answer is cut into pieces means nothing";
constexpr std::string_view kAnother = "another answer, as sound as the one before";

std::string everywhere(std::string text, std::string_view from, std::string_view to) {
  return replaced_all(std::move(text), from, to);
}

// Rewrites the data of every event.
template <class Write>
bool rewritten(Draft& draft, const Write& write) {
  bool any = false;
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const Frame& frame = draft.frame(i);
    if (!frame.json || !frame.json->is_object()) continue;
    draft.set_bytes(i, written(frame.event, write(*frame.json)));
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

// Adds a member to the objects that stand there.
bool add_member(Draft& draft, std::initializer_list<const char*> objects) {
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

constexpr auto kScenes = std::to_array<Scene>({
    {kFamily, legal("carriage-returns-before-line-feeds", kStandard), "body",
     [](Draft& d) {
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.frame(i).bytes.find('\r') != std::string::npos) return false;
         d.set_bytes(i, everywhere(d.frame(i).bytes, "\n", "\r\n"));
       }
       return true;
     }},
    {kFamily, legal("byte-order-mark-first", kStandard), "body",
     [](Draft& d) {
       if (d.frame(0).bytes.rfind("\xEF\xBB\xBF", 0) == 0) return false;
       d.insert_bytes(0, "\xEF\xBB\xBF");
       return true;
     }},
    {kFamily, legal("blank-lines-before", kStandard), "body",
     [](Draft& d) {
       if (d.frame(0).bytes.rfind("\xEF\xBB\xBF", 0) == 0) return false;
       d.insert_bytes(0, "\n\n");
       return true;
     }},
    {kFamily, legal("blank-lines-between", kStandard), "events", [](Draft& d) { return each_bytes(d, "", "\n\n"); }},
    {kFamily, legal("comments-between", kStandard), "events", [](Draft& d) { return each_bytes(d, "", ": keep-alive\n\n"); }},
    {kFamily, legal("empty-comments-between", kStandard), "events", [](Draft& d) { return each_bytes(d, "", ":\n\n"); }},
    {kFamily, legal("comments-inside", kStandard), "events", [](Draft& d) { return in_event(d, ": keep-alive\n"); }},
    {kFamily, legal("comment-of-json", kStandard), "events", [](Draft& d) { return in_event(d, ": {\"type\":\"error\"}\n"); }},
    {kFamily, legal("comment-of-two-kilobytes", kStandard), "body",
     [](Draft& d) {
       d.insert_bytes(d.size() / 2, ": " + std::string(2048, '-') + "\n\n");
       return true;
     }},
    {kFamily, legal("event-ids", kStandard), "events", [](Draft& d) { return in_event(d, "id: 7\n"); }},
    {kFamily, legal("retry", kStandard), "body",
     [](Draft& d) {
       d.insert_bytes(d.size() / 2, "retry: 3000\n\n");
       return true;
     }},
    {kFamily, legal("no-blank-after-colon", kStandard), "data",
     [](Draft& d) {
       for (std::size_t i = 0; i < d.size(); ++i)
         d.set_bytes(i, everywhere(everywhere(d.frame(i).bytes, "data: {", "data:{"), "data: [", "data:["));
       return true;
     }},
    {kFamily, legal("blanks", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return everywhere(data.dump(), "\":", "\" :  "); }); }},
    {kFamily, legal("blank-behind", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return data.dump() + "   "; }); }},
    {kFamily, legal("over-several-lines", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return data.dump(2); }); }},
    {kFamily, legal("members-in-another-order", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return reversed(data).dump(); }); }},
    {kFamily, legal("all-escaped", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return data.dump(-1, ' ', true); }); }},
    {kFamily, legal("slashes-escaped", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return everywhere(data.dump(), "/", "\\/"); }); }},
    {kFamily, legal("letters-escaped", kJson), "json",
     [](Draft& d) { return rewritten(d, [](const json& data) { return everywhere(data.dump(), "\"type\":", "\"\\u0074ype\":"); }); }},
    {kFamily, legal("another-member", kGrows), "event",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.data(i).is_object()) continue;
         d.set({i, "/x_tide"}, json{{"height", 4}});
         any = true;
       }
       return any;
     }},
    {kFamily, legal("another-member", kGrows), "inside",
     [](Draft& d) {
       return add_member(d, {"/message", "/content_block", "/choices/0", "/choices/0/delta/tool_calls/0", "/item", "/part", "/response"});
     }},
    {kFamily, legal("another-member", kGrows), "usage",
     [](Draft& d) { return add_member(d, {"/message/usage", "/usage", "/response/usage"}); }},
});

constexpr auto kEventLineScenes = std::to_array<Scene>({
    {kFamily, legal("no-blank-after-colon", kStandard), "event-line",
     [](Draft& d) {
       if (!d.frame(0).event) return false;
       for (std::size_t i = 0; i < d.size(); ++i)
         d.set_bytes(i, everywhere(d.frame(i).bytes, "event: ", "event:"));
       return true;
     }},
    {kFamily, legal("event-line-behind", kStandard), "event-line",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         const Frame& frame = d.frame(i);
         if (!frame.event) continue;
         d.set_bytes(
             i, "data: " + everywhere(frame.data, "\n", "\ndata: ") + "\nevent: " + *frame.event + "\n\n");
         any = true;
       }
       return any;
     }},
});

constexpr auto kAnthropicScenes = std::to_array<Scene>({
    {kFamily, legal("ping", kGrows), "after-message_start",
     [](Draft& d) {
       if (d.type(0) != "message_start") return false;
       d.insert(1, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kFamily, legal("ping", kGrows), "in-a-block",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size()) return false;
       d.insert(stop, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kFamily, legal("ping", kGrows), "before-message_delta",
     [](Draft& d) {
       const std::size_t tail = d.last("message_delta");
       if (tail == d.size()) return false;
       d.insert(tail, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kFamily, legal("two-pings", kGrows), "between-blocks",
     [](Draft& d) {
       const std::size_t stop = d.first("content_block_stop");
       if (stop == d.size()) return false;
       d.insert(stop + 1, R"({"type": "ping"})", "ping");
       d.insert(stop + 1, R"({"type": "ping"})", "ping");
       return true;
     }},
    {kFamily, legal("empty-arguments-first", kDealt), "tool_use",
     [](Draft& d) {
       for (const Strand& strand : strands_of("anthropic.messages", d, "tool_use.arguments")) {
         const Spot piece = strand.pieces.front();
         d.copy(piece.event, piece.event);
         d.set(piece, "");
         return true;
       }
       return false;
     }},
    {kFamily, legal("direct-caller", kGrows), "tool_use",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/content_block/type"}) != "tool_use") ++i;
       if (i == d.size() || d.has({i, "/content_block/caller"})) return false;
       d.set_json({i, "/content_block/caller"}, R"({"type":"direct"})");
       return true;
     }},
    {kFamily, legal("large", kAnother), "input_tokens",
     [](Draft& d) {
       const std::size_t start = d.first("message_start");
       if (start == d.size()) return false;
       d.set({start, "/message/usage/input_tokens"}, 4398046511104LL);
       const std::size_t tail = d.last("message_delta");
       if (d.has({tail, "/usage/input_tokens"})) d.set({tail, "/usage/input_tokens"}, 4398046511104LL);
       return true;
     }},
    {kFamily, legal("service-tier", kGrows), "usage",
     [](Draft& d) {
       const std::size_t start = d.first("message_start");
       if (start == d.size()) return false;
       d.set({start, "/message/usage/service_tier"}, "priority");
       d.set({start, "/message/usage/inference_geo"}, "not_available");
       return true;
     }},
    {kFamily, legal("container-null", kGrows), "message",
     [](Draft& d) {
       const std::size_t start = d.first("message_start");
       if (start == d.size()) return false;
       d.set({start, "/message/container"}, nullptr);
       d.set({start, "/message/stop_details"}, nullptr);
       return true;
     }},
});

constexpr auto kChatScenes = std::to_array<Scene>({
    {kFamily, legal("usage-null", kGrows), "chunks",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/choices/0"}) || d.has({i, "/usage"})) continue;
         d.set({i, "/usage"}, nullptr);
         any = true;
       }
       return any;
     }},
    {kFamily, legal("logprobs-null", kGrows), "choices",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/choices/0"}) || d.has({i, "/choices/0/logprobs"})) continue;
         d.set({i, "/choices/0/logprobs"}, nullptr);
         any = true;
       }
       return any;
     }},
    {kFamily, legal("fingerprint", kGrows), "chunks",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/choices"})) continue;
         d.set({i, "/system_fingerprint"}, "fp_tide");
         d.set({i, "/service_tier"}, "default");
         d.set({i, "/obfuscation"}, "x7Qz");
         any = true;
       }
       return any;
     }},
    {kFamily, legal("empty-text-first", kDealt), "content",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/choices/0/delta/content"}).empty()) ++i;
       if (i == d.size() || d.at({i, "/choices/0/index"}) != 0 || d.has({i, "/choices/0/delta/role"}) ||
           !d.at({i, "/choices/0/finish_reason"}).is_null())
         return false;
       d.copy(i, i);
       d.set({i, "/choices/0/delta/content"}, "");
       return true;
     }},
    {kFamily, legal("empty-delta", kDealt), "choices",
     [](Draft& d) {
       std::size_t i = 0;
       while (i < d.size() && d.text({i, "/choices/0/delta/content"}).empty()) ++i;
       if (i == d.size() || d.has({i, "/choices/0/delta/role"}) || d.has({i, "/choices/1"}) ||
           !d.at({i, "/choices/0/finish_reason"}).is_null())
         return false;
       d.copy(i, i);
       d.set_json({i, "/choices/0/delta"}, "{}");
       return true;
     }},
    {kFamily, legal("large", kAnother), "usage",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/usage/prompt_tokens"})) continue;
         d.set({i, "/usage/prompt_tokens"}, 4398046511104LL);
         any = true;
       }
       return any;
     }},
});

constexpr auto kResponsesScenes = std::to_array<Scene>({
    {kFamily, legal("obfuscation", kGrows), "deltas",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (d.type(i) != "response.output_text.delta") continue;
         d.set({i, "/obfuscation"}, "x7Qz");
         d.set_json({i, "/logprobs"}, "[]");
         any = true;
       }
       return any;
     }},
    {kFamily, legal("settings-repeated", kGrows), "response",
     [](Draft& d) {
       bool any = false;
       for (std::size_t i = 0; i < d.size(); ++i) {
         if (!d.has({i, "/response"})) continue;
         d.set_json({i, "/response/metadata"}, R"({"tide":"4"})");
         d.set_json({i, "/response/reasoning"}, R"({"effort":null,"summary":null})");
         d.set({i, "/response/temperature"}, 1.0);
         d.set({i, "/response/service_tier"}, "default");
         any = true;
       }
       return any;
     }},
    {kFamily, legal("large", kAnother), "usage",
     [](Draft& d) {
       const Spot spot{d.first("response.completed"), "/response/usage/output_tokens"};
       if (!d.has(spot)) return false;
       d.set(spot, 4398046511104LL);
       d.set({spot.event, "/response/usage/total_tokens"},
             4398046511104LL + d.at({spot.event, "/response/usage/input_tokens"}).get<long long>());
       return true;
     }},
    {kFamily, legal("without-in-progress", kGrows), "response.in_progress",
     [](Draft& d) {
       const std::size_t event = d.first("response.in_progress");
       if (event == d.size()) return false;
       d.remove(event);
       return true;
     }},
    {kFamily, legal("queued", kGrows), "response.queued",
     [](Draft& d) {
       if (d.type(0) != "response.created" || d.type(1) != "response.in_progress") return false;
       d.copy(1, 1);
       json data = d.data(1);
       data["type"] = "response.queued";
       data["response"]["status"] = "queued";
       d.remove(1);
       d.insert(1, data.dump(), "response.queued");
       return true;
     }},
});

// What is said, otherwise.
constexpr auto kTexts = std::to_array<TextOperator>({
    {legal("says-done", kAnother),
     [](const std::string& t) -> Text { return t + " Then comes [DONE], they say."; }},
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

constexpr auto kArguments = std::to_array<TextOperator>({
    {legal("blanks-inside", kAnother),
     [](const std::string& t) -> Text { return everywhere(t, ":", " : "); }},
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
    {legal("says-done", kAnother),
     [](const std::string&) -> Text { return R"({"text":"data: [DONE]\n\n"})"; }},
});

constexpr auto kNames = std::to_array<TextOperator>({
    {legal("with-digits-and-dashes", kAnother), [](const std::string&) -> Text { return "read-tide_2"; }},
    {legal("64-characters", kAnother),
     [](const std::string& t) -> Text {
       return t + std::string(64 - std::min<std::size_t>(t.size(), 63), 'x');
     }},
});

// Splits every piece in two, or joins all into the first.
Bodies dealt_out(std::string_view protocol, std::string_view what, const Draft& draft) {
  Bodies bodies;
  for (const Strand& strand : strands_of(protocol, draft, what)) {
    Draft changed = draft;
    for (std::size_t i = strand.pieces.size(); i-- > 0;) {
      const Spot& piece = strand.pieces[i];
      const std::string text = draft.text(piece);
      const std::string half = first_half(text);
      const json& event = draft.data(piece.event);
      // An event that says more than the piece cannot come twice.
      if (half.empty() || event.dump().find("\"role\"") != std::string::npos ||
          event.dump().find("\"name\"") != std::string::npos ||
          event.dump().find("\"finish_reason\":\"") != std::string::npos ||
          draft.has({piece.event, "/choices/1"}) || draft.has({piece.event, "/usage"}))
        continue;
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
  const std::string_view protocol = kinds.protocol();
  add_scenes(kinds, kScenes, false);
  if (protocol != "openai.chat") add_scenes(kinds, kEventLineScenes, false);
  if (protocol == "anthropic.messages") add_scenes(kinds, kAnthropicScenes, false);
  if (protocol == "openai.chat") add_scenes(kinds, kChatScenes, false);
  if (protocol == "openai.responses") add_scenes(kinds, kResponsesScenes, true);
  add_text_kinds(kinds, kFamily, Nature::prose, kTexts);
  add_text_kinds(kinds, kFamily, Nature::arguments, kArguments);
  add_text_kinds(kinds, kFamily, Nature::name, kNames);
  for (const StrandClass& of : strand_classes(protocol)) {
    if (!of.in_pieces) continue;
    kinds.add(kFamily, legal("in-smaller-pieces", kDealt), of.what,
              [protocol, what = of.what](const Draft& draft) { return dealt_out(protocol, what, draft); });
  }
}

}  // namespace splitproof::selftest
