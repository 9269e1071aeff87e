#include "harness/observe/asked_meaning.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/observe/preserved_fields.hpp"
#include "harness/observe/prose_encoding.hpp"
#include "harness/observe/repaired_history.hpp"
#include "harness/observe/request_tolerances.hpp"
#include "harness/observe/said.hpp"
#include "harness/observe/shapes_in_words.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

json roles_of(const Said& said) {
  json roles = json::array();
  for (const SaidTurn& turn : said.turns) roles.push_back(turn.by_assistant ? "assistant" : "user");
  return roles;
}

/// Returns the texts of one side by turn, or all in one if the turns of the two requests do not match.
std::vector<TextPieces> texts_of(const Said& said, bool by_assistant, bool in_one) {
  std::vector<TextPieces> texts;
  if (in_one) texts.emplace_back();
  for (const SaidTurn& turn : said.turns) {
    if (turn.by_assistant != by_assistant) continue;
    if (!in_one) texts.emplace_back();
    texts.back().insert(texts.back().end(), turn.texts.begin(), turn.texts.end());
  }
  return texts;
}

/// Builds the two documents member by member.
class RequestComparison {
 public:
  RequestComparison(const AskedRequest& asked, const AskedRequest& got, const UpstreamCapabilities& room,
                    bool says_documents)
      : says_documents_(says_documents),
        in_words_(in_words(asked, got, room.rules)),
        wanted_(in_words_.asked),
        sent_(in_words_.got),
        room_(room),
        renaming_(renaming_for(asked, room.rules.names)),
        said_(std::move(in_words_.said)),
        got_(std::move(in_words_.got_said)) {}

  Documents documents() && {
    for (auto& [name, sides] : in_words_.members) put(name.c_str(), sides.first, sides.second);
    apply_tolerances();
    add_system();
    add_turns();
    add_calls();
    add_tools();
    add_settings();
    return {std::make_shared<const json>(std::move(expected_)),
            std::make_shared<const json>(std::move(found_))};
  }

 private:
  /// Members that are empty on both sides are absent.
  void put(const char* name, json expected, json got) {
    if ((expected.empty() || expected == "") && (got.empty() || got == "")) return;
    expected_[name] = std::move(expected);
    found_[name] = std::move(got);
  }

  /// Adds members that the upstream got and should not get.
  void put_made_up(const char* name, json got) {
    expected_[name] = got.is_object() ? json::object() : json::array();
    found_[name] = std::move(got);
  }

  void apply_tolerances() {
    if (said_.choice == "none" && got_.tools.empty() && !said_.tools.empty()) {
      got_.tools = said_.tools;
      got_.choice = "none";
    }
    if (said_.tools.empty() && said_.choice == "none" && got_.tools.empty()) got_.choice = "none";
    if (!room_.same_dialect) carried_ = take_out_stand_ins(wanted_.hosted, said_, got_);
    tolerate_names();
    if (got_.calls.size() == said_.calls.size()) {
      for (std::size_t i = 0; i < got_.calls.size(); ++i) apply_tolerances(said_.calls[i], got_.calls[i]);
    }
    if (got_.results.size() == said_.results.size()) {
      for (std::size_t i = 0; i < got_.results.size(); ++i)
        apply_tolerances(said_.results[i], got_.results[i]);
    }
  }

