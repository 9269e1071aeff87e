#include "tests/harness/contract/naive.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace splitproof::contract {
namespace {

using Json = nlohmann::json;
using Value = std::optional<Json>;

struct Item {
  std::size_t event;
  Value json;
  Value parent;
  bool element;
};

struct Naive {
  const ContractSpec& contract;
  const observe::Trace& trace;
  std::string ended;
  Value expected;
  std::vector<Item> items;

  Value field(const Item& item, const std::string& name) const {
    const observe::Event& event = trace.events[item.event];
    if (name == "@event") return event.event ? Json(*event.event) : Json();
    if (name == "@data") return Json(event.data);
    if (name == "@ended") return Json(ended);
    if (name == "@fault")
      return event.fault == observe::StreamFault::broken_json ? Json("broken-json") : Json();
    const bool up = name.rfind('^', 0) == 0;
    const Value& from = up ? item.parent : item.json;
    if (!from) return std::nullopt;
    const Json::json_pointer pointer(up ? name.substr(1) : name);
    return from->contains(pointer) ? Value((*from)[pointer]) : std::nullopt;
  }

  static bool passes(const TestSpec& test, const Value& value) {
    using Kind = TestSpec::Kind;
    if (test.kind == Kind::absent) return value.has_value() != (test.text == "true");
    if (test.kind == Kind::any_of) return passes(test.parts[0], value) || passes(test.parts[1], value);
    if (!value) return false;
    if (test.kind == Kind::none_of) return !passes(test.parts[0], value);
    if (test.kind == Kind::scalar || test.kind == Kind::is) return *value == Json::parse(test.text);
    if (test.kind == Kind::type) {
      const std::string name = value->type_name();
      return name == test.text || (test.text == "integer" && value->is_number_integer());
    }
    if (test.kind == Kind::min) {
      const double least = std::stod(test.text);
      if (value->is_number()) return value->get<double>() >= least;
      if (value->is_string()) return static_cast<double>(value->get<std::string>().size()) >= least;
      return value->is_structured() && static_cast<double>(value->size()) >= least;
    }
    if (!value->is_string()) return false;
    const std::string text = *value;
    if (test.text == "a") return text == "a";
    if (test.text == "a|b") return text == "a" || text == "b";
    return text.find('a') == std::string::npos;  // [^a]*
  }

  bool in(const Item& item, int class_index) const {
    const ClassSpec& spec = contract.classes[static_cast<std::size_t>(class_index)];
    if (spec.element != item.element || (spec.base != -1 && !in(item, spec.base))) return false;
    return std::all_of(spec.tests.begin(), spec.tests.end(),
                       [&](const TestedField& test) { return passes(test.second, field(item, test.first)); });
  }

  bool in_any(const Item& item, const std::vector<int>& classes) const {
    return std::any_of(classes.begin(), classes.end(), [&](int id) { return in(item, id); });
  }

  bool occurs(const std::vector<int>& classes) const {
    return std::any_of(items.begin(), items.end(), [&](const Item& item) { return in_any(item, classes); });
  }

  /// Returns the possible ends of matches of `pattern` from `from`. Sets `hungry` if a match needed more items.
  std::set<std::size_t> ends(const PatternSpec& pattern, const std::vector<Item>& read, std::size_t from,
                             bool& hungry) const {
    using Kind = PatternSpec::Kind;
    std::set<std::size_t> found;
    switch (pattern.kind) {
      case Kind::before_first:
        return from == 0 ? std::set<std::size_t>{0} : found;
      case Kind::symbol:
      case Kind::any:
      case Kind::none_of: {
        if (from == read.size()) {
          hungry = true;
          return found;
        }
        const bool named = in_any(read[from], pattern.classes);
        if (pattern.kind == Kind::any || named == (pattern.kind == Kind::symbol)) found.insert(from + 1);
        return found;
      }
      case Kind::sequence:
        found = {from};
        for (const PatternSpec& part : pattern.parts) {
          std::set<std::size_t> next;
          for (const std::size_t at : found) next.merge(ends(part, read, at, hungry));
          found = next;
        }
        return found;
      case Kind::choice:
        for (const PatternSpec& part : pattern.parts) found.merge(ends(part, read, from, hungry));
        return found;
      case Kind::maybe:
        found = ends(pattern.parts[0], read, from, hungry);
        found.insert(from);
        return found;
      case Kind::star:
      case Kind::plus: {
        std::set<std::size_t> open = ends(pattern.parts[0], read, from, hungry);
        while (!open.empty()) {
          const std::size_t at = *open.begin();
          open.erase(open.begin());
          if (found.insert(at).second) open.merge(ends(pattern.parts[0], read, at, hungry));
        }
        if (pattern.kind == Kind::star) found.insert(from);
        return found;
      }
    }
    return found;
  }

