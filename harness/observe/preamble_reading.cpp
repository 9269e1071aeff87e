#include "harness/observe/preamble_reading.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/observe/preamble_words.hpp"
#include "harness/observe/retained_text.hpp"
#include "harness/observe/said.hpp"
#include "harness/observe/trimmed.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

constexpr std::size_t kNotThere = std::string_view::npos;

/// Escapes that may replace the brackets of a tag.
constexpr std::string_view kEscapes[] = {"&lt;", "&gt;", "&#60;", "&#62;", "\\u003c", "\\u003e"};

/// Returns the start of the line that consists of `heading`.
std::size_t find_heading(std::string_view text, std::string_view heading) {
  for (std::size_t at = text.find(heading); at != kNotThere; at = text.find(heading, at + 1)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (begins_line && trimmed(text.substr(at, end - at)) == heading) return at;
  }
  return kNotThere;
}

/// Returns the start of the next line with a heading of the same rank.
std::size_t end_of_block(std::string_view text, std::size_t from) {
  const std::size_t next = text.find("\n## ", from);
  return next == kNotThere ? text.size() : next + 1;
}

/// Returns the offset after the brace that closes the brace at `begin`, or none if it is not closed.
std::size_t end_of_object(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  bool inside = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (inside && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      inside = !inside;
    } else if (!inside && text[at] == '{') {
      ++depth;
    } else if (!inside && text[at] == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return kNotThere;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

bool of_user(const AskedTurn& turn) { return turn.role == "user" || turn.role == "tool"; }

bool begins_with(std::string_view text, std::string_view words) { return trimmed(text).starts_with(words); }

/// Returns all texts of the user.
std::vector<std::string> texts_of_user(const AskedRequest* asked) {
  std::vector<std::string> texts;
  if (asked == nullptr) return texts;
  for (const AskedTurn& turn : asked->turns) {
    for (const AskedBlock& block : turn.blocks)
      if (turn.role == "user" && block.kind == AskedKind::text && !is_blank(block.text.value_or("")))
        texts.push_back(*block.text);
  }
  return texts;
}

AskedBlock block_like(const AskedBlock& of, AskedKind kind) {
  AskedBlock block;
  block.kind = kind;
  block.at = of.at;
  block.raw = of.raw;
  return block;
}

/// Splits a text of the assistant into texts and calls.
void deal_out_calls(const AskedBlock& block, std::vector<AskedBlock>& blocks) {
  const std::string& text = *block.text;
  std::string prose;
  const auto add_prose = [&] {
    if (is_blank(prose)) return prose.clear();
    blocks.push_back(block_like(block, AskedKind::text));
    blocks.back().text = std::exchange(prose, {});
  };
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t opens = text.find(kCallOpens, at);
    const std::size_t closes = opens == kNotThere ? kNotThere : text.find(kCallCloses, opens);
    if (closes == kNotThere) break;
    const std::string inner = text.substr(opens + kCallOpens.size(), closes - opens - kCallOpens.size());
    const auto call = parse_strict_json(inner);
    const std::size_t end = closes + kCallCloses.size();
    prose += text.substr(at, opens - at);
    at = end;
    if (!call || !member(**call, "name").is_string()) {
      prose += text.substr(opens, end - opens);
      continue;
    }
    add_prose();
    AskedBlock told = block_like(block, AskedKind::call);
    told.name = string_at(**call, "name");
    const json& arguments = member(**call, "arguments");
    told.arguments = arguments.is_string() ? arguments.get<std::string>() : written(arguments);
    if (arguments.is_null()) told.arguments = "";
    const std::string id = string_at(**call, "id");
    if (!id.empty()) told.id = id;
    blocks.push_back(std::move(told));
  }
  prose += text.substr(at);
  add_prose();
}

/// Splits a user's text that begins with a result into results and the rest.
void deal_out_results(const AskedBlock& block, std::vector<AskedBlock>& blocks) {
  std::string_view text = *block.text;
  while (begins_with(text, kResultOpens)) {
    const std::size_t opens = text.find(kResultOpens);
    const std::size_t inner = text.find('>', opens);
    const std::size_t closes = inner == kNotThere ? kNotThere : text.find(kResultCloses, inner);
    if (closes == kNotThere) break;
    const std::string_view tag = text.substr(opens, inner - opens);
    AskedBlock told = block_like(block, AskedKind::result);
    if (const std::size_t id = tag.find(kResultId); id != kNotThere) {
      const std::string_view value = tag.substr(id + kResultId.size());
      told.id = std::string(value.substr(0, value.find('"')));
    }
    told.text = std::string(trimmed(text.substr(inner + 1, closes - inner - 1)));
    blocks.push_back(std::move(told));
    text.remove_prefix(closes + kResultCloses.size());
  }
  if (is_blank(text)) return;
  blocks.push_back(block_like(block, AskedKind::text));
  blocks.back().text = std::string(text);
}

}  // namespace