  /// Puts tools in the client's order, under the client's names.
  void tolerate_names() {
    const auto names = [](const Said& said) {
      std::multiset<std::string> all;
      for (const SaidTool& tool : said.tools) all.insert(tool.name);
      return all;
    };
    const std::multiset<std::string> own = names(said_);
    if (own == names(got_)) {
      const auto place = [this](const SaidTool& tool) {
        return std::find_if(said_.tools.begin(), said_.tools.end(),
                            [&tool](const SaidTool& one) { return one.name == tool.name; });
      };
      std::stable_sort(got_.tools.begin(), got_.tools.end(),
                       [&](const SaidTool& a, const SaidTool& b) { return place(a) < place(b); });
      return;
    }
    std::map<std::string, std::string> by_name;
    if (said_.tools.size() != got_.tools.size()) return;
    for (std::size_t i = 0; i < got_.tools.size(); ++i) {
      const bool is_new = by_name.emplace(got_.tools[i].name, said_.tools[i].name).second;
      const bool kept = own.contains(got_.tools[i].name) && got_.tools[i].name != said_.tools[i].name;
      if (!is_new || kept) return;
    }
    const auto rename = [&by_name](std::string& name) {
      if (const auto known = by_name.find(name); known != by_name.end()) name = known->second;
    };
    for (SaidTool& tool : got_.tools) rename(tool.name);
    for (SaidCall& call : got_.calls) rename(call.name);
    if (got_.chosen) rename(*got_.chosen);
  }

  /// If the dialect has no custom tools, an object may hold a custom tool's text. Arguments that are not JSON
  /// cannot be in an object.
  void apply_tolerances(const SaidCall& call, SaidCall& got) const {
    if (got.input == call.input || !call.input.is_string() || !got.input.is_object()) return;
    if (room_.same_dialect && call.takes_text) return;
    const bool wrapped = got.input.size() == 1 && got.input.front() == call.input;
    if (wrapped || !call.takes_text) got.input = call.input;
  }

  /// True if `got` is the client's object with the text in its only member. The reader takes the text out, and a proxy may
  /// pass on the object.
  static bool is_object_around(const SaidResult& result, const SaidResult& got) {
    if (!result.as_object) return false;
    const json sent = json::parse(got.text, nullptr, false);
    if (!sent.is_object() || sent.size() != 1) return false;
    return sent.front() == result.text || sent.front() == json::parse(result.text, nullptr, false);
  }

  /// True if the dialect of `got` made an object of a text that is one in JSON.
  static bool is_same_object(const SaidResult& result, const SaidResult& got) {
    if (!got.as_object) return is_object_around(result, got);
    const json wanted = json::parse(result.text, nullptr, false);
    return !wanted.is_discarded() && wanted == json::parse(got.text, nullptr, false);
  }

  /// A proxy may need words for a failed call, an empty result, or the names of images and documents.
  static void apply_tolerances(const SaidResult& result, SaidResult& got) {
    const bool apart = result.documents > 0 && got.others == result.others + result.documents;
    const TextPieces& pieces = apart ? result.bare : result.pieces;
    std::string rest;
    const bool same = meet(pieces, got.pieces) && begin_alike(pieces, got.pieces);
    const bool shows = result.has_image || result.documents > 0;
    const bool labels = result.failed || is_blank(result.text);
    if (!same && !is_same_object(result, got) &&
        !((shows || labels) && holds(got.pieces, pieces, rest) && (shows || is_label(rest, result.failed))))
      return;
    got.text = result.text;
    if (apart) got.others = result.others;
  }

  void add_system() {
    std::string rest;
    const TextPieces prompt = without_billing(said_.system);
    const bool held = meet(said_.system, got_.system) || holds(got_.system, said_.system, rest) ||
                      meet(prompt, got_.system) || holds(got_.system, prompt, rest);
    put("system", joined(said_.system), held ? joined(said_.system) : joined(got_.system));
    if (!said_.system.empty() || !got_.system.empty())
      put("preamble", json::array({""}), json::array({held ? rest : ""}));
    put("late", said_.late, held ? got_.late : said_.late);
  }

