#include "harness/dialect/openai_chat/thinking.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>

#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

/// What stands under one key of a delta.
struct Source {
  std::string_view key;
  std::string text;
  std::vector<std::string> elements;  ///< of a list, those that say something
  std::size_t signatures = 0;
  bool again = false;
};

Source list_of(const observe::WireJson& delta, std::string_view key,
               std::initializer_list<std::string_view> texts, std::string& signature) {
  Source list{key, {}, {}, 0, false};
  const observe::WireJson& elements = delta.at(key);
  if (!elements.is(observe::WireJson::Kind::array)) return list;
  for (const observe::WireJson& element : elements.children) {
    const std::string_view signed_by = element.at("signature").string();
    if (!signed_by.empty()) {
      signature = signed_by;
      ++list.signatures;
    }
    const auto* const said = std::find_if(texts.begin(), texts.end(), [&](std::string_view text) {
      return !element.at(text).string().empty();
    });
    if (said == texts.end()) continue;
    const std::string_view text = element.at(*said).string();
    list.text += text;
    list.elements.push_back(observe::replace_surrogates(text));
  }
  return list;
}

bool says_all(const std::string& text, const std::vector<std::string_view>& thoughts) {
  const std::size_t size =
      std::accumulate(thoughts.begin(), thoughts.end(), std::size_t{0},
                      [](std::size_t sum, std::string_view thought) { return sum + thought.size(); });
  if (text.size() != size) return false;
  std::string_view rest = text;
  return std::all_of(thoughts.begin(), thoughts.end(), [&rest](std::string_view thought) {
    if (!rest.starts_with(thought)) return false;
    rest.remove_prefix(thought.size());
    return true;
  });
}

bool repeats(const Source& list, const ChatThinking& past) {
  const bool may = list.signatures > 0 || (past.pieces > 1 && past.key != list.key);
  if (!may || list.elements.empty() || past.thoughts.empty()) return false;
  const std::string said = observe::replace_surrogates(list.text);
  if (said == past.thoughts.back() || (past.all && says_all(said, past.thoughts))) return true;
  return list.elements.size() <= past.thoughts.size() &&
         std::equal(list.elements.rbegin(), list.elements.rend(), past.thoughts.rbegin());
}

/// True if the text may be a repetition that nothing proves: it equals what was said, begins with all of it, or is signed and
/// the beginning of it. A lone piece is often followed by an equal one.
bool may_repeat(const Source& source, const ChatThinking& past) {
  if (past.thoughts.empty() || past.thoughts.back().empty()) return false;
  if (past.pieces < 2 && past.key == source.key && source.signatures == 0) return false;
  const std::string said = observe::replace_surrogates(source.text);
  return said.starts_with(past.thoughts.back()) ||
         (source.signatures > 0 && past.thoughts.back().starts_with(said));
}

}  // namespace

DeltaThinking read_thinking(const observe::WireJson& delta, const ChatThinking& past) {
  DeltaThinking read;
  Source details = list_of(delta, "reasoning_details", {"text", "summary"}, read.signature);
  Source blocks = list_of(delta, "thinking_blocks", {"thinking"}, read.signature);
  Source content{"reasoning_content", std::string(delta.at("reasoning_content").string()), {}, 0, false};
  Source reasoning{"reasoning", std::string(delta.at("reasoning").string()), {}, 0, false};
  Source* const sources[] = {&content, &reasoning, &details, &blocks};
  for (Source* list : {&details, &blocks}) {
    list->again = repeats(*list, past);
    const bool one_thought = list->again && observe::replace_surrogates(list->text) == past.thoughts.back();
    read.in_parts |= one_thought && list->signatures > 1;
  }
  for (Source* source : sources) {
    source->again |=
        (details.again && source->text == details.text) || (blocks.again && source->text == blocks.text);
  }
  std::size_t saying = 0;
  for (const Source* source : sources) {
    if (source->text.empty()) continue;
    ++saying;
    read.again |= source->again;
    if (source->again || !read.key.empty()) continue;
    read.key = source->key;
    read.text = source->text;
    read.unclear = may_repeat(*source, past);
  }
  read.several = saying > 1;
  return read;
}

}  // namespace splitproof::dialect