  std::optional<std::string> slice_of(const Item& item, const ClauseSpec& clause) const {
    if (clause.per.empty()) return "";
    for (const auto& [id, fields] : clause.per) {
      if (id != -1 && !in(item, id)) continue;
      Json key = Json::array();
      for (const std::string& name : fields) {
        Value value = field(item, name);
        if (!value) return std::nullopt;
        if (*value == 1) value = 1;  // 1.0
        key.push_back(*value);
      }
      return key.dump();
    }
    return std::nullopt;
  }

  /// Returns the slices in the order of their first events. Without `per` there is one, even for no events.
  std::vector<std::vector<Item>> slices(const ClauseSpec& clause) const {
    std::vector<std::vector<Item>> found;
    std::map<std::string, std::size_t> known;
    if (clause.per.empty()) return {items};
    for (const Item& item : items) {
      const auto key = slice_of(item, clause);
      if (!key) continue;
      const auto entry = known.emplace(*key, found.size());
      if (entry.second) found.emplace_back();
      found[entry.first->second].push_back(item);
    }
    return found;
  }

  std::optional<NaiveVerdict> objection(const ClauseSpec& clause) const {
    if (!clause.given.empty() && clause.given != "tools") return NaiveVerdict{Verdict::not_exercised, {}};
    if (!clause.knob.empty() && clause.knob != "overlap") return NaiveVerdict{Verdict::not_judged, {}};
    if (!clause.knob.empty() && clause.knob_value != "sequential")
      return NaiveVerdict{Verdict::not_exercised, {}};
    const auto ends_so = [&](const SituationSpec& situation) {
      return std::find(situation.ended.begin(), situation.ended.end(), ended) != situation.ended.end();
    };
    if (clause.when && ((!clause.when->occurs.empty() && !occurs(clause.when->occurs)) ||
                        (!clause.when->ended.empty() && !ends_so(*clause.when)))) {
      return NaiveVerdict{Verdict::not_exercised, {}};
    }
    if (clause.unless && (occurs(clause.unless->occurs) || ends_so(*clause.unless))) {
      return NaiveVerdict{Verdict::not_exercised, {}};
    }
    return std::nullopt;
  }

  static void names_in(const PatternSpec& pattern, std::vector<int>& names, bool& wild) {
    wild = wild || pattern.kind == PatternSpec::Kind::any || pattern.kind == PatternSpec::Kind::none_of;
    names.insert(names.end(), pattern.classes.begin(), pattern.classes.end());
    for (const PatternSpec& part : pattern.parts) names_in(part, names, wild);
  }

  static std::vector<int> classes_read(const ClauseSpec& clause) {
    std::vector<int> names;
    bool wild = false;
    names_in(clause.pattern, names, wild);
    if (clause.among) {
      names.insert(names.end(), clause.among->begin(), clause.among->end());
    } else if (wild) {
      names.push_back(0);
    }
    return names;
  }

