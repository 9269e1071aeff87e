#include "harness/observe/asked_in_words.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/environment_facts.hpp"
#include "harness/observe/preamble_reading.hpp"
#include "harness/observe/preamble_words.hpp"
#include "harness/observe/retained_text.hpp"
#include "harness/observe/trimmed.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

constexpr std::size_t kManyTools = 40;
constexpr std::size_t kLargeSchemas = std::size_t{24} << 10;  // bytes of all schemas

bool speaks_for_system(const AskedTurn& turn) { return turn.role == "system" || turn.role == "developer"; }

std::string mode_of(const AskedRequest& asked) {
  if (!asked.choice) return "auto";
  return asked.choice->allowed ? asked.choice->within : asked.choice->mode;
}

/// Whether a client has tools of its own that may be called.
bool offers_tools(const AskedRequest& asked) {
  return mode_of(asked) != "none" &&
         std::any_of(asked.tools.begin(), asked.tools.end(),
                     [](const auto& tool) { return tool.kind != AskedTool::hosted; });
}

template <class Use>
void for_each_text(const AskedRequest& asked, const char* role, const Use& use) {
  for (const AskedTurn& turn : asked.turns) {
    for (const AskedBlock& block : turn.blocks)
      if (turn.role == role && block.kind == AskedKind::text && block.text) use(*block.text);
  }
}

std::string all_text(const AskedRequest& asked, const char* role) {
  std::string all;
  for_each_text(asked, role, [&all](const std::string& text) { all += text + "\n"; });
  return all;
}

