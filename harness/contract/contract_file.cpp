#include "harness/contract/contract_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "harness/contract/contracts.hpp"
#include "harness/utf8.hpp"

namespace splitproof::contract {
namespace {

/// The keys of one form of rule; the first identifies the form.
struct Form {
  std::string_view key;
  std::array<std::string_view, 9> with;
};

constexpr std::array<Form, 5> kForms = {{
    {"never", {"among"}},
    {"finally", {"among"}},
    {"each",
     {"where", "numbered", "counted", "increasing", "nondecreasing", "constant", "unique", "equal", "sum"}},
    {"joined", {"json", "forbidden"}},
    {"equal", {"at"}},
}};

constexpr std::array<std::string_view, 17> kRuleKeys = {
    "at",       "never",   "finally",    "among",         "each",     "where",
    "numbered", "counted", "increasing", "nondecreasing", "constant", "unique",
    "equal",    "joined",  "json",       "forbidden",     "sum"};

constexpr std::array<std::pair<std::string_view, OrderRule::Kind>, 6> kOrders = {{
    {"numbered", OrderRule::Kind::numbered},
    {"counted", OrderRule::Kind::counted},
    {"increasing", OrderRule::Kind::increasing},
    {"nondecreasing", OrderRule::Kind::nondecreasing},
    {"constant", OrderRule::Kind::constant},
    {"unique", OrderRule::Kind::unique},
}};

/// Keys about the whole contract, which only one of its files may have.
constexpr std::array<std::string_view, 4> kWholeKeys = {"data", "ends", "begins", "recognised"};

constexpr std::string_view kReserved = "META-";

std::vector<std::string_view> rule_keys_in(const YamlMap& map) {
  std::vector<std::string_view> found;
  for (const std::string_view key : kRuleKeys) {
    if (map.find(key) != nullptr) found.push_back(key);
  }
  return found;
}

/// Returns the form whose key is present, without keys of other forms.
const Form& form_of(const YamlMap& map, std::size_t line) {
  const auto present = [&map](const Form& form) { return map.find(form.key) != nullptr; };
  const auto form = std::find_if(kForms.begin(), kForms.end(), present);
  if (form == kForms.end()) {
    refuse(line, "the rule has no form", "add one of never, finally, each, equal and joined, or clauses");
  }
  for (const std::string_view key : rule_keys_in(map)) {
    if (key == form->key || std::find(form->with.begin(), form->with.end(), key) != form->with.end())
      continue;
    refuse(line, fmt::format("'{}' cannot be combined with '{}'", key, form->key),
           "a rule has one form; write each form as a clause under 'clauses:'");
  }
  return *form;
}

ClauseRule parse_each(const YamlMap& map, std::size_t line, Alphabet& alphabet) {
  const std::size_t id = alphabet.need(map.need("each"));
  std::vector<std::string_view> asked = rule_keys_in(map);
  asked.erase(std::remove(asked.begin(), asked.end(), "each"), asked.end());
  if (asked.size() != 1) {
    refuse(line, fmt::format("'each' needs exactly one test, and the rule has {}", asked.size()),
           "add one of where, numbered, counted, increasing, nondecreasing, constant, unique, equal and sum");
  }
  const YamlNode& what = map.need(asked.front());
  if (asked.front() == "where") return WhereRule::parse(id, what, alphabet);
  if (asked.front() == "sum") return SumRule::parse(id, what, alphabet);
  if (asked.front() == "equal") return EqualRule::parse(id, what, nullptr, alphabet);
  const auto order = std::find_if(kOrders.begin(), kOrders.end(),
                                  [&asked](const auto& entry) { return entry.first == asked.front(); });
  return OrderRule::parse(order->second, id, what, alphabet);
}

ClauseRule parse_rule(const YamlMap& map, std::size_t line, Alphabet& alphabet) {
  const Form& form = form_of(map, line);
  if (form.key == "each") return parse_each(map, line, alphabet);
  const YamlNode& body = map.need(form.key);
  if (form.key == "joined") return JoinedRule::parse(body, map.find("json"), map.find("forbidden"), alphabet);
  if (form.key == "equal") return EqualRule::parse(std::nullopt, body, map.find("at"), alphabet);
  return SequenceRule::parse(form.key == "never" ? SequenceRule::Kind::never : SequenceRule::Kind::finally,
                             body, map.find("among"), alphabet);
}

Conditions parse_conditions(const YamlMap& map, const Alphabet& alphabet) {
  return Conditions::parse(map.find("given"), map.find("profile"), map.find("when"), map.find("unless"),
                           alphabet);
}

std::size_t slicing_id(const YamlNode* per, ContractFile& file) {
  const Slicing slicing = per == nullptr ? Slicing{} : Slicing::parse(*per, file.alphabet);
  const auto known = std::find(file.slicings.begin(), file.slicings.end(), slicing);
  if (known != file.slicings.end()) return static_cast<std::size_t>(known - file.slicings.begin());
  file.slicings.push_back(slicing);
  return file.slicings.size() - 1;
}

Falsifier parse_falsifier(const YamlNode& node, const ContractFile& file) {
  const YamlMap map(node, "a falsifier", {"file", "evidence", "trips", "control", "recording", "knobs"});
  Falsifier falsifier;
  const YamlNode* evidence = map.find("evidence");
  falsifier.evidence = evidence != nullptr;
  if (evidence != nullptr && map.find("file") != nullptr)
    refuse(node.line, "the falsifier has both a file and evidence", "keep the kind that the rule reads");
  falsifier.file =
      evidence != nullptr ? scalar_text(*evidence, "evidence") : scalar_text(map.need("file"), "file");
  if (falsifier.evidence != is_of_evidence(file.contract)) {
    refuse(node.line, "the falsifier has the wrong kind",
           "a rule of transport, library or sdk needs evidence; other rules need a file with a stream");
  }
  falsifier.trips = scalar_texts(map.need("trips"), "trips");
  falsifier.line = node.line;
  if (const YamlNode* control = map.find("control")) falsifier.control = scalar_text(*control, "control");
  if (const YamlNode* recording = map.find("recording"))
    falsifier.recording = scalar_text(*recording, "recording");
  if (const YamlNode* knobs = map.find("knobs")) {
    if (!knobs->is_map() || knobs->items.empty())
      refuse(knobs->line, "'knobs' must be a map", "write {KNOB: VALUE}");
    for (std::size_t i = 0; i < knobs->items.size(); ++i)
      falsifier.knobs[knobs->keys[i].name] = scalar_text(knobs->items[i], "a knob's value");
  }
  return falsifier;
}

Harm parse_harm(const YamlNode& node) {
  const YamlMap map(node, "an entry of 'harm'", {"document", "says", "client", "does", "stream"});
  Harm harm;
  harm.line = node.line;
  if (const YamlNode* document = map.find("document")) {
    if (map.find("client") != nullptr || map.find("does") != nullptr || map.find("stream") != nullptr)
      refuse(node.line, "the entry has both a document and a client", "write an entry for each");
    harm.document = scalar_text(*document, "document");
    harm.says = scalar_text(map.need("says"), "says");
    return harm;
  }
  harm.client = scalar_text(map.need("client"), "client");
  harm.says = scalar_text(map.need("does"), "does");
  if (map.find("says") != nullptr)
    refuse(node.line, "'says' is for documents; write the reaction of a client under 'does'");
  if (const YamlNode* stream = map.find("stream")) harm.stream = scalar_text(*stream, "stream");
  return harm;
}

// The message of a finding. Contracts of earlier versions call it `tells`.
const YamlNode* find_message(const YamlMap& map) {
  const YamlNode* message = map.find("message");
  const YamlNode* old = map.find("tells");
  if (message != nullptr && old != nullptr)
    refuse(old->line, "'tells' is the old name of 'message', and the rule has both", "remove 'tells'");
  return message != nullptr ? message : old;
}

// Parses `message` of a clause.
Wording parse_wording(const YamlMap& map, const Clause& clause) {
  Wording::Offers offers;
  offers.key = clause.slicing != 0;
  if (const auto* sequence = std::get_if<SequenceRule>(&clause.rule)) {
    offers.first = true;
    offers.end = sequence->kind() == SequenceRule::Kind::finally;
  } else if (const auto* order = std::get_if<OrderRule>(&clause.rule)) {
    offers.first = order->kind() != OrderRule::Kind::numbered && order->kind() != OrderRule::Kind::counted;
    offers.values = true;
    offers.field = true;
  } else {
    const auto* equal = std::get_if<EqualRule>(&clause.rule);
    offers.field =
        std::holds_alternative<WhereRule>(clause.rule) || std::holds_alternative<SumRule>(clause.rule);
    offers.first = !offers.field;
    offers.values = true;
    offers.end = equal != nullptr && equal->is_of_documents();
    offers.words = offers.end;
  }
  return Wording::parse(find_message(map), offers);
}

Level parse_level(const YamlNode& node) {
  const std::string& text = scalar_text(node, "level");
  for (const Level level : {Level::must, Level::should, Level::info}) {
    if (text == name(level)) return level;
  }
  refuse(node.line, fmt::format("there is no level '{}'", text), "use must, should or info");
}

std::string parse_id(const YamlNode& node) {
  const std::string& id = scalar_text(node, "id");
  const auto allowed = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (!std::all_of(id.begin(), id.end(), allowed)) {
    refuse(node.line, fmt::format("'{}' cannot be an id", id), "use letters, digits, '-' and '_'");
  }
  if (id.rfind(kReserved, 0) == 0) {
    refuse(node.line, fmt::format("'{}' cannot be an id, because built-in rules use {}*", id, kReserved),
           "choose another id");
  }
  return id;
}

// A headline for lists and reports, so it has to fit on a line.
std::string parse_title(const YamlNode& node) {
  constexpr std::size_t kLongest = 60;
  std::string title = scalar_text(node, "title");
  const std::size_t length = count_characters(title);
  if (length > kLongest) {
    refuse(node.line, fmt::format("'title' has {} characters", length),
           fmt::format("name the bug in at most {}, and write the rule itself under 'says'", kLongest));
  }
  return title;
}

CompiledObligation parse_obligation(const YamlNode& node, ContractFile& file) {
  const YamlMap map(node, "a rule",
                    {"id",       "level",  "says",    "why",      "seen",    "falsifiers", "clauses",
                     "per",      "given",  "profile", "when",     "unless",  "never",      "finally",
                     "among",    "each",   "where",   "numbered", "counted", "increasing", "nondecreasing",
                     "constant", "unique", "equal",   "joined",   "json",    "forbidden",  "harm",
                     "message",  "tells",  "at",      "follows",  "sum",     "title"});
  CompiledObligation obligation;
  Obligation& about = obligation.about;
  about.id = parse_id(map.need("id"));
  about.level = parse_level(map.need("level"));
  about.says = scalar_text(map.need("says"), "says");
  if (const YamlNode* title = map.find("title")) about.title = parse_title(*title);
  if (const YamlNode* why = map.find("why")) about.why = scalar_text(*why, "why");
  const YamlNode* seen = map.find("seen");
  const bool unseen = seen != nullptr && seen->is_list() && seen->items.empty();  // no incident is known
  if (seen != nullptr && !unseen) about.seen = scalar_texts(*seen, "seen");
  if (const YamlNode* follows = map.find("follows")) about.follows = scalar_texts(*follows, "follows");
  about.contract = file.contract;
  about.file = file.path;
  about.line = map.need("id").line;
  if (const YamlNode* harm = map.find("harm")) {
    if (!harm->is_list()) refuse(harm->line, "'harm' must be a list");
    for (const YamlNode& item : harm->items) about.harm.push_back(parse_harm(item));
  }
  if (const YamlNode* falsifiers = map.find("falsifiers")) {
    if (!falsifiers->is_list()) refuse(falsifiers->line, "'falsifiers' must be a list");
    for (const YamlNode& item : falsifiers->items) about.falsifiers.push_back(parse_falsifier(item, file));
  }

  const Conditions shared = parse_conditions(map, file.alphabet);
  const YamlNode* clauses = map.find("clauses");
  if (clauses == nullptr) {
    ClauseRule rule = parse_rule(map, node.line, file.alphabet);
    obligation.clauses.push_back({{shared}, slicing_id(map.find("per"), file), std::move(rule), {}});
    obligation.clauses.back().wording = parse_wording(map, obligation.clauses.back());
    about.clauses.push_back(about.line);
  } else {
    if (const auto rule_keys = rule_keys_in(map); !rule_keys.empty()) {
      refuse(node.line, fmt::format("'{}' is next to 'clauses'", rule_keys.front()), "move it into a clause");
    }
    if (find_message(map) != nullptr)
      refuse(node.line, "'message' is next to 'clauses'", "move it into a clause");
    if (!clauses->is_list() || clauses->items.empty())
      refuse(clauses->line, "'clauses' must be a list of rules");
    for (const YamlNode& item : clauses->items) {
      const YamlMap clause(
          item, "a clause",
          {"per",   "given",  "profile",  "when",      "unless",     "never",         "finally",  "among",
           "each",  "where",  "numbered", "counted",   "increasing", "nondecreasing", "constant", "unique",
           "equal", "joined", "json",     "forbidden", "message",    "tells",         "at",       "sum"});
      const YamlNode* per = clause.find("per");
      Conditions own = parse_conditions(clause, file.alphabet);
      ClauseRule rule = parse_rule(clause, item.line, file.alphabet);
      obligation.clauses.push_back({{shared, std::move(own)},
                                    slicing_id(per == nullptr ? map.find("per") : per, file),
                                    std::move(rule),
                                    {}});
      obligation.clauses.back().wording = parse_wording(clause, obligation.clauses.back());
      about.clauses.push_back(item.line);
    }
  }
  const auto asks_of_shape = [](const Clause& clause) {
    return std::any_of(clause.conditions.begin(), clause.conditions.end(),
                       [](const Conditions& conditions) { return conditions.ask_of_shape(); });
  };
  about.of_a_shape = std::all_of(obligation.clauses.begin(), obligation.clauses.end(), asks_of_shape);
  for (const Clause& clause : obligation.clauses) {
    for (const Conditions& conditions : clause.conditions) conditions.add_knobs(about.knobs);
    const std::string clause_form = form(clause.rule);
    if (about.form.find(clause_form) == std::string::npos)
      about.form += (about.form.empty() ? "" : ", ") + clause_form;
  }
  return obligation;
}

/// Parses the classes that begin or end a stream. They cannot use @ended.
std::vector<std::size_t> parse_marks(const YamlNode& node, std::string_view what, const Alphabet& alphabet) {
  std::vector<std::size_t> ids;
  for (const std::string& text : scalar_texts(node, what)) {
    ids.push_back(alphabet.need(text, node.line));
    if (alphabet.at(ids.back()).uses_ended) {
      refuse(node.line, fmt::format("the class '{}' under '{}' uses @ended", text, what),
             "splitproof computes @ended from these classes, so they cannot use it");
    }
  }
  return ids;
}

ContractFile compile(const YamlNode& node, const std::string& path) {
  const YamlMap map(
      node, "a contract",
      {"contract", "version", "data", "ends", "begins", "recognised", "explode", "events", "obligations"});
  ContractFile file;
  file.path = path;
  const YamlNode& contract = map.need("contract");
  file.contract = scalar_text(contract, "contract");
  file.contract_line = contract.line;
  const bool has_side = !downstream_protocol(file.contract).empty();
  const bool of_requests =
      (file.contract.size() > kUpstreamSide.size() && file.contract.ends_with(kUpstreamSide)) ||
      file.contract == kUpstream;
  if (!is_for_every_protocol(file.contract) && !is_of_evidence(file.contract) && !has_side && !of_requests) {
    refuse(
        contract.line, fmt::format("'{}' is not a known contract", file.contract),
        "write PROTOCOL.downstream, transport, library, sdk, or sse or text for every protocol. For requests "
        "write PROTOCOL.upstream, or upstream for every protocol");
  }
  const YamlNode& version = map.need("version");
  if (scalar_text(version, "version") != "1") {
    refuse(version.line, fmt::format("version {} of the contract language is unknown", version.text),
           "write 1");
  }
  for (const std::string_view key : kWholeKeys) {
    const YamlNode* value = map.find(key);
    if (value == nullptr) continue;
    if (!has_side && !(key == "data" && file.contract == "sse")) {
      refuse(value->line, fmt::format("'{}' is not allowed in {}, which has no streams", key, file.contract),
             "write it in a contract PROTOCOL.downstream");
    }
    file.stated.emplace_back(key, value->line);
  }
  if (const YamlNode* data = map.find("data")) {
    const std::string& kind = scalar_text(*data, "data");
    if (kind != "text" && kind != "json")
      refuse(data->line, fmt::format("data cannot be '{}'", kind), "write json or text");
    file.text_data = kind == "text";
  }
  file.alphabet = Alphabet::parse(map.find("events"), map.find("explode"));
  if (const YamlNode* ends = map.find("ends")) {
    const YamlMap ways(*ends, "ends", {"success", "error"});
    if (const YamlNode* success = ways.find("success"))
      file.success = parse_marks(*success, "success", file.alphabet);
    if (const YamlNode* error = ways.find("error")) file.error = parse_marks(*error, "error", file.alphabet);
  }
  if (const YamlNode* begins = map.find("begins"))
    file.begins = parse_marks(*begins, "begins", file.alphabet);
  if (const YamlNode* recognised = map.find("recognised")) {
    file.recognised = parse_marks(*recognised, "recognised", file.alphabet);
    for (const std::size_t id : file.recognised) {
      if (!file.alphabet.at(id).explosion) continue;
      refuse(recognised->line,
             fmt::format("the class '{}' matches elements of events", file.alphabet.at(id).name),
             "use a class of whole events");
    }
  }
  file.slicings.emplace_back();
  const YamlNode& obligations = map.need("obligations");
  if (!obligations.is_list()) refuse(obligations.line, "'obligations' must be a list");
  for (const YamlNode& item : obligations.items) file.obligations.push_back(parse_obligation(item, file));
  return file;
}

}  // namespace

ContractFile read_contract(const std::string& path) {
  const YamlNode node = read_yaml(path);
  try {
    return compile(node, path);
  } catch (Mistake& mistake) {
    mistake.error.file = path;
    throw;
  }
}

const char* form(const ClauseRule& rule) {
  if (std::holds_alternative<SequenceRule>(rule)) return "pattern";
  if (std::holds_alternative<EqualRule>(rule)) return "equality";
  if (std::holds_alternative<JoinedRule>(rule)) return "joined";
  return "fields";
}

}  // namespace splitproof::contract