  static std::vector<Item> first(const std::vector<Item>& read, std::size_t count) {
    return {read.begin(), read.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  /// Collects violations and keeps the first one. Events come before the end of the stream.
  struct Collector {
    bool exercised = false;
    bool violated = false;
    std::optional<std::size_t> event;

    void violate(std::optional<std::size_t> at) {
      if (!violated || (at && (!event || *at < *event))) event = at;
      violated = true;
    }
    NaiveVerdict verdict() const {
      if (violated) return {Verdict::violated, event};
      return {exercised ? Verdict::met : Verdict::not_exercised, {}};
    }
  };

  NaiveVerdict judge_pattern(const ClauseSpec& clause) const {
    Collector result;
    const std::vector<int> names = classes_read(clause);
    for (const std::vector<Item>& slice : slices(clause)) {
      std::vector<Item> read;
      std::copy_if(slice.begin(), slice.end(), std::back_inserter(read),
                   [&](const Item& item) { return in_any(item, names); });
      result.exercised = result.exercised || !read.empty();
      bool hungry = false;
      if (clause.form == "never") {
        for (std::size_t from = 0; from < read.size(); ++from) {
          for (const std::size_t end : ends(clause.pattern, read, from, hungry)) {
            if (end > from) result.violate(read[end - 1].event);
          }
        }
        continue;
      }
      if (read.empty() && !clause.per.empty()) continue;
      for (std::size_t count = 1; count <= read.size(); ++count) {
        hungry = false;
        const auto reached = ends(clause.pattern, first(read, count), 0, hungry);
        if (hungry || reached.count(count) != 0) continue;
        result.violate(read[count - 1].event);
        break;
      }
      if (ends(clause.pattern, read, 0, hungry).count(read.size()) == 0) result.violate(std::nullopt);
    }
    return result.verdict();
  }

  NaiveVerdict judge_fields(const ClauseSpec& clause) const {
    Collector result;
    for (const std::vector<Item>& slice : slices(clause)) {
      std::vector<Json> before;
      std::size_t count = 0;
      for (const Item& item : slice) {
        if (!in(item, *clause.each)) continue;
        result.exercised = true;
        const Value value = field(item, clause.field);
        bool good = true;
        if (clause.form == "where") {
          good = passes(clause.where[0].second, value);
        } else if (clause.form == "numbered") {
          good = value && value->is_number_integer() && *value == count++;
        } else if (value && clause.form == "counted") {
          good = std::count(before.begin(), before.end(), *value) > 0 ||
                 (value->is_number_integer() && *value == count++);
        } else if (value && clause.form == "unique") {
          good = std::count(before.begin(), before.end(), *value) == 0;
        } else if (value && clause.form == "constant") {
          good = before.empty() || before.back() == *value;
        } else if (value) {
          good = value->is_number() && (before.empty() || before.back() < *value ||
                                        (clause.form == "nondecreasing" && before.back() == *value));
        }
        if (value) before.push_back(*value);
        if (good) continue;
        result.violate(item.event);
        break;
      }
    }
    return result.verdict();
  }

  struct Text {
    std::string text;
    std::optional<std::size_t> last, no_string;
  };
  Text joined(const std::vector<Item>& slice, int class_index, const std::string& name) const {
    Text text;
    for (const Item& item : slice) {
      if (!in(item, class_index)) continue;
      text.last = item.event;
      const Value fragment = field(item, name);
      if (!fragment) continue;
      if (fragment->is_string()) {
        text.text += fragment->get<std::string>();
      } else if (!text.no_string) {
        text.no_string = item.event;
      }
    }
    return text;
  }

  // The JSON library stops after the last byte if it only needs more. Texts here have no white space.
  static bool begins_object(const std::string& text) {
    if (text.empty()) return true;
    if (text.front() != '{') return false;
    try {
      return Json::parse(text).is_object();
    } catch (const Json::parse_error& error) {
      return error.byte > text.size();
    }
  }

  NaiveVerdict judge_joined(const ClauseSpec& clause) const {
    Collector result;
    for (const std::vector<Item>& slice : slices(clause)) {
      const Text text = joined(slice, *clause.each, clause.field);
      if (!text.last) continue;
      result.exercised = true;
      bool good = true;
      if (clause.form == "object") {
        good = text.text.empty() || Json::parse(text.text, nullptr, false).is_object();
      } else if (clause.form == "prefix") {
        good = begins_object(text.text);
      } else {
        good = text.text.find(clause.forbidden == "aa+" ? "aa" : clause.forbidden) == std::string::npos;
      }
      if (text.no_string) return {Verdict::violated, text.no_string};
      if (!good) return {Verdict::violated, text.last};
    }
    return result.verdict();
  }

  NaiveVerdict judge_equal(const ClauseSpec& clause) const {
    using Kind = OperandSpec::Kind;
    const bool needs = clause.equal[0].kind == Kind::expected || clause.equal[1].kind == Kind::expected;
    bool exercised = false;
    const auto read = [&](const OperandSpec& operand, const std::vector<Item>& slice,
                          const Item* item) -> Value {
      if (operand.kind == Kind::field) return field(*item, operand.field);
      if (operand.kind == Kind::joined) return Json(joined(slice, operand.class_index, operand.field).text);
      const Json::json_pointer pointer(operand.field);
      return expected->contains(pointer) ? Value((*expected)[pointer]) : std::nullopt;
    };
    const auto compare = [&](const std::vector<Item>& slice,
                             const Item* item) -> std::optional<NaiveVerdict> {
      std::optional<std::size_t> place;
      if (item != nullptr) place = item->event;
      for (const OperandSpec& operand : clause.equal) {
        if (operand.kind != Kind::joined) continue;
        const Text text = joined(slice, operand.class_index, operand.field);
        if (text.no_string) return NaiveVerdict{Verdict::violated, text.no_string};
        if (!place) place = text.last;
      }
      if (read(clause.equal[0], slice, item) == read(clause.equal[1], slice, item)) return std::nullopt;
      return NaiveVerdict{Verdict::violated, place};
    };
    if (clause.each) {
      for (const Item& item : items) {
        const auto key = slice_of(item, clause);
        if (!key || !in(item, *clause.each)) continue;
        if (needs && !expected) return {Verdict::not_judged, {}};
        exercised = true;
        std::vector<Item> slice;
        std::copy_if(items.begin(), items.end(), std::back_inserter(slice),
                     [&](const Item& other) { return slice_of(other, clause) == key; });
        if (const auto violation = compare(slice, &item)) return *violation;
      }
    } else {
      if (needs && !expected) return {Verdict::not_judged, {}};
      for (const std::vector<Item>& slice : slices(clause)) {
        const bool any =
            std::any_of(clause.equal.begin(), clause.equal.end(), [&](const OperandSpec& operand) {
              return operand.kind == Kind::joined
                         ? joined(slice, operand.class_index, operand.field).last.has_value()
                         : read(operand, slice, nullptr).has_value();
            });
        if (!any) continue;
        exercised = true;
        if (const auto violation = compare(slice, nullptr)) return *violation;
      }
    }
    return {exercised ? Verdict::met : Verdict::not_exercised, {}};
  }

  NaiveVerdict judge(const ClauseSpec& clause) const {
    if (const auto reason = objection(clause)) return *reason;
    if (clause.form == "never" || clause.form == "finally") return judge_pattern(clause);
    if (clause.form == "object" || clause.form == "prefix" || clause.form == "forbidden")
      return judge_joined(clause);
    return clause.form == "equal" ? judge_equal(clause) : judge_fields(clause);
  }
};

}  // namespace

std::vector<NaiveVerdict> judge_naively(const ContractSpec& contract, const observe::Trace& trace,
                                        const std::string& expected) {
  Naive naive{contract, trace, "complete", std::nullopt, {}};
  if (!expected.empty()) naive.expected = Json::parse(expected);
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const auto& json = trace.events[i].json;
    naive.items.push_back({i, json ? Value(*json) : std::nullopt, std::nullopt, false});
    if (!json || !json->contains("list")) continue;
    for (const Json& element : (*json)["list"]) naive.items.push_back({i, element, *json, true});
  }
  if (naive.occurs(contract.error)) {
    naive.ended = "error";
  } else if (trace.message_end == observe::MessageEnd::cut) {
    naive.ended = "cut";
  }

