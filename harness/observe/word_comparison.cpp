#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/observe/preamble_reading.hpp"
#include "harness/observe/preamble_words.hpp"
#include "harness/observe/retained_text.hpp"
#include "harness/observe/shapes_in_words.hpp"
#include "harness/observe/trimmed.hpp"
#include "harness/observe/word_reader.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

bool speaks_for_system(const AskedTurn& turn) { return turn.role == "system" || turn.role == "developer"; }

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

}  // namespace

std::vector<std::string> WordReader::declared(const AskedRequest& asked) {
  std::vector<std::string> names;
  for (const OfferedTool& tool : asked.tools)
    if (tool.name) names.push_back(*tool.name);
  return names;
}

json WordReader::dangling() const {
  const Said& got = result_.got_said;
  const auto is_chosen = [&got](const auto& tool) { return tool.name == *got.chosen; };
  const bool known = !got.chosen || std::any_of(got.tools.begin(), got.tools.end(), is_chosen) ||
                     std::any_of(sent_.tools.begin(), sent_.tools.end(), is_chosen);
  return known ? json::array() : json::array({*got.chosen});
}

void WordReader::compare_names() {
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
    // Arguments that are not JSON may become any object.
    const bool may_be_any = wanted[i].input.is_string() && sent[i].input.is_object();
    calls[1].push_back({{"name", sent[i].name}, {"input", may_be_any ? wanted[i].input : sent[i].input}});
  }
  put_any("renamed_calls", calls[0], calls[1]);
}

std::string WordReader::proxy_words() const {
  std::string words = blocks_.tools.value_or("");
  for (const Banner& banner : banners_) words += "\n" + banner.text;
  return words;
}

json WordReader::said_of(const std::vector<std::string>& names, const std::string& text) {
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

void WordReader::compare_preamble() {
  const bool offers = offers_tools(client_);
  std::vector<std::string> names = offers ? offered() : std::vector<std::string>();
  const auto last = last_of_user(sent_);
  const bool wants_banner =
      offers && last && !begins_with_result(sent_.turns[*last]) && !is_banner_on_result(*last);
  json places = json::array();
  for (const Banner& banner : banners_) {
    if (banner.behind_result) continue;  // reported separately
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

bool WordReader::is_banner_on_result(std::size_t turn) const {
  return std::any_of(banners_.begin(), banners_.end(),
                     [turn](const Banner& banner) { return banner.turn == turn && banner.behind_result; });
}

void WordReader::compare_images() {
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

void WordReader::compare_results() {
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
      if (turn.role != "assistant" && !speaks_for_system(turn) && breaks_out && !own) forged.push_back(text);
    }
  }
  put("forged", json::array(), std::move(forged));
  put("result_ids", json::array(), std::move(broad));
  // A harmless version is as good.
  std::vector<SaidResult>& sent = result_.got_said.results;
  for (std::size_t i = 0; i < sent.size() && sent.size() == result_.said.results.size(); ++i) {
    const std::string& wanted = result_.said.results[i].text;
    const bool forges = holds_any(wanted, std::array{kCallOpens, kCallCloses, kResultOpens, kResultCloses});
    if (forges ? same_but_harmless(wanted, sent[i].text) : trimmed(wanted) == trimmed(sent[i].text))
      sent[i].text = wanted;
  }
}

json WordReader::exchanges(const AskedRequest& request) {
  json all = json::array();
  for (const AskedTurn& turn : request.turns) {
    for (const AskedBlock& block : turn.blocks) {
      if (block.kind == AskedKind::call) all.push_back("call");
      if (block.kind == AskedKind::result) all.push_back("result");
    }
  }
  return all;
}

template <class Words>
json WordReader::with_words(const char* role, const Words& words) const {
  json found = json::array();
  const std::string own = all_text(result_.asked, role);
  for_each_text(result_.got, role, [&](const std::string& text) {
    for (const std::string_view word : words)
      if (text.find(word) != text.npos && own.find(word) == own.npos) return found.push_back(text);
  });
  return found;
}

void WordReader::compare_history() {
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

void WordReader::compare_paragraphs() {
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

void WordReader::flatten() {
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

}  // namespace splitproof::observe
