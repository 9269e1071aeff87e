#include "sarif_shape.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string_view>

namespace splitproof::report {
namespace {

using nlohmann::json;

struct Member {
  std::string_view name;
  // type of a value, or an object of the table; `T[]`: an array of T; `T{}`: a map to T
  std::string_view type;
  bool required = false;
  bool unique = false;  // for an array's items
};

constexpr bool kRequired = true;
constexpr bool kUnique = true;

// Every object except a property bag allows only the members of the schema.
const std::map<std::string_view, std::vector<Member>> kObjects{
    {"log", {{"$schema", "uri"}, {"version", "version", kRequired}, {"runs", "run[]", kRequired}}},
    {"run", {{"tool", "tool", kRequired}, {"invocations", "invocation[]"}, {"results", "result[]"}}},
    {"tool", {{"driver", "component", kRequired}}},
    {"component",
     {{"name", "string", kRequired}, {"version", "string"}, {"rules", "rule[]", !kRequired, kUnique}}},
    {"rule",
     {{"id", "string", kRequired},
      {"shortDescription", "formats"},
      {"fullDescription", "formats"},
      {"help", "formats"},
      {"helpUri", "uri"},
      {"defaultConfiguration", "configuration"},
      {"properties", "bag"}}},
    {"formats", {{"text", "string", kRequired}, {"markdown", "string"}}},
    {"configuration", {{"level", "level"}}},
    {"bag", {{"tags", "string[]", !kRequired, kUnique}}},
    {"invocation",
     {{"executionSuccessful", "boolean", kRequired},
      {"properties", "bag"},
      {"startTimeUtc", "string"},
      {"toolExecutionNotifications", "notification[]"}}},
    {"notification", {{"message", "message", kRequired}, {"level", "level"}}},
    // The alternative `id` is never written.
    {"message", {{"text", "string", kRequired}}},
    {"result",
     {{"ruleId", "string"},
      {"ruleIndex", "index"},
      {"level", "level"},
      {"message", "message", kRequired},
      {"locations", "location[]"},
      {"partialFingerprints", "string{}"},
      {"properties", "bag"}}},
    {"location", {{"physicalLocation", "place"}}},
    // The alternative `address` is never written.
    {"place", {{"artifactLocation", "artifact", kRequired}, {"region", "region"}}},
    {"artifact", {{"uri", "reference"}, {"uriBaseId", "string"}}},
    {"region", {{"startLine", "line"}}}};

// RFC 3986. A colon in the first segment of a relative reference would make that a scheme.
const std::string kCharacter = R"(([-._~!$&'()*+,;=@A-Za-z0-9]|%[0-9A-Fa-f]{2}))";
const std::string kRest = "(/(" + kCharacter + "|[:/])*)?" + R"((\?()" + kCharacter + "|[:/?])*)?" + "(#(" +
                          kCharacter + "|[:/?])*)?";
const std::string kUri = "[A-Za-z][-+.A-Za-z0-9]*:(" + kCharacter + "|:)*" + kRest;

bool fits(const json& value, std::string_view type) {
  const auto one_of = [&](const std::set<std::string>& words) {
    return value.is_string() && words.contains(value.get<std::string>());
  };
  const auto matches = [&](const std::string& pattern) {
    return value.is_string() && std::regex_match(value.get<std::string>(), std::regex(pattern));
  };
  const auto at_least = [&](std::int64_t least) {
    return value.is_number_integer() && value.get<std::int64_t>() >= least;
  };
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "version") return value == "2.1.0";
  if (type == "level") return one_of({"none", "note", "warning", "error"});
  if (type == "uri") return matches(kUri);
  if (type == "reference") return matches(kUri + "|" + kCharacter + "*" + kRest);
  if (type == "line") return at_least(1);
  if (type == "index") return at_least(0);  // the schema's -1 means none
  return false;
}

class Checked {
 public:
  std::vector<std::string> wrong;

  void look(const json& value, std::string_view type, const std::string& at) {
    if (type.ends_with("[]") || type.ends_with("{}")) {
      if (type.ends_with("[]") ? !value.is_array() : !value.is_object())
        return say(at, "is no " + std::string(type));
      for (const auto& [key, item] : value.items())
        look(item, type.substr(0, type.size() - 2), at + "/" + key);
      return;
    }
    const auto object = kObjects.find(type);
    if (object != kObjects.end()) return look_into(value, type, object->second, at);
    if (!fits(value, type)) say(at, "is no " + std::string(type) + ": " + value.dump());
  }

 private:
  void say(const std::string& at, const std::string& what) { wrong.push_back(at + " " + what); }

  void look_into(const json& value, std::string_view type, const std::vector<Member>& members,
                 const std::string& at) {
    if (!value.is_object()) return say(at, "is no " + std::string(type));
    std::set<std::string> known;
    for (const Member& member : members) {
      const std::string name(member.name);
      known.insert(name);
      if (!value.contains(name)) {
        if (member.required) say(at, "has no " + name);
        continue;
      }
      look(value[name], member.type, at + "/" + name);
      if (!member.unique || !value[name].is_array()) continue;
      std::set<std::string> seen;
      for (const json& item : value[name])
        if (!seen.insert(item.dump()).second) say(at + "/" + name, "has twice " + item.dump());
    }
    if (type == "bag") return;
    for (const auto& [key, unused] : value.items())
      if (!known.contains(key))
        say(at, "has " + key + ", which the table does not know of a " + std::string(type));
  }
};

}  // namespace

std::vector<std::string> wrong_in_sarif(const json& log) {
  Checked checked;
  checked.look(log, "log", "");
  if (!checked.wrong.empty()) return checked.wrong;  // the next checks need the right shape
  for (const json& run : log["runs"]) {
    const json rules = run["tool"]["driver"].value("rules", json::array());
    for (const json& result : run.value("results", json::array())) {
      if (!result.contains("ruleIndex")) continue;
      const auto index = result["ruleIndex"].get<std::size_t>();
      if (index >= rules.size() || rules[index]["id"] != result.value("ruleId", ""))
        checked.wrong.push_back("a result's ruleIndex is not that of its rule: " + result.dump());
    }
  }
  return checked.wrong;
}

}  // namespace splitproof::report