template <class Words>
bool holds_any(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

class WordReader {
 public:
  WordReader(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules)
      : client_(asked), sent_(got), rules_(rules), names_(renaming_for(asked, rules.names)) {
    result_.asked = asked;
    result_.got = got;
  }

  InWords result() && {
    rename();
    if (rules_.structures_history) retain();
    banners_ = rules_.tools_in_words ? banners_in(sent_, &client_) : std::vector<Banner>();
    if (rules_.tools_in_words) read_words();
    result_.said = said_in(result_.asked);
    result_.got_said = said_in(result_.got);
    result_.one_at_once = !rules_.emulates_choice && !rules_.tools_in_words;
    read_system();
    if (rules_.emulates_choice || rules_.tools_in_words) read_choice();
    if (shapes_in_words(client_).contains("choice-hosted")) put("dangling", json::array(), dangling());
    if (rules_.names != nullptr) compare_names();
    if (rules_.tools_in_words) compare_preamble();
    if (rules_.structures_history) compare_history();
    if (rules_.rewrites_identity) compare_paragraphs();
    flatten();
    return std::move(result_);
  }

 private:
  static std::vector<std::string> declared(const AskedRequest& asked) {
    std::vector<std::string> names;
    for (const OfferedTool& tool : asked.tools)
      if (tool.name) names.push_back(*tool.name);
    return names;
  }

  /// Where nothing may come, "nothing" is what comes.
  void put(const char* name, json wanted, json found) {
    for (json* side : {&wanted, &found})
      if (side->empty()) *side = "nothing";
    result_.members.emplace_back(name, std::pair(std::move(wanted), std::move(found)));
  }

  /// What there is none of on either side is absent.
  void put_any(const char* name, json wanted, json found) {
    if (!wanted.empty() || !found.empty()) put(name, std::move(wanted), std::move(found));
  }

  const json* keep(json value) {
    result_.made.push_back(std::move(value));
    return &result_.made.back();
  }

  std::string upstream_name(const std::string& name) const { return names_.name(Towards::upstream, name); }

  void rename() {
    if (!names_.any()) return;
    for (OfferedTool& tool : result_.asked.tools) {
      if (!tool.name) continue;
      if (tool.schema != nullptr) tool.schema = keep(names_.schema(*tool.name, *tool.schema));
      tool.name = upstream_name(*tool.name);
    }
    for (AskedTurn& turn : result_.asked.turns) {
      for (AskedBlock& block : turn.blocks) {
        if (block.kind != AskedKind::call || !block.name || block.takes_text) continue;
        if (block.arguments)
          block.arguments = names_.arguments(Towards::upstream, *block.name, *block.arguments);
        block.name = upstream_name(*block.name);
      }
    }
    if (!result_.asked.choice) return;
    AskedChoice& choice = *result_.asked.choice;
    if (choice.name) choice.name = upstream_name(*choice.name);
    if (choice.allowed)
      for (std::string& name : *choice.allowed) name = upstream_name(name);
  }

  void retain() {
    for (AskedTurn& turn : result_.asked.turns) {
      if (turn.role != "assistant") continue;
      std::vector<AskedBlock> blocks;
      for (AskedBlock& block : turn.blocks) {
        if (block.kind != AskedKind::text || !block.text || !markup_in(*block.text).any()) {
          blocks.push_back(std::move(block));
          continue;
        }
        for (std::string& piece : retained(*block.text)) {
          blocks.push_back(block);
          blocks.back().text = std::move(piece);
        }
      }
      turn.blocks = std::move(blocks);
    }
  }

  /// What stands in words goes back to what it stands for, in both, as a model reads both alike.
  void read_words() {
    std::vector<AskedTurn>& wanted = result_.asked.turns;
    wanted = turns_out_of_words(wanted, {});
    std::vector<std::string> ids;
    for (AskedTurn& turn : wanted) {
      for (AskedBlock& block : turn.blocks) {
        if (block.kind != AskedKind::call && block.kind != AskedKind::result) continue;
        block.id = narrowed_id(block.id.value_or(""));
        if (block.kind == AskedKind::call) ids.push_back(*block.id);
      }
    }
    std::vector<AskedTurn> turns = sent_.turns;
    for (const Banner& banner : banners_) turns[banner.turn].blocks[banner.block].text = banner.rest;
    result_.got.turns = turns_out_of_words(turns, ids);
    give_way_in_ids(ids);
  }

  static std::vector<AskedBlock*> results_of(std::vector<AskedTurn>& turns) {
    std::vector<AskedBlock*> results;
    for (AskedTurn& turn : turns) {
      for (AskedBlock& block : turn.blocks)
        if (block.kind == AskedKind::result) results.push_back(&block);
    }
    return results;
  }

  /// Results may have ids of the proxy's own, such as those that the upstream gave: no two calls share one.
  void give_way_in_ids(const std::vector<std::string>& ids) {
    const std::vector<AskedBlock*> wanted = results_of(result_.asked.turns);
    const std::vector<AskedBlock*> sent = results_of(result_.got.turns);
    if (wanted.size() != sent.size()) return;
    std::map<std::string, std::string> by_own;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const std::string own = sent[i]->id.value_or("");
      if (std::count(ids.begin(), ids.end(), own) > 0) return;
      const auto [known, is_new] = by_own.emplace(own, *wanted[i]->id);
      if (known->second != *wanted[i]->id || (is_new && !taken.insert(*wanted[i]->id).second)) return;
    }
    for (AskedBlock* result : sent) {
      own_ids_.push_back(result->id.value_or(""));
      result->id = by_own.at(result->id.value_or(""));
    }
  }

  /// Finds the blocks of the proxy's own, and takes them out.
  void read_system() {
    if (!rules_.tools_in_words && !rules_.lifts_environment) return;
    Said& got = result_.got_said;
    std::string added;
    const bool held = holds(got.system, result_.said.system, added);
    if (!held) added = joined(got.system);
    blocks_ = system_blocks_in(added);
    if (!rules_.lifts_environment && blocks_.facts)
      blocks_.rest += std::string(kFactsHeading) + *blocks_.facts;
    if (!rules_.tools_in_words && blocks_.tools) blocks_.rest += std::string(kToolsHeading) + *blocks_.tools;
    got.system = held ? result_.said.system : Pieces();
    if (!is_blank(blocks_.rest)) got.system.push_back(blocks_.rest);
    if (rules_.lifts_environment) compare_environment();
    if (rules_.tools_in_words) read_tools();
  }

  /// A fact that only some know how to find may be said again or not.
  void compare_environment() {
    EnvironmentFacts found = blocks_.facts ? facts_in_block(*blocks_.facts) : EnvironmentFacts();
    const bool has_block = blocks_.facts.has_value();
    EnvironmentFacts wanted = facts_said_in(client_, FactForms::agreed);
    EnvironmentFacts possible = facts_said_in(client_, FactForms::any);
    const bool offers = offers_tools(client_);
    if (!offers || !wanted.contains("cwd")) wanted.clear();
    if (!offers || !possible.contains("cwd")) possible.clear();
    const bool may_be = !possible.empty() && has_block;
    for (const auto& [fact, value] : possible) {
      const auto told = found.find(fact);
      if (may_be && told != found.end() && told->second == value) wanted[fact] = value;
    }
    // What else stands in the block is only known to be said where nothing should be.
    if (has_block && found.empty()) found["block"] = "without a fact";
    put("environment", json(wanted), json(found));
    if (blocks_.facts && blocks_.tools)
      put("environment_first", json::array({true}), json::array({blocks_.facts_first}));
  }

  std::vector<std::string> offered() const {
    std::vector<std::string> names;
    for (const SaidTool& tool : result_.said.tools) names.push_back(tool.name);
    return names;
  }

  /// Tools that are described are those that are offered; of those that are offered as such, too, it is noted.
  void read_tools() {
    Said& got = result_.got_said;
    std::vector<std::string> native;
    for (const SaidTool& tool : got.tools) native.push_back(tool.name);
    json twice = json::array();
    if (!blocks_.tools) return put("twice", json::array(), std::move(twice));
    std::vector<std::string> descriptions;
    for (const SaidTool& tool : result_.said.tools) descriptions.push_back(text_of(tool.description));
    const bool large = shapes_in_words(client_).contains("many-tools");
    got.tools.clear();
    for (const ToolInWords& told : tools_in_words(*blocks_.tools, offered(), descriptions)) {
      SaidTool tool{told.name, false, {}, ""};
      std::string_view text = told.text;
      for (const SaidTool& wanted : result_.said.tools) {
        if (wanted.name != told.name) continue;
        tool.takes_text = wanted.takes_text;
        const std::string description = text_of(wanted.description);
        const std::size_t at = text.find(trimmed(description));
        tool.description = at != text.npos ? wanted.description : json(std::string(trimmed(text)));
        if (at != text.npos) text.remove_prefix(at + trimmed(description).size());
        tool.schema = first_object_in(text);
        if (tool.schema.is_null() && large) tool.schema = wanted.schema;  // names alone are kept
        if (tool.schema.is_null() && large) tool.description = wanted.description;
      }
      if (std::count(native.begin(), native.end(), tool.name) > 0) twice.push_back(tool.name);
      got.tools.push_back(std::move(tool));
    }
    put("twice", json::array(), std::move(twice));
  }

  SaidTurn* last_turn_of_user() {
    std::vector<SaidTurn>& turns = result_.got_said.turns;
    const auto found =
        std::find_if(turns.rbegin(), turns.rend(), [](const SaidTurn& turn) { return !turn.by_assistant; });
    return found == turns.rend() ? nullptr : &*found;
  }

  /// Takes a text out of the last turn of the user that demands a call, and that the client did not say.
  std::optional<std::string> take_directive() {
    SaidTurn* turn = last_turn_of_user();
    if (turn == nullptr || turn->texts.empty()) return std::nullopt;
    Pieces own;
    for (const SaidTurn& one : result_.said.turns)
      if (!one.by_assistant) own = one.texts;
    std::string& last = turn->texts.back();
    const std::size_t demand = lower_case(last).rfind(kDemand);
    if (demand == last.npos) return std::nullopt;
    const std::size_t begin = last.rfind('\n', demand) + 1;  // 0 where it is the first line
    std::string directive = last.substr(begin);
    if (!own.empty() && trimmed(own.back()).ends_with(trimmed(directive))) return std::nullopt;
    last.erase(begin);
    if (is_blank(last)) turn->texts.pop_back();
    if (turn->texts.empty() && turn->images.empty() && turn->others == 0 && own.empty() &&
        result_.said.turns.size() < result_.got_said.turns.size())
      result_.got_said.turns.pop_back();
    return directive;
  }

  /// Which tool a directive names: the longest name in it that stands behind the word.
  std::optional<std::string> named_in(std::string_view directive) const {
    const std::size_t at = directive.find("tool ");
    if (at == directive.npos) return std::nullopt;
    std::string_view name = directive.substr(at + std::string_view("tool ").size());
    name.remove_prefix(std::min(name.find_first_not_of("\"'`"), name.size()));
    name = name.substr(0, name.find_first_of(" \n\"'`"));
    while (name.ends_with('.')) name.remove_suffix(1);
    return std::string(name);
  }

  void read_choice() {
    Said& got = result_.got_said;
    const bool offers = !result_.said.tools.empty();
    std::optional<std::string> directive = offers ? take_directive() : std::nullopt;
    const std::string native = got.choice;
    if (!directive && rules_.tools_in_words && !rules_.emulates_choice) {
      for (const Banner& banner : banners_)
        if (lower_case(banner.text).find(kDemand) != banner.text.npos) directive = banner.text;
      const bool demands = result_.said.choice == "any" || result_.said.choice == "one";
      if (!demands) directive.reset();
    }
    got.choice = "auto";
    got.chosen.reset();
    if (directive) {
      got.chosen = named_in(*directive);
      got.choice = got.chosen ? "one" : "any";
    }
    if (sent_.choice && native != "auto") got.choice = "the upstream's own " + native;
  }

  /// A tool that is demanded, and that the upstream was not told of.
  json dangling() const {
    const Said& got = result_.got_said;
    const auto is_chosen = [&got](const auto& tool) { return tool.name == *got.chosen; };
    const bool known = !got.chosen || std::any_of(got.tools.begin(), got.tools.end(), is_chosen) ||
                       std::any_of(sent_.tools.begin(), sent_.tools.end(), is_chosen);
    return known ? json::array() : json::array({*got.chosen});
  }

  void compare_names() {
    json names[2] = {json::array(), json::array()};
    const std::vector<std::string> own = declared(client_);
    for (const std::string& name : own) {
      if (!names_.knows(Towards::upstream, name)) continue;
      const std::string wanted = upstream_name(name);
      const std::vector<SaidTool>& sent = result_.got_said.tools;
      const bool came =
          std::any_of(sent.begin(), sent.end(), [&](const auto& tool) { return tool.name == wanted; });
      if (result_.got_said.tools.empty() && result_.said.choice == "none") continue;
      names[0].push_back(wanted);
      names[1].push_back(came ? json(wanted) : json());
    }
    put_any("renamed", names[0], names[1]);
    const std::vector<SaidCall>& wanted = result_.said.calls;
    const std::vector<SaidCall>& sent = result_.got_said.calls;
    json calls[2] = {json::array(), json::array()};
    std::vector<bool> mapped;
    for (const AskedTurn& turn : client_.turns) {
      for (const AskedBlock& block : turn.blocks)
        if (block.kind == AskedKind::call)
          mapped.push_back(names_.knows(Towards::upstream, block.name.value_or("")));
    }
    for (std::size_t i = 0; i < wanted.size() && wanted.size() == sent.size(); ++i) {
      if (i >= mapped.size() || !mapped[i]) continue;
      calls[0].push_back({{"name", wanted[i].name}, {"input", wanted[i].input}});
      // Arguments that are no JSON may become any object.
      const bool may_be_any = wanted[i].input.is_string() && sent[i].input.is_object();
      calls[1].push_back({{"name", sent[i].name}, {"input", may_be_any ? wanted[i].input : sent[i].input}});
    }
    put_any("renamed_calls", calls[0], calls[1]);
  }

  std::string proxy_words() const {
    std::string words = blocks_.tools.value_or("");
    for (const Banner& banner : banners_) words += "\n" + banner.text;
    return words;
  }

  /// Which of `names` a text says, as whole words.
  static json said_of(const std::vector<std::string>& names, const std::string& text) {
    json said = json::array();
    const auto goes_on = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (const std::string& name : names) {
      for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && goes_on(text[at - 1])) || (end < text.size() && goes_on(text[end]))) continue;
        said.push_back(name);
        break;
      }
    }
    return said;
  }

  void compare_preamble() {
    const bool offers = offers_tools(client_);
    std::vector<std::string> names = offers ? offered() : std::vector<std::string>();
    const auto last = last_of_user(sent_);
    const bool wants_banner =
        offers && last && !begins_with_result(sent_.turns[*last]) && !is_banner_on_result(*last);
    json places = json::array();
    for (const Banner& banner : banners_) {
      if (banner.behind_result) continue;  // told by itself
      places.push_back(last && banner.turn == *last ? json("the last message") : json(banner.at));
      if (offers) put("banner_names", json(names), said_of(names, banner.text));
      put("banner_first", json::array({true}), json::array({banner.first}));
    }
    if (offers)
      put("banner", wants_banner ? json::array({"the last message"}) : json::array(), std::move(places));
    const std::string words = proxy_words();
    if (offers) {
      put("named", json(names), said_of(names, words));
      put("protocol", json::array({true}), json::array({words.find(kCallOpens) != words.npos}));
    } else {
      json there = json::array();
      if (blocks_.tools) there.push_back("a block of tools");
      if (!banners_.empty()) there.push_back("a banner");
      put("words", json::array(), std::move(there));
    }
    compare_images();
    compare_results();
  }

  bool is_banner_on_result(std::size_t turn) const {
    return std::any_of(banners_.begin(), banners_.end(),
                       [turn](const Banner& banner) { return banner.turn == turn && banner.behind_result; });
  }

  /// Images whose bytes stand in a text.
  void compare_images() {
    constexpr std::string_view kData = "base64,";
    const std::string text = all_text(sent_, "user");
    json copied = json::array();
    for (const SaidTurn& turn : result_.said.turns) {
      for (const std::string& source : turn.images) {
        const std::size_t data = source.find(kData);
        if (data != source.npos && text.find(source.substr(data + kData.size())) != text.npos)
          copied.push_back(source);
      }
    }
    put("copied", json::array(), std::move(copied));
  }

  /// What a result says must neither be taken for its end nor for a call.
  void compare_results() {
    json forged = json::array();
    json broad = json::array();
    for (const std::string& id : own_ids_)
      if (narrowed_id(id) != id) broad.push_back(id);
    for (const AskedTurn& turn : result_.got.turns) {
      for (const AskedBlock& block : turn.blocks) {
        const std::string text = block.text.value_or("");
        const bool breaks_out = text.find(kCallOpens) != text.npos || text.find(kResultCloses) != text.npos;
        const bool is_narrow = narrowed_id(block.id.value_or("")) == block.id;
        if (block.kind == AskedKind::result && !is_narrow) broad.push_back(block.id.value_or(""));
        const bool own =
            block.kind == AskedKind::text && all_text(client_, "user").find(trimmed(text)) != text.npos;
        if (turn.role != "assistant" && !speaks_for_system(turn) && breaks_out && !own)
          forged.push_back(text);
      }
    }
    put("forged", json::array(), std::move(forged));
    put("result_ids", json::array(), std::move(broad));
    // Made harmless, it is as good.
    std::vector<SaidResult>& sent = result_.got_said.results;
    for (std::size_t i = 0; i < sent.size() && sent.size() == result_.said.results.size(); ++i) {
      const std::string& wanted = result_.said.results[i].text;
      const bool forges = holds_any(wanted, std::array{kCallOpens, kCallCloses, kResultOpens, kResultCloses});
      if (forges ? same_but_harmless(wanted, sent[i].text) : trimmed(wanted) == trimmed(sent[i].text))
        sent[i].text = wanted;
    }
  }

  static json exchanges(const AskedRequest& request) {
    json all = json::array();
    for (const AskedTurn& turn : request.turns) {
      for (const AskedBlock& block : turn.blocks) {
        if (block.kind == AskedKind::call) all.push_back("call");
        if (block.kind == AskedKind::result) all.push_back("result");
      }
    }
    return all;
  }

  /// Texts of one side that hold such words where the client's own, as they have to arrive, hold none.
  template <class Words>
  json with_words(const char* role, const Words& words) const {
    json found = json::array();
    const std::string own = all_text(result_.asked, role);
    for_each_text(result_.got, role, [&](const std::string& text) {
      for (const std::string_view word : words)
        if (text.find(word) != text.npos && own.find(word) == own.npos) return found.push_back(text);
    });
    return found;
  }

  void compare_history() {
    const Said& said = result_.said;
    const Said& got = result_.got_said;
    const bool may_flatten = rules_.emulates_choice && said.choice == "none";
    if (!may_flatten) put_any("exchanges", exchanges(result_.asked), exchanges(result_.got));
    json markup = json::array();
    for_each_text(result_.got, "assistant", [&markup](const std::string& text) {
      if (markup_in(text).any()) markup.push_back(text);
    });
    put("markup", json::array(), std::move(markup));
    json nudges = json::array();
    const std::string own = all_text(client_, "user");
    for_each_text(result_.got, "user", [&](const std::string& text) {
      for (const std::string_view nudge : kNudges)
        if (trimmed(text).starts_with(nudge) && own.find(nudge) == own.npos) return nudges.push_back(text);
    });
    put("nudges", json::array(), std::move(nudges));
    put("narrated", json::array(), with_words("assistant", kNarrations));
    put("foreign", json::array(), with_words("assistant", kForeignCalls));
    const auto distinct = [](const Said& side) {
      json texts = json::array();
      for (const SaidResult& result : side.results)
        if (std::count(texts.begin(), texts.end(), result.text) == 0) texts.push_back(result.text);
      return texts;
    };
    json kept = json::array();
    for (const json& text : distinct(said)) {
      const bool came = std::any_of(got.results.begin(), got.results.end(), [&](const SaidResult& result) {
        return result.text.find(text.get_ref<const std::string&>()) != std::string::npos;
      });
      kept.push_back(came ? text : json());
    }
    if (!may_flatten) put_any("distinct", distinct(said), std::move(kept));
  }

  /// Paragraphs that do not say who the client is.
  void compare_paragraphs() {
    const std::string sent = joined(result_.got_said.system);
    json lost = json::array();
    for (const std::string& text : said_in(client_).system) {
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find("\n\n", begin), text.size());
        const std::string_view paragraph = trimmed(std::string_view(text).substr(begin, end - begin));
        if (!holds_any(paragraph, kOwnNames) && sent.find(paragraph) == sent.npos)
          lost.push_back(std::string(paragraph));
        begin = end + 2;
      }
    }
    put("paragraphs", json::array(), std::move(lost));
  }

  /// Where no tool may be called, calls and results are told in whatever words.
  void flatten() {
    const bool has_history = !result_.said.calls.empty() || !result_.said.results.empty();
    if (!rules_.emulates_choice || result_.said.choice != "none" || !has_history) return;
    if (result_.said.tools.empty() && !result_.got_said.calls.empty()) return;
    json exposed = json::array();
    for (const AskedTurn& turn : sent_.turns)
      for (const AskedBlock& block : turn.blocks)
        if (block.kind == AskedKind::call || block.kind == AskedKind::result) exposed.push_back(block.at);
    put("exposed", json::array(), std::move(exposed));
    json kept[2] = {json::array(), json::array()};
    const std::string text = all_text(sent_, "user") + all_text(sent_, "assistant") + all_text(sent_, "tool");
    for (const SaidResult& result : result_.said.results) {
      const std::string said(trimmed(result.text));
      if (said.empty()) continue;
      kept[0].push_back(said);
      kept[1].push_back(text.find(said) != text.npos || !result_.got_said.results.empty() ? json(said)
                                                                                          : json());
    }
    put_any("kept", kept[0], kept[1]);
    result_.flattened = true;
  }

  const AskedRequest& client_;
  const AskedRequest& sent_;
  const AskedRules& rules_;
  Renaming names_;
  std::vector<Banner> banners_;
  std::vector<std::string> own_ids_;  // of results, where they are the proxy's
  SystemBlocks blocks_;
  InWords result_;
};

