#include "harness/observe/preserved_fields.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

bool stands_for(const std::string& name, const HostedTool& hosted) {
  return name == hosted.name || name.find(hosted.does) != name.npos;
}

/// True if `sent` includes all of `wanted`.
bool includes(const json& sent, const json& wanted) {
  if (sent == wanted) return true;
  if (wanted.is_array() && sent.is_array())
    return std::all_of(wanted.begin(), wanted.end(), [&sent](const json& one) {
      return std::find(sent.begin(), sent.end(), one) != sent.end();
    });
  if (!wanted.is_object() || !sent.is_object()) return false;
  const auto members = wanted.items();
  return std::all_of(members.begin(), members.end(), [&sent](const auto& one) {
    return sent.contains(one.key()) && sent[one.key()] == one.value();
  });
}

/// True if all images are at the same end of a text.
bool are_at_an_end(const std::vector<std::size_t>& places, std::size_t text) {
  const auto all = [&places](std::size_t place) {
    return std::all_of(places.begin(), places.end(), [place](std::size_t one) { return one == place; });
  };
  return all(0) || all(text);
}

std::string step_to(const std::string& at, const std::string& key) {
  return (json::json_pointer(at) / key).to_string();
}

// The depth is bounded by the depth of the requests, which were parsed.
void add_differences(const std::string& at, const json& wanted, const json& sent, json& of_wanted,
                     json& of_sent) {
  if (wanted == sent) return;
  if (!wanted.is_object() || !sent.is_object()) {
    of_wanted[at] = wanted;
    of_sent[at] = sent;
    return;
  }
  for (const auto& [key, value] : wanted.items()) {
    if (sent.contains(key)) {
      add_differences(step_to(at, key), value, sent[key], of_wanted, of_sent);
    } else {
      of_wanted[step_to(at, key)] = value;
    }
  }
  for (const auto& [key, value] : sent.items())
    if (!wanted.contains(key)) of_sent[step_to(at, key)] = value;
}

// Servers read numbers as doubles (RFC 8259, 6). Beyond 2^53, a bound that differs by one is the same bound.
void round_large_numbers(json& value) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (value.is_number_unsigned() ? value > std::uint64_t{kExact}
                                 : value.is_number_integer() && value < -kExact)
    value = value.get<double>();
  if (value.is_structured())
    for (json& inner : value) round_large_numbers(inner);
}

/// Adds the members of a part that only its dialect has.
void add_own_of(const AskedBlock& block, const std::function<void(json own)>& add) {
  if (block.kind == AskedKind::other) add(*block.raw);
  for (const AskedPiece& piece : block.pieces)
    if (piece.is_document || !piece.text) add(*piece.raw);
  if (block.kind == AskedKind::image) {
    const json& inner = member(*block.raw, "image_url");
    const json& detail = member(inner.is_object() ? inner : *block.raw, "detail");
    if (detail.is_string() && detail != "auto") add({{"detail", detail}});
  }
  if (block.kind == AskedKind::text && block.text &&
      (member(*block.raw, "type") == "refusal" || block.at.ends_with("/refusal")))
    add({{"refusal", *block.text}});
}

}  // namespace

std::set<std::string> take_out_stand_ins(const std::vector<HostedTool>& hosted, const Said& said, Said& got) {
  std::set<std::string> carried;
  if (got.tools.size() <= said.tools.size()) return carried;
  std::erase_if(got.tools, [&](const SaidTool& tool) {
    const bool is_clients = std::any_of(said.tools.begin(), said.tools.end(),
                                        [&tool](const SaidTool& own) { return own.name == tool.name; });
    const auto use = std::find_if(hosted.begin(), hosted.end(),
                                  [&tool](const HostedTool& one) { return stands_for(tool.name, one); });
    if (is_clients || use == hosted.end()) return false;
    carried.insert(use->does);
    return true;
  });
  return carried;
}

Kept hosted_uses(const std::vector<HostedTool>& asked, const std::vector<HostedTool>& got,
                 const std::set<std::string>& carried, bool always) {
  std::set<std::string> wanted;
  std::set<std::string> sent;
  for (const HostedTool& tool : asked) {
    if (tool.is_always != always) continue;
    wanted.insert(tool.does);
    const bool is_there =
        std::any_of(got.begin(), got.end(), [&tool](const HostedTool& one) { return one.does == tool.does; });
    if (is_there || carried.contains(tool.does)) sent.insert(tool.does);
  }
  return {json(wanted), json(sent)};
}

Kept kept_settings(const std::vector<AskedSetting>& asked, const std::vector<AskedSetting>& got) {
  Kept kept = {json::object(), json::object()};
  for (const AskedSetting& setting : asked) {
    kept.first[setting.name] = *setting.value;
    const auto sent = std::find_if(got.begin(), got.end(),
                                   [&setting](const AskedSetting& one) { return one.name == setting.name; });
    if (sent == got.end()) continue;
    kept.second[setting.name] = includes(*sent->value, *setting.value) ? *setting.value : *sent->value;
  }
  keep_differing(kept.first, kept.second);
  return kept;
}

