#include "proxy/dialect/openai_chat/thoughts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {

using turn::Event;
using wire::Json;

void ChatThoughts::read(const Json& delta, Events& events) {
  std::array<List, 2> lists = {details(delta["reasoning_details"]), blocks(delta["thinking_blocks"])};
  const std::string content = delta["reasoning_content"].text();
  const std::string reasoning = delta["reasoning"].text();
  const std::string& listed = lists[lists[0].text.empty() ? 1 : 0].text;
  const bool comes_late = take_unlisted(content.empty() ? reasoning : content, listed);
  for (List& list : lists) list.repeats = repeats(list) || (comes_late && list.text == listed);
  const std::array<std::pair<std::string_view, std::string>, 4> sources = {{{"reasoning_content", content},
                                                                            {"reasoning", reasoning},
                                                                            {lists[0].key, lists[0].text},
                                                                            {lists[1].key, lists[1].text}}};
  const auto is_new_text = [&](const auto& source) {
    const auto is_again = [&](const List& list) { return list.repeats && list.text == source.second; };
    return !source.second.empty() && std::none_of(lists.begin(), lists.end(), is_again);
  };
  List* divided = nullptr;  // The list that divides the new thinking into thoughts.
  if (const auto said = std::find_if(sources.begin(), sources.end(), is_new_text); said != sources.end()) {
    for (List& list : lists) {
      const bool has_more = divided == nullptr || list.ends > divided->ends;
      if (list.text == said->second && has_more) divided = &list;
    }
    if (divided == nullptr) {
      take(said->first, said->second, events);
    } else {
      under_ = said->first;
      ++pieces_;
      walk(*divided, events);
    }
  }
  for (List& list : lists) {
    if (&list == divided) continue;
    if (list.text.empty())
      walk(list, events);
    else
      read_ends(list, events);
  }
}

ChatThoughts::List ChatThoughts::details(const Json& list) {
  List read{"reasoning_details", {}, {}, 0, {}, false};
  for (Json element = list.first(); element; element = element.next()) {
    Entry entry{
        element["text"].text(), wire::whole(element["signature"].text()), {}, element["index"].count()};
    if (entry.text.empty()) entry.text = element["summary"].text();
    const std::string format = element["format"].text();
    const bool readable_there = format.empty() || format.starts_with("anthropic");
    if (element["type"].text() == "reasoning.encrypted" && readable_there)
      entry.sealed = wire::whole(element["data"].text());
    add(std::move(entry), read);
  }
  return read;
}

ChatThoughts::List ChatThoughts::blocks(const Json& list) {
  List read{"thinking_blocks", {}, {}, 0, {}, false};
  for (Json element = list.first(); element; element = element.next()) {
    Entry entry{element["thinking"].text(), wire::whole(element["signature"].text()), {}, {}};
    if (element["type"].text() == "redacted_thinking") entry.sealed = wire::whole(element["data"].text());
    add(std::move(entry), read);
  }
  return read;
}

void ChatThoughts::add(Entry entry, List& list) {
  if (!entry.says_something()) return;
  list.text += entry.text;
  if (!entry.signature.empty() || !entry.sealed.empty()) ++list.ends;
  if (!entry.signature.empty()) list.last_signature = entry.signature;
  list.entries.push_back(std::move(entry));
}

// Takes a delta's thinking outside of lists, and in a list. Returns true if there is only a list, and it repeats the
// thinking outside of lists since the last list.
bool ChatThoughts::take_unlisted(std::string_view text, std::string_view listed) {
  const bool repeats = !listed.empty() && unlisted_.is(listed);
  if (!listed.empty()) unlisted_ = {};
  if (listed.empty() || repeats) unlisted_.add(text);
  return repeats && text.empty();
}

// True if a list is a snapshot. If the last thought is signed, a list with another signature is another thought.
bool ChatThoughts::repeats(const List& list) const {
  const bool is_signed = !list.last_signature.empty();
  const bool may_repeat = is_signed || (pieces_ > 1 && under_ != list.key);
  const bool signs_again = is_signed && !unsigned_ && marks_.count(mark_of(list.last_signature)) == 0;
  return may_repeat && !signs_again && says_last_thoughts(list);
}

// True if a list repeats thinking exactly. Its text is the last thought or all thoughts, or each entry is one of the
// last thoughts.
bool ChatThoughts::says_last_thoughts(const List& list) const {
  if (list.text.empty() || thoughts_.empty()) return false;
  if (thoughts_.back().is(list.text) || all_thoughts_.is(list.text)) return true;
  std::vector<std::string> texts;
  for (const Entry& entry : list.entries) {
    if (!entry.text.empty()) texts.push_back(entry.text);
  }
  return texts.size() <= thoughts_.size() &&
         std::equal(thoughts_.rbegin(), thoughts_.rbegin() + static_cast<std::ptrdiff_t>(texts.size()),
                    texts.rbegin(),
                    [](const Said& thought, const std::string& text) { return thought.is(text); });
}

void ChatThoughts::walk(List& list, Events& events) {
  for (Entry& entry : list.entries) {
    const bool is_another = entry.index && index_ && entry.index != index_;
    if (is_another) {
      if (std::exchange(thinks_, false)) events.push_back(turn::Close{0});
      unsigned_ = false;
    }
    say(std::move(entry.text), events);
    if (entry.index) index_ = entry.index;
    sign(std::move(entry.signature), is_another, events);
    seal(std::move(entry.sealed), events);
  }
}

// Reads a list's additions to known thinking.
void ChatThoughts::read_ends(List& list, Events& events) {
  if (thinks_) sign(std::move(list.last_signature), false, events);
  for (Entry& entry : list.entries) seal(std::move(entry.sealed), events);
}

void ChatThoughts::take(std::string_view key, std::string text, Events& events) {
  if (text.empty()) return;
  under_ = key;
  ++pieces_;
  say(std::move(text), events);
}

void ChatThoughts::say(std::string text, Events& events) {
  if (text.empty()) return;
  if (!std::exchange(thinks_, true)) {
    thoughts_.emplace_back();
    unsigned_ = true;
    index_.reset();
  }
  thoughts_.back().add(text);
  all_thoughts_.add(text);
  events.push_back(turn::Prose{turn::BlockKind::thinking, std::move(text)});
}

// Sends a signature. Without a current thought, a repeated signature is ignored unless it is of another thought.
void ChatThoughts::sign(std::string signature, bool is_another, Events& events) {
  const bool is_late = !thinks_ && unsigned_;
  if (signature.empty() || is_late) return;
  if (!is_new(signature, events) && !thinks_ && !is_another) return;
  thinks_ = false;
  unsigned_ = false;
  events.push_back(turn::Signature{std::move(signature), true});
}

void ChatThoughts::seal(std::string data, Events& events) {
  if (data.empty() || !is_new(data, events)) return;
  thinks_ = false;
  events.push_back(turn::Sealed{std::move(data)});
}

bool ChatThoughts::is_new(std::string_view text, Events& events) {
  const bool added = marks_.insert(mark_of(text)).second;
  if (marks_.size() > most_)
    events.push_back(
        turn::Failure{turn::ErrorKind::api, "the upstream signed more thoughts than one message may hold"});
  return added;
}

}  // namespace splitproof::proxy::dialect
