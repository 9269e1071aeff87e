#include "harness/contract/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace splitproof::contract {
namespace {

Ended parse_ended(const std::string& text, std::size_t line) {
  if (text == "complete") return Ended::complete;
  if (text == "cut") return Ended::cut;
  if (text == "error") return Ended::error;
  refuse(line, fmt::format("a stream cannot end '{}'", text), "use complete, cut or error");
}

std::string class_names(const std::vector<std::size_t>& ids, const Alphabet& alphabet) {
  std::string names;
  for (const std::size_t id : ids) names += (names.empty() ? "" : " or ") + alphabet.at(id).name;
  return names;
}

bool occurs(const std::vector<std::size_t>& ids, const Reading& reading) {
  return std::any_of(ids.begin(), ids.end(), [&reading](std::size_t id) { return reading.occurs(id); });
}

template <class T>
bool contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

Conditions::Situation Conditions::parse_situation(const YamlNode& node, const char* what,
                                                  const Alphabet& alphabet) {
  const YamlMap map(node, what, {"given", "occurs", "ended"});
  Situation situation;
  if (const YamlNode* features = map.find("given")) situation.given = scalar_texts(*features, "given");
  if (const YamlNode* names = map.find("occurs")) {
    for (const std::string& name : scalar_texts(*names, "occurs")) {
      situation.occurs.push_back(alphabet.need(name, names->line));
    }
  }
  if (const YamlNode* ways = map.find("ended")) {
    for (const std::string& way : scalar_texts(*ways, "ended")) {
      situation.ended.push_back(parse_ended(way, ways->line));
    }
  }
  if (node.items.empty()) refuse(node.line, fmt::format("'{}' is empty", what), "write {occurs: CLASS}");
  return situation;
}

Conditions Conditions::parse(const YamlNode* given, const YamlNode* profile, const YamlNode* when,
                             const YamlNode* unless, const Alphabet& alphabet) {
  Conditions conditions;
  if (given != nullptr) conditions.given_ = scalar_texts(*given, "given");
  if (profile != nullptr) {
    if (!profile->is_map() || profile->items.empty()) {
      refuse(profile->line, "'profile' must be a map", "write {KNOB: VALUE}");
    }
    for (std::size_t i = 0; i < profile->items.size(); ++i) {
      const YamlKey& knob = profile->keys[i];
      conditions.settings_.push_back(
          {knob.name, scalar_texts(profile->items[i], "a knob's value"), knob.line});
    }
  }
  if (when != nullptr) {
    conditions.when_ = parse_situation(*when, "when", alphabet);
    if (!conditions.when_.given.empty())
      refuse(when->line, "'given' is under 'when'", "write it next to 'when': given: FEATURE");
  }
  if (unless != nullptr) conditions.unless_ = parse_situation(*unless, "unless", alphabet);
  return conditions;
}

void Conditions::check_values(const KnobValues& known) const {
  for (const Setting& setting : settings_) {
    if (known.count(setting.knob) == 0) continue;
    for (const std::string& value : setting.values) check_value(known, setting.knob, value, setting.line);
  }
}

// The functions capture at most two references, so std::function does not allocate.
std::optional<Inapplicable> Conditions::objection(const Profile& profile, const Context& context) const {
  for (const std::string& feature : given_) {
    if (context.features.count(feature) > 0) continue;
    if (!context.unread.empty())
      return Inapplicable{Verdict::not_judged, [&context] { return context.unread; }};
    return Inapplicable{Verdict::not_exercised, [&feature] {
                          return fmt::format("the case does not have the feature '{}'", feature);
                        }};
  }
  for (const std::string& feature : unless_.given) {
    if (context.features.count(feature) == 0) continue;
    return Inapplicable{Verdict::not_exercised,
                        [&feature] { return fmt::format("not for cases with the feature '{}'", feature); }};
  }
  for (const Setting& setting : settings_) {
    const auto set = profile.knobs.find(setting.knob);
    if (set == profile.knobs.end()) {
      return Inapplicable{Verdict::not_judged, [&setting, &profile] {
                            return fmt::format("profile '{}' does not set '{}'", profile.name, setting.knob);
                          }};
    }
    if (contains(setting.values, set->second)) continue;
    return Inapplicable{Verdict::not_exercised, [&setting, &profile] {
                          return fmt::format("only for {}: {}, and profile '{}' has {}", setting.knob,
                                             fmt::join(setting.values, " or "), profile.name,
                                             profile.knobs.at(setting.knob));
                        }};
  }
  return std::nullopt;
}

std::string Conditions::knobs(const Profile& profile) const {
  std::string told;
  for (const Setting& setting : settings_) {
    const auto set = profile.knobs.find(setting.knob);
    if (set != profile.knobs.end()) told += fmt::format("; knob {}: {}", setting.knob, set->second);
  }
  return told;
}

bool Conditions::ask_of_stream() const {
  return !when_.occurs.empty() || !when_.ended.empty() || !unless_.occurs.empty() || !unless_.ended.empty();
}

std::optional<Inapplicable> Conditions::objection(const Alphabet& alphabet, const Reading& reading,
                                                  Ended ended) const {
  const auto not_exercised = [](auto reason) { return Inapplicable{Verdict::not_exercised, reason}; };
  if (!when_.occurs.empty() && !occurs(when_.occurs, reading)) {
    return not_exercised([this, &alphabet] {
      return fmt::format("only when {} occurs", class_names(when_.occurs, alphabet));
    });
  }
  if (!when_.ended.empty() && !contains(when_.ended, ended))
    return not_exercised([] { return std::string("only for streams with another ending"); });
  if (occurs(unless_.occurs, reading)) {
    return not_exercised([this, &alphabet] {
      return fmt::format("not when {} occurs", class_names(unless_.occurs, alphabet));
    });
  }
  if (contains(unless_.ended, ended))
    return not_exercised([] { return std::string("not for streams with this ending"); });
  return std::nullopt;
}

}  // namespace splitproof::contract