Kept kept_of_tools(const std::vector<SaidTool>& asked, const std::vector<SaidTool>& got) {
  Kept kept = {json::object(), json::object()};
  for (std::size_t i = 0; i < asked.size() && i < got.size(); ++i) {
    for (const auto& [name, value] : asked[i].settings) {
      const std::string word = asked[i].name + ": " + name;
      kept.first[word] = value;
      if (const auto sent = got[i].settings.find(name); sent != got[i].settings.end())
        kept.second[word] = sent->second;
    }
  }
  keep_differing(kept.first, kept.second);
  return kept;
}

json made_up_settings(const AskedRequest& asked, const AskedRequest& got) {
  constexpr std::array<std::string_view, 7> kChanging = {
      "n", "logprobs", "top_logprobs", "logit_bias", "presence_penalty", "frequency_penalty", "top_k"};
  const std::set<json> as_without = {0, 0.0, 1, false, json::object()};
  json made_up = json::object();
  for (const AskedSetting& setting : got.settings) {
    const bool changes = std::find(kChanging.begin(), kChanging.end(), setting.name) != kChanging.end();
    const bool is_clients =
        std::any_of(asked.settings.begin(), asked.settings.end(),
                    [&setting](const AskedSetting& one) { return one.name == setting.name; });
    if (changes && !is_clients && !as_without.contains(*setting.value))
      made_up[setting.name] = *setting.value;
  }
  return made_up;
}

json made_up_uses(const std::vector<HostedTool>& asked, const std::vector<HostedTool>& got) {
  json uses = json::array();
  for (const HostedTool& tool : got) {
    const bool is_clients = std::any_of(asked.begin(), asked.end(),
                                        [&tool](const HostedTool& one) { return one.does == tool.does; });
    if (!is_clients) uses.push_back(tool.does);
  }
  return uses;
}

Kept kept_marks(const std::vector<AskedMark>& asked, const std::vector<AskedMark>& got) {
  Kept kept = {json::array(), json::array()};
  std::vector<AskedMark> left = got;
  for (const AskedMark& mark : asked) {
    kept.first.push_back({{"on", mark.on}, {"mark", *mark.mark}});
    const auto same = std::find_if(left.begin(), left.end(), [&mark](const AskedMark& one) {
      return one.on == mark.on && *one.mark == *mark.mark;
    });
    if (same == left.end()) continue;
    kept.second.push_back(kept.first.back());
    left.erase(same);
  }
  return kept;
}

Kept places_of_images(const Said& said, const Said& got) {
  Kept places = {json::array(), json::array()};
  for (std::size_t i = 0; i < said.turns.size() && i < got.turns.size(); ++i) {
    const SaidTurn& wanted = said.turns[i];
    const SaidTurn& sent = got.turns[i];
    const std::size_t text = visible_bytes(wanted.texts);
    if (wanted.by_assistant || wanted.has_shown_results || sent.has_shown_results) continue;
    if (wanted.images_behind.empty() || text == 0 || visible_bytes(sent.texts) != text) continue;
    if (wanted.images != sent.images || wanted.images_behind.size() != sent.images_behind.size()) continue;
    const bool free = are_at_an_end(wanted.images_behind, text) && are_at_an_end(sent.images_behind, text);
    places.first.push_back({{"turn", i}, {"behind", wanted.images_behind}});
    places.second.push_back(free ? places.first.back() : json{{"turn", i}, {"behind", sent.images_behind}});
  }
  return places;
}

void keep_differing(json& wanted, json& sent) {
  if (wanted == sent || !wanted.is_object() || !sent.is_object()) return;
  const json whole = wanted;
  for (const auto& [key, value] : whole.items()) {
    if (!sent.contains(key) || sent[key] != value) continue;
    wanted.erase(key);
    sent.erase(key);
  }
}

void keep_differences(json& wanted, json& sent) {
  keep_differing(wanted, sent);
  if (wanted == sent || !wanted.is_object() || !sent.is_object()) return;
  for (auto& [key, value] : wanted.items()) {
    if (!sent.contains(key)) continue;
    json of_wanted = json::object();
    json of_sent = json::object();
    add_differences("", value, sent[key], of_wanted, of_sent);
    value = std::move(of_wanted);
    sent[key] = std::move(of_sent);
  }
}

json order_of(const AskedRequest& asked, bool sealed) {
  json order = json::array();
  for (const AskedTurn& turn : asked.turns) {
    if (turn.role != "assistant") continue;
    for (const AskedBlock& block : turn.blocks) {
      const char* kind = nullptr;
      if (block.kind == AskedKind::text && !is_blank(block.text.value_or(""))) kind = "text";
      if (sealed && block.kind == AskedKind::thinking && !block.seal.empty()) kind = "thinking";
      if (block.kind == AskedKind::call) kind = "call";
      if (kind == nullptr || (!order.empty() && order.back() == kind && block.kind == AskedKind::text))
        continue;
      order.push_back(kind);
    }
  }
  return order;
}