SystemBlocks system_blocks_in(std::string_view added) {
  SystemBlocks blocks;
  std::string text(added);
  std::size_t places[2] = {kNotThere, kNotThere};
  // The tools come last and contain headings of their own. So the other block is removed first.
  const auto take = [&](std::string_view heading, bool to_end, std::size_t& place) {
    std::optional<std::string> block;
    place = find_heading(text, heading);
    if (place == kNotThere) return block;
    const std::size_t inner = place + heading.size();
    const std::size_t end = to_end ? text.size() : end_of_block(text, inner);
    block = text.substr(inner, end - inner);
    text.erase(place, end - place);
    return block;
  };
  const std::size_t tools_were_at = find_heading(text, kToolsHeading);
  blocks.facts = take(kFactsHeading, false, places[0]);
  blocks.tools = take(kToolsHeading, true, places[1]);
  blocks.facts_first = !blocks.facts || !blocks.tools || places[0] < tools_were_at;
  if (!is_blank(text)) blocks.rest = text;
  return blocks;
}

std::vector<ToolInWords> tools_in_words(std::string_view block, const std::vector<std::string>& declared,
                                        const std::vector<std::string>& descriptions) {
  std::vector<ToolInWords> tools;
  const auto begins_section = [&](std::string_view line, std::string_view name) {
    const auto is_of = [&](const ToolInWords& tool) { return tool.name == name; };
    if (std::any_of(tools.begin(), tools.end(), is_of)) return false;
    if (std::count(declared.begin(), declared.end(), name) > 0) return true;
    return is_name(name) && std::none_of(descriptions.begin(), descriptions.end(),
                                         [&](const auto& text) { return text.find(line) != text.npos; });
  };
  for (std::size_t begin = 0; begin < block.size();) {
    const std::size_t end = std::min(block.find('\n', begin), block.size());
    const std::string_view line = block.substr(begin, end - begin);
    if (line.starts_with(kToolHeading) &&
        begins_section(trimmed(line), trimmed(line.substr(kToolHeading.size())))) {
      tools.push_back({std::string(trimmed(line.substr(kToolHeading.size()))), {}});
    } else if (!tools.empty()) {
      tools.back().text.append(line).append("\n");
    }
    begin = end + 1;
  }
  return tools;
}

json first_object_in(std::string_view text) {
  for (std::size_t at = text.find('{'); at != kNotThere; at = text.find('{', at + 1)) {
    const std::size_t end = end_of_object(text, at);
    if (end == kNotThere) continue;
    const std::size_t call = text.rfind(kCallOpens, at);
    if (call != kNotThere && text.substr(call, at - call).find(kCallCloses) == kNotThere)
      continue;  // it explains how to call
    const auto object = parse_strict_json(text.substr(at, end - at));
    if (object && (*object)->is_object()) return **object;
  }
  return {};
}

bool begins_with_result(const AskedTurn& turn) {
  if (turn.role == "tool") return true;
  for (const AskedBlock& block : turn.blocks) {
    if (block.kind == AskedKind::result) return true;
    if (block.kind != AskedKind::text || is_blank(block.text.value_or(""))) continue;
    return begins_with(*block.text, kResultOpens);
  }
  return false;
}

std::optional<std::size_t> last_of_user(const AskedRequest& got) {
  for (std::size_t i = got.turns.size(); i-- > 0;)
    if (of_user(got.turns[i])) return i;
  return std::nullopt;
}