  void add_texts(const char* name, bool by_assistant) {
    json expected = json::array();
    json found = json::array();
    const auto wanted = texts_of(said_, by_assistant, apart_);
    const auto sent = texts_of(got_, by_assistant, apart_);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      expected.push_back(joined(wanted[i]));
      // If images of results are separate, the proxy must label them.
      std::string rest;
      const bool may_label = !by_assistant && (shows_results() || says_documents_);
      const bool may_hold = may_label || in_words_.flattened;
      const bool may_trim =
          by_assistant || said_.leaves_out_blanks || got_.leaves_out_blanks || room_.rules.any();
      const bool keeps_ends = may_trim || (begin_alike(wanted[i], sent[i]) && end_alike(wanted[i], sent[i]));
      const bool same =
          (meet(wanted[i], sent[i]) && keeps_ends) || (may_hold && holds(sent[i], wanted[i], rest));
      found.push_back(joined(same ? wanted[i] : sent[i]));
    }
    put(name, std::move(expected), std::move(found));
  }

  bool shows_results() const {
    return std::any_of(said_.turns.begin(), said_.turns.end(),
                       [](const SaidTurn& turn) { return turn.has_shown_results; });
  }

  void add_turns() {
    apart_ = in_words_.flattened || roles_of(said_) != roles_of(got_);
    if (!in_words_.flattened) put("turns", roles_of(said_), roles_of(got_));
    add_texts("user", false);
    add_texts("assistant", true);
    const auto images = [this](const Said& said) {
      json list = json::array();
      for (std::size_t i = 0; i < said.turns.size(); ++i) {
        for (const std::string& source : said.turns[i].images)
          list.push_back(apart_ ? json{{"source", source}} : json{{"turn", i}, {"source", source}});
      }
      return list;
    };
    put("images", images(said_), images(got_));
    if (!apart_) {
      auto [wanted, sent] = places_of_images(said_, got_);
      put("places", std::move(wanted), std::move(sent));
    }
    add_others();
  }

  /// Compares the number of other parts. If it is equal, also compares the bytes that are known.
  void add_others() {
    const auto others = [](const Said& said) {
      std::vector<std::string> all;
      for (const SaidTurn& turn : said.turns)
        if (!turn.by_assistant) all.insert(all.end(), turn.others.begin(), turn.others.end());
      return all;
    };
    const std::vector<std::string> wanted = others(said_);
    const std::vector<std::string> sent = others(got_);
    if (wanted.size() != sent.size()) return put("others", wanted.size(), sent.size());
    json bytes[2] = {json::array(), json::array()};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const bool known = !wanted[i].empty() && !sent[i].empty();
      bytes[0].push_back(known ? wanted[i] : "");
      bytes[1].push_back(known ? sent[i] : "");
    }
    put("others", bytes[0], bytes[1]);
  }

  void add_calls() {
    const auto calls = [this](const Said& said) {
      json list = json::array();
      for (const SaidCall& call : said.calls) {
        list.push_back({{"name", call.name}, {"input", call.input}});
        if (!apart_) list.back()["turn"] = call.turn;
      }
      return list;
    };
    const auto results = [this](const Said& said) {
      json list = json::array();
      for (const SaidResult& result : said.results) {
        list.push_back({{"call", result.call ? json(*result.call) : json()}, {"text", result.text}});
        if (room_.same_dialect && result.failed) list.back()["failed"] = true;
        if (result.others > 0) list.back()["others"] = result.others;
      }
      return list;
    };
    const auto ids = [](const Said& said) {
      json list = json::array();
      for (const SaidCall& call : said.calls) list.push_back(call.id ? json(*call.id) : json());
      return list;
    };
    const auto thoughts = [](const Said& said, const std::set<std::size_t>& left_out) {
      json list = json::array();
      for (const SaidThought& thought : said.thoughts)
        if (!left_out.contains(thought.message))
          list.push_back({{"text", thought.text}, {"seal", thought.seal}});
      return list;
    };
    if (in_words_.flattened) return;
    put("calls", calls(said_), calls(got_));
    put("results", results(said_), results(got_));
    if (room_.answered != nullptr) add_own(*room_.answered);
    add_order();
    if (!room_.same_dialect) return;
    put("own", own_of(wanted_), own_of(sent_));
    add_unsealed();
    put("ids", ids(said_), ids(got_));
    put("thoughts",
        thoughts(said_, room_.forgets_thinking ? forgotten(said_, got_) : std::set<std::size_t>()),
        thoughts(got_, {}));
  }

  /// Compares no order if a part is missing or added. Between protocols, only texts and calls have an order.
  void add_order() {
    if (!room_.same_dialect && !room_.keeps_order) return;
    json wanted = order_of(wanted_, room_.same_dialect);
    json sent = order_of(sent_, room_.same_dialect);
    if (std::is_permutation(wanted.begin(), wanted.end(), sent.begin(), sent.end()))
      put(room_.same_dialect ? "order" : "sequence", std::move(wanted), std::move(sent));
  }

  /// Compares unsealed thinking after the last question. Servers with such thinking require it with the
  /// results of the calls.
  void add_unsealed() {
    const auto texts = [](const Said& said) {
      json list = json::array();
      for (const SaidThought& thought : said.unsealed)
        if (thought.message > said.question && !is_blank(thought.text)) list.push_back(thought.text);
      return list;
    };
    json wanted = texts(said_);
    if (!wanted.empty()) put("unsealed", std::move(wanted), texts(got_));
  }

  /// Compares the upstream's own ids and seals: ids of calls that the client got from the upstream, and
  /// sealed thinking.
  void add_own(const Answer& answered) {
    json ids[2] = {json::array(), json::array()};
    const auto is_own = [&](const std::optional<std::string>& id) {
      const auto gave = [&id](const Part& part) { return part.kind == PartKind::call && part.id == *id; };
      return id && room_.takes_id(*id) && std::any_of(answered.parts.begin(), answered.parts.end(), gave);
    };
    json returned[2] = {json::array(), json::array()};
    for (std::size_t i = 0; i < said_.calls.size() && said_.calls.size() == got_.calls.size(); ++i) {
      if (!is_own(said_.calls[i].id)) continue;
      add_returned(answered, said_.calls[i], got_.calls[i], returned);
      ids[0].push_back(*said_.calls[i].id);
      ids[1].push_back(got_.calls[i].id ? json(*got_.calls[i].id) : json());
    }
    if (!room_.same_dialect) put("own_ids", ids[0], ids[1]);
    put("returned", returned[0], returned[1]);
    json sealed[2] = {json::array(), json::array()};
    for (const SaidThought& thought : got_.thoughts) {
      sealed[1].push_back({{"text", thought.text}, {"seal", thought.seal}});
      sealed[0].push_back(seals(answered, thought) || sends_back(said_, thought) ? sealed[1].back() : json());
    }
    put("sealed", sealed[0], sealed[1]);
  }

  /// Compares a call of the upstream that was renamed for the client. All that both sides can express must
  /// come back unchanged.
  void add_returned(const Answer& answered, const SaidCall& said, const SaidCall& got, json* returned) const {
    for (const Part& part : answered.parts) {
      if (part.kind != PartKind::call || part.id != said.id || !renaming_.knows(Towards::client, part.name))
        continue;
      const std::string told = renaming_.arguments(Towards::client, part.name, part.arguments);
      const std::string client = renaming_.name(Towards::client, part.name);
      const auto sent = parse_strict_json(part.arguments);
      const auto back = parse_strict_json(renaming_.arguments(Towards::upstream, client, told));
      if (!sent || !back || !(*sent)->is_object() || said.input != **back) continue;
      json wanted = json::object();
      json found = json::object();
      for (const auto& [key, value] : (*sent)->items()) {
        if (!(*back)->contains(key) || (*back)->at(key) != value) continue;  // only one side has it
        wanted[key] = value;
        if (got.input.is_object() && got.input.contains(key)) found[key] = got.input[key];
      }
      returned[0].push_back({{"name", part.name}, {"input", std::move(wanted)}});
      returned[1].push_back({{"name", got.name}, {"input", std::move(found)}});
    }
  }

  /// True if an answer holds the thought with this seal. Parts of other kinds are searched as raw text.
  static bool seals(const Answer& answered, const SaidThought& thought) {
    return std::any_of(answered.parts.begin(), answered.parts.end(), [&thought](const Part& part) {
      if (part.kind == PartKind::other) return part.text.find(thought.seal) != part.text.npos;
      return part.signature == thought.seal && part.text.starts_with(thought.text);
    });
  }

  static bool sends_back(const Said& said, const SaidThought& thought) {
    return std::any_of(said.thoughts.begin(), said.thoughts.end(), [&thought](const SaidThought& one) {
      return one.seal == thought.seal && one.text == thought.text;
    });
  }

  void add_tools() {
    json names[2] = {json::array(), json::array()};
    json schemas[2];
    json descriptions[2];
    json takes[2];
    for (const int side : {0, 1}) {
      for (const SaidTool& tool : (side == 0 ? said_ : got_).tools) {
        names[side].push_back(tool.name);
        takes[side].push_back(tool.takes_text ? "text" : "object");
      }
    }
    const bool same = names[0] == names[1];
    for (std::size_t i = 0; same && i < said_.tools.size(); ++i) {
      const SaidTool& wanted = said_.tools[i];
      const SaidTool& sent = got_.tools[i];
      if (wanted.takes_text || sent.takes_text) continue;
      schemas[0][wanted.name] = schema_of(wanted.schema);
      schemas[1][wanted.name] = schema_of(sent.schema);
      descriptions[0][wanted.name] = wanted.description;
      descriptions[1][wanted.name] = sent.description;
    }
    if (!room_.same_dialect) ignore_missing_hints(schemas[0], schemas[1]);
    keep_differences(schemas[0], schemas[1]);
    keep_differing(descriptions[0], descriptions[1]);
    put("tools", names[0], names[1]);
    put("schemas", schemas[0], schemas[1]);
    put("descriptions", descriptions[0], descriptions[1]);
    for (std::size_t i = 0; same && !room_.same_dialect && i < said_.tools.size(); ++i)
      if (said_.tools[i].takes_text && wraps_text(got_.tools[i].schema)) takes[1][i] = "text";
    if (same) put("takes", takes[0], takes[1]);
    if (same) add_words_on_tools();
    const auto choice = [](const Said& said) {
      json told = {{"mode", said.choice}};
      if (said.chosen) told["name"] = *said.chosen;
      return told;
    };
    add_hosted();
    const bool any = !said_.tools.empty() || !got_.tools.empty();
    if (any) put("choice", choice(said_), choice(got_));
    if (!said_.tools.empty() && said_.choice != "none" && wanted_.parallel == false && in_words_.one_at_once)
      put("parallel", json::array({false}),
          json::array({sent_.parallel == false ? json(false) : json(true)}));
  }

  void add_words_on_tools() {
    json strict = json::array();  // tools that are strict, but must not be
    for (std::size_t i = 0; i < said_.tools.size(); ++i) {
      const bool takes_text = said_.tools[i].takes_text || got_.tools[i].takes_text;
      if (!takes_text && said_.tools[i].strict == false && got_.tools[i].strict.value_or(true))
        strict.push_back(said_.tools[i].name);
    }
    put_made_up("strict", std::move(strict));
    if (!room_.same_dialect) return;
    auto [wanted, sent] = kept_of_tools(said_.tools, got_.tools);
    put("of_tools", std::move(wanted), std::move(sent));
  }

  void add_hosted() {
    if (room_.same_dialect || said_.choice == "none") return;
    put_made_up("unasked", made_up_uses(wanted_.hosted, sent_.hosted));
    for (const bool always : {false, true}) {
      auto [wanted, sent] = hosted_uses(wanted_.hosted, sent_.hosted, carried_, always);
      put(always ? "searches" : "hosted", std::move(wanted), std::move(sent));
    }
  }

  /// Compares members that a server of the same protocol reads unchanged.
  void add_kept() {
    auto [wanted, sent] = kept_settings(wanted_.settings, sent_.settings);
    put("settings", std::move(wanted), std::move(sent));
    auto [marked, kept] = kept_marks(wanted_.marks, sent_.marks);
    put("marks", std::move(marked), std::move(kept));
  }

  void add_settings() {
    json made_up = made_up_settings(wanted_, sent_);
    if (sent_.parallel == false && wanted_.parallel != false && in_words_.one_at_once && !said_.tools.empty())
      made_up["parallel"] = false;
    put_made_up("made_up", std::move(made_up));
    if (room_.same_dialect) {
      add_kept();
    } else if (wanted_.effort && sent_.effort && *wanted_.effort != nullptr) {
      const json* effort = *sent_.effort;
      put("effort", json::array({**wanted_.effort}), effort != nullptr ? json::array({*effort}) : json());
    }
    const auto value = [](const json* given) { return given != nullptr ? json::array({*given}) : json(); };
    if (wanted_.limit != nullptr) {
      json limit = *wanted_.limit;
      if (limit.is_number_unsigned() && limit < room_.least_limit) limit = room_.least_limit;
      if (sent_.limit != nullptr && is_a_maximum(limit, *sent_.limit)) limit = *sent_.limit;
      put("limit", json::array({limit}), value(sent_.limit));
    }
    put("stop", wanted_.stop, sent_.stop);
    const auto format = [this](const std::optional<AskedFormat>& given) {
      if (!given) return json();
      json told = {{"kind", given->kind}};
      if (given->schema != nullptr) told["schema"] = schema_of(*given->schema);
      if (room_.same_dialect && given->strict) told["strict"] = true;
      return told;
    };
    json formats[2] = {format(wanted_.format), format(sent_.format)};
    if (!room_.same_dialect) ignore_missing_hints(formats[0], formats[1]);
    put("format", std::move(formats[0]), std::move(formats[1]));
    put("temperature", value(wanted_.temperature), value(sent_.temperature));
    put("top_p", value(wanted_.top_p), value(sent_.top_p));
    if (wanted_.stream) put("stream", json::array({true}), json::array({sent_.stream}));
    // Between protocols, a proxy may have no replacement for a reference to thinking.
    const bool may_forget = wanted_.recalls_thinking && !room_.same_dialect;
    if (wanted_.stateful && !may_forget) put("stateful", json::array({true}), json::array({sent_.stateful}));
  }

  bool says_documents_;  // documents of the user become texts
  ProseEncoding in_words_;
  const AskedRequest& wanted_;
  const AskedRequest& sent_;
  const UpstreamCapabilities& room_;
  Renaming renaming_;
  Said said_;
  Said got_;
  bool apart_ = false;             // the turns of the two requests do not match
  std::set<std::string> carried_;  // purposes that the proxy's own tools serve
  json expected_ = json::object();
  json found_ = json::object();
};

}  // namespace

Documents asked_meaning(const AskedRequest& asked, const AskedRequest& got,
                        const UpstreamCapabilities& room) {
  auto [own, sent] = without_mending(asked, got);
  const bool says_documents = !room.same_dialect && say_documents(own, sent);
  return RequestComparison(own, sent, room, says_documents).documents();
}

std::set<std::string> shapes_of(const AskedRequest& asked) {
  std::set<std::string> shapes = shapes_in_words(asked);
  if (asked.tools.empty()) return shapes;
  const std::string mode = asked.choice ? asked.choice->mode : "auto";
  for (const char* known : {"none", "any", "one", "auto"})
    if (mode == known) shapes.insert(std::string("choice-") + known);
  return shapes;
}

}  // namespace splitproof::observe