json own_of(const AskedRequest& asked) {
  json own = json::array();
  const auto add = [&own](json raw) {
    if (raw.is_object()) raw.erase("cache_control");
    own.push_back(std::move(raw));
  };
  for (const OfferedTool& tool : asked.tools) {
    if (tool.kind == AskedTool::hosted) add(*tool.raw);
    const json& custom = member(*tool.raw, "custom");
    const json& format = member(custom.is_object() ? custom : *tool.raw, "format");
    if (tool.kind == AskedTool::text && !format.is_null()) add(format);
  }
  for (const AskedTurn& turn : asked.turns) {
    const json& name = member(*turn.raw, "name");
    const bool speaks = turn.role == "user" || turn.role == "assistant" || turn.role == "system";
    if (speaks && name.is_string() && turn.raw->contains("role")) add({{"name", name}});
    for (const AskedBlock& block : turn.blocks) add_own_of(block, add);
  }
  return own;
}

namespace {

/// A keyword of some protocols for the order in which the model writes properties. It changes no value that fits.
constexpr const char* kPropertyOrder = "propertyOrdering";

/// Some protocols spell the types of a schema in capitals, and write `nullable` for the type null.
void write_types_plainly(json& schema) {
  if (!schema.is_structured()) return;
  if (schema.is_object()) {
    if (member(schema, "type").is_string()) schema["type"] = lower_case(schema["type"].get<std::string>());
    const json nullable = member(schema, "nullable");
    if (nullable.is_boolean()) schema.erase("nullable");
    if (nullable == true && member(schema, "type").is_string())
      schema["type"] = json::array({schema["type"], "null"});
    if (nullable == true && member(schema, "enum").is_array()) schema["enum"].push_back(nullptr);
  }
  for (json& inner : schema) write_types_plainly(inner);
}

/// True if the schema has this key anywhere.
bool has_key(const json& schema, const char* key) {
  if (!schema.is_structured()) return false;
  return (schema.is_object() && schema.contains(key)) ||
         std::any_of(schema.begin(), schema.end(), [key](const json& inner) { return has_key(inner, key); });
}

/// Removes `additionalProperties` from each place where it allows everything, which is the default of JSON Schema.
void leave_out_openness(json& schema) {
  constexpr const char* kOpenness = "additionalProperties";
  constexpr std::string_view kData[] = {"const", "default", "enum", "example", "examples"};
  constexpr std::string_view kNames[] = {"$defs", "definitions", "dependentSchemas", "patternProperties",
                                         "properties"};
  const auto is_in = [](const auto& list, std::string_view key) {
    return std::find(std::begin(list), std::end(list), key) != std::end(list);
  };
  if (schema.is_array())
    for (json& inner : schema) leave_out_openness(inner);
  if (!schema.is_object()) return;
  const json& openness = member(schema, kOpenness);
  if (openness == true || openness == json::object()) schema.erase(kOpenness);
  for (auto& [key, value] : schema.items()) {
    if (is_in(kNames, key) && value.is_object()) {
      for (json& named : value) leave_out_openness(named);
    } else if (!is_in(kData, key)) {
      leave_out_openness(value);
    }
  }
}

}  // namespace

json schema_of(json schema) {
  if (schema.is_null()) schema = json::object();
  if (!schema.is_object()) return schema;
  round_large_numbers(schema);
  write_types_plainly(schema);
  // With it, these properties count as evaluated.
  if (!has_key(schema, "unevaluatedProperties")) leave_out_openness(schema);
  schema.erase("$schema");
  if (member(schema, "properties") == json::object()) schema.erase("properties");
  if (schema == json::object()) schema = {{"type", "object"}};
  return schema;
}

void ignore_missing_hints(json& one, json& other) {
  if (!one.is_structured() || one.type() != other.type()) return;
  if (one.is_array()) {
    for (std::size_t i = 0; i < one.size() && i < other.size(); ++i) ignore_missing_hints(one[i], other[i]);
    return;
  }
  const bool is_hint = member(one, kPropertyOrder).is_array() || member(other, kPropertyOrder).is_array();
  if (is_hint && one.contains(kPropertyOrder) != other.contains(kPropertyOrder)) {
    one.erase(kPropertyOrder);
    other.erase(kPropertyOrder);
  }
  for (auto& [key, value] : one.items())
    if (other.contains(key)) ignore_missing_hints(value, other[key]);
}

bool wraps_text(const json& schema) {
  const json& properties = member(schema, "properties");
  return properties.size() == 1 && member(properties.front(), "type") == "string";
}

}  // namespace splitproof::observe