std::vector<Banner> banners_in(const AskedRequest& got, const AskedRequest* asked) {
  const std::vector<std::string> own = texts_of_user(asked);
  std::vector<Banner> banners;
  for (std::size_t turn = 0; turn < got.turns.size(); ++turn) {
    const std::vector<AskedBlock>& blocks = got.turns[turn].blocks;
    for (std::size_t i = 0; i < blocks.size() && got.turns[turn].role != "assistant"; ++i) {
      const std::string& text = blocks[i].text.value_or("");
      const bool is_own = std::count(own.begin(), own.end(), text) > 0;
      if (blocks[i].kind != AskedKind::text || !begins_with(text, kBannerBegins) || is_own) continue;
      Banner banner{turn, i, blocks[i].at, text, {}, false, true};
      for (const std::string& one : own) {
        const std::string_view said = trimmed(one);
        if (!trimmed(text).ends_with(said) || said.size() <= banner.rest.size()) continue;
        banner.rest = said;
        banner.text = text.substr(0, text.rfind(said));
      }
      // A result in words may follow the banner in the same block.
      const std::size_t result = banner.text.find(std::string("\n") + std::string(kResultOpens));
      AskedTurn others = got.turns[turn];
      others.blocks[i].text = result == kNotThere ? banner.rest : banner.text.substr(result);
      banner.behind_result = begins_with_result(others);
      banner.first = std::none_of(
          blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(i), [](const AskedBlock& block) {
            return block.kind == AskedKind::image || !is_blank(block.text.value_or(""));
          });
      banners.push_back(std::move(banner));
    }
  }
  return banners;
}

json banner_documents(const AskedRequest& got, const AskedRequest* asked) {
  json documents = json::array();
  for (const Banner& banner : banners_in(got, asked)) {
    json told = {{"at", banner.at}, {"text", banner.text}, {"behind_result", banner.behind_result}};
    if (asked != nullptr) {
      const bool demands = lower_case(banner.text).find(kDemand) != banner.text.npos;
      std::size_t most = demands ? kLongestDemandingBanner : kLongestBanner;
      for (std::size_t i = kToolsOfABanner; i < asked->tools.size(); ++i)
        most += asked->tools[i].name.value_or("").size() + kLeewayOfAName;
      told["room"] =
          static_cast<std::int64_t>(most) - static_cast<std::int64_t>(count_characters(banner.text));
    }
    documents.push_back(std::move(told));
  }
  return documents;
}

std::string narrowed_id(const std::string& id) {
  std::string narrow;
  for (const char c : id)
    if (is_name({&c, 1}) || c == '.' || c == ':') narrow += c;
  narrow = narrow.substr(0, kLongestId);
  return narrow.empty() ? std::string(kUnknownId) : narrow;
}

std::vector<AskedTurn> turns_out_of_words(const std::vector<AskedTurn>& turns,
                                          const std::vector<std::string>& ids) {
  std::vector<AskedTurn> structured;
  std::size_t calls = 0;
  for (const AskedTurn& turn : turns) {
    AskedTurn& told = structured.emplace_back(turn);
    told.blocks.clear();
    for (const AskedBlock& block : turn.blocks) {
      const bool is_text = block.kind == AskedKind::text && block.text;
      if (is_text && turn.role == "assistant" && block.text->find(kCallOpens) != block.text->npos) {
        deal_out_calls(block, told.blocks);
      } else if (is_text && turn.role == "user" && begins_with(*block.text, kResultOpens)) {
        deal_out_results(block, told.blocks);
      } else {
        told.blocks.push_back(block);
      }
    }
    for (AskedBlock& block : told.blocks) {
      if (block.kind != AskedKind::call) continue;
      const std::size_t number = calls++;
      if (!block.id && number < ids.size()) block.id = ids[number];
    }
  }
  return structured;
}

bool same_but_harmless(std::string_view text, std::string_view got) {
  const auto core = [](std::string_view one) {
    std::string letters;
    while (!one.empty()) {
      const auto escape = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                       [&](std::string_view word) { return one.starts_with(word); });
      if (escape != std::end(kEscapes)) {
        one.remove_prefix(escape->size());
        continue;
      }
      const char c = lower_case(one[0]);
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) letters += c;
      one.remove_prefix(1);
    }
    return letters;
  };
  return core(text) == core(got);
}

}  // namespace splitproof::observe
