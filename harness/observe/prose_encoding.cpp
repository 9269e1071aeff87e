#include "harness/observe/prose_encoding.hpp"

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
#include "harness/observe/shapes_in_words.hpp"
#include "harness/observe/trimmed.hpp"
#include "harness/observe/word_reader.hpp"

namespace splitproof::observe {

using nlohmann::json;

WordReader::WordReader(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules)
    : client_(asked), sent_(got), rules_(rules), names_(renaming_for(asked, rules.names)) {
  result_.asked = asked;
  result_.got = got;
}

ProseEncoding WordReader::result() && {
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

void WordReader::put(const char* name, json wanted, json found) {
  for (json* side : {&wanted, &found})
    if (side->empty()) *side = "nothing";
  result_.members.emplace_back(name, std::pair(std::move(wanted), std::move(found)));
}

void WordReader::put_any(const char* name, json wanted, json found) {
  if (!wanted.empty() || !found.empty()) put(name, std::move(wanted), std::move(found));
}

const json* WordReader::keep(json value) {
  result_.made.push_back(std::move(value));
  return &result_.made.back();
}

std::string WordReader::upstream_name(const std::string& name) const {
  return names_.name(Towards::upstream, name);
}

void WordReader::rename() {
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

/// True for a single full stop, which proxies put in place of removed content.
bool is_hollow(const std::vector<AskedBlock>& blocks) {
  return blocks.size() == 1 && blocks[0].kind == AskedKind::text && blocks[0].text == ".";
}

void WordReader::retain() {
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
    if (is_hollow(blocks)) blocks.clear();
    turn.blocks = std::move(blocks);
  }
}

void WordReader::read_words() {
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
  tolerate_ids(ids);
}

std::vector<AskedBlock*> WordReader::results_of(std::vector<AskedTurn>& turns) {
  std::vector<AskedBlock*> results;
  for (AskedTurn& turn : turns) {
    for (AskedBlock& block : turn.blocks)
      if (block.kind == AskedKind::result) results.push_back(&block);
  }
  return results;
}

void WordReader::tolerate_ids(const std::vector<std::string>& ids) {
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

void WordReader::read_system() {
  if (!rules_.tools_in_words && !rules_.lifts_environment) return;
  Said& got = result_.got_said;
  std::string added;
  const bool held = holds(got.system, result_.said.system, added);
  if (!held) added = joined(got.system);
  blocks_ = system_blocks_in(added);
  if (!rules_.lifts_environment && blocks_.facts) blocks_.rest += std::string(kFactsHeading) + *blocks_.facts;
  if (!rules_.tools_in_words && blocks_.tools) blocks_.rest += std::string(kToolsHeading) + *blocks_.tools;
  got.system = held ? result_.said.system : TextPieces();
  if (!is_blank(blocks_.rest)) got.system.push_back(blocks_.rest);
  if (rules_.lifts_environment) compare_environment();
  if (rules_.tools_in_words) read_tools();
}

void WordReader::compare_environment() {
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
  // A block without facts is a difference too.
  if (has_block && found.empty()) found["block"] = "without a fact";
  put("environment", json(wanted), json(found));
  if (blocks_.facts && blocks_.tools)
    put("environment_first", json::array({true}), json::array({blocks_.facts_first}));
}

std::vector<std::string> WordReader::offered() const {
  std::vector<std::string> names;
  for (const SaidTool& tool : result_.said.tools) names.push_back(tool.name);
  return names;
}

void WordReader::read_tools() {
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
      if (tool.schema.is_null() && large) tool.schema = wanted.schema;  // only names are kept
      if (tool.schema.is_null() && large) tool.description = wanted.description;
    }
    if (std::count(native.begin(), native.end(), tool.name) > 0) twice.push_back(tool.name);
    got.tools.push_back(std::move(tool));
  }
  put("twice", json::array(), std::move(twice));
}

SaidTurn* WordReader::last_turn_of_user() {
  std::vector<SaidTurn>& turns = result_.got_said.turns;
  const auto found =
      std::find_if(turns.rbegin(), turns.rend(), [](const SaidTurn& turn) { return !turn.by_assistant; });
  return found == turns.rend() ? nullptr : &*found;
}

std::optional<std::string> WordReader::take_directive() {
  SaidTurn* turn = last_turn_of_user();
  if (turn == nullptr || turn->texts.empty()) return std::nullopt;
  TextPieces own;
  for (const SaidTurn& one : result_.said.turns)
    if (!one.by_assistant) own = one.texts;
  std::string& last = turn->texts.back();
  const std::size_t demand = lower_case(last).rfind(kDemand);
  if (demand == last.npos) return std::nullopt;
  const std::size_t begin = last.rfind('\n', demand) + 1;  // 0 if it is the first line
  std::string directive = last.substr(begin);
  if (!own.empty() && trimmed(own.back()).ends_with(trimmed(directive))) return std::nullopt;
  last.erase(begin);
  if (is_blank(last)) turn->texts.pop_back();
  if (turn->texts.empty() && turn->images.empty() && turn->others.empty() && own.empty() &&
      result_.said.turns.size() < result_.got_said.turns.size())
    result_.got_said.turns.pop_back();
  return directive;
}

std::optional<std::string> WordReader::named_in(std::string_view directive) const {
  const std::size_t at = directive.find("tool ");
  if (at == directive.npos) return std::nullopt;
  std::string_view name = directive.substr(at + std::string_view("tool ").size());
  name.remove_prefix(std::min(name.find_first_not_of("\"'`"), name.size()));
  name = name.substr(0, name.find_first_of(" \n\"'`"));
  while (name.ends_with('.')) name.remove_suffix(1);
  return std::string(name);
}

void WordReader::read_choice() {
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

ProseEncoding in_words(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules) {
  return WordReader(asked, got, rules).result();
}

}  // namespace splitproof::observe