void add_environment_shape(const AskedRequest& asked, std::set<std::string>& shapes) {
  const EnvironmentFacts facts = facts_said_in(asked, FactForms::any);
  const UnfitFacts unfit = unfit_facts_in(asked);
  if (unfit.marked) {
    shapes.insert("environment-marked");
  } else if (unfit.several) {
    shapes.insert("environment-several");
  } else if (facts.contains("cwd")) {
    shapes.insert(facts_said_in(asked, FactForms::agreed).contains("cwd") ? "environment-said"
                                                                          : "environment-perhaps");
  } else if (!facts.empty()) {
    shapes.insert("environment-without-cwd");
  } else {
    shapes.insert(unfit.in_prose ? "environment-in-prose" : "environment-unsaid");
  }
}

void add_history_shapes(const AskedRequest& asked, std::set<std::string>& shapes) {
  std::vector<std::string> failed;
  for (const AskedTurn& turn : asked.turns) {
    HeldMarkup held;
    bool calls = false;
    bool prose = false;
    for (const AskedBlock& block : turn.blocks) {
      calls = calls || block.kind == AskedKind::call;
      if (block.kind == AskedKind::call) shapes.insert("history-calls");
      if (block.kind == AskedKind::result && block.failed) failed.push_back(block.text.value_or(""));
      if (block.kind != AskedKind::text || !block.text || turn.role != "assistant") continue;
      const HeldMarkup of_text = markup_in(*block.text);
      held.closed = held.closed || of_text.closed;
      held.unclosed = held.unclosed || of_text.unclosed;
      prose = prose || of_text.prose;
    }
    if (held.closed) shapes.insert("history-markup");
    if (held.unclosed) shapes.insert("history-cut-markup");
    if (held.any() && !prose && !calls) shapes.insert("history-only-markup");
    if (prose && (held.any() || calls)) shapes.insert("history-mixed");
  }
  std::sort(failed.begin(), failed.end());
  if (std::adjacent_find(failed.begin(), failed.end()) != failed.end()) shapes.insert("results-alike");
}

}  // namespace

InWords in_words(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules) {
  return WordReader(asked, got, rules).result();
}

std::set<std::string> shapes_of_refused(const AskedRequest& asked) {
  std::size_t size = 0;
  for (const OfferedTool& tool : asked.tools)
    if (tool.schema != nullptr) size += written(*tool.schema).size();
  if (asked.tools.size() <= kManyTools && size <= kLargeSchemas) return {};
  return {"many-tools"};
}

std::set<std::string> shapes_in_words(const AskedRequest& asked) {
  std::set<std::string> shapes = shapes_of_refused(asked);
  add_history_shapes(asked, shapes);
  if (!offers_tools(asked)) {
    shapes.insert("no-tools");
    return shapes;
  }
  add_environment_shape(asked, shapes);
  const bool one = asked.choice && asked.choice->mode == "one" && asked.choice->name;
  const auto is_hosted = [&](const OfferedTool& tool) {
    return tool.kind == AskedTool::hosted && tool.name == asked.choice->name;
  };
  if (one && std::any_of(asked.tools.begin(), asked.tools.end(), is_hosted)) shapes.insert("choice-hosted");
  return shapes;
}

}  // namespace splitproof::observe