  std::vector<NaiveVerdict> verdicts;
  for (const ObligationSpec& obligation : contract.obligations) {
    std::vector<NaiveVerdict> of_clauses;
    for (const ClauseSpec& clause : obligation.clauses) of_clauses.push_back(naive.judge(clause));
    NaiveVerdict verdict{Verdict::not_exercised, {}};
    for (const Verdict worst : {Verdict::met, Verdict::not_judged, Verdict::violated}) {
      for (const NaiveVerdict& one : of_clauses) {
        if (one.verdict == worst) verdict.verdict = worst;
      }
    }
    for (const NaiveVerdict& one : of_clauses) {
      if (verdict.verdict != Verdict::violated || one.verdict != Verdict::violated || !one.event) continue;
      verdict.event = verdict.event ? std::min(*verdict.event, *one.event) : *one.event;
    }
    verdicts.push_back(verdict);
  }
  return verdicts;
}

bool refused(const ClauseSpec& clause) {
  if (clause.form != "never" && clause.form != "finally") return false;
  const auto head = [](const auto& self, const PatternSpec& pattern) -> bool {
    if (pattern.kind == PatternSpec::Kind::before_first) return true;
    const bool opens = pattern.kind == PatternSpec::Kind::sequence;
    return opens && self(self, pattern.parts.front());
  };
  std::vector<int> names = Naive::classes_read(clause);
  const std::set<int> distinct(names.begin(), names.end());
  if (head(head, clause.pattern) && distinct.size() == 1 && *distinct.begin() != 0) return true;
  const ContractSpec nothing;
  const observe::Trace empty;
  const Naive naive{nothing, empty, "complete", std::nullopt, {}};
  bool hungry = false;
  return clause.form == "never" && !naive.ends(clause.pattern, {}, 0, hungry).empty();
}

}  // namespace splitproof::contract
