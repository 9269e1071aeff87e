#include "harness/evidence/answer_trace.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/evidence/shown_text.hpp"
#include "harness/utf8.hpp"

namespace splitproof::evidence {
namespace {

using nlohmann::json;
using observe::DemandedAnswer;
using observe::ReadAnswer;
using observe::ReadCall;
using Outcome = DemandedAnswer::Outcome;

// A member with two values, for `split` events.
struct SplitDifference {
  std::string type;
  std::string sent;
  std::string reported;
  bool is_character = false;  // the bytes of a cut character became U+FFFD
};

// A member of an answer, in a form that is compared and shown.
struct Member {
  std::string type;  // of its event
  std::string value;
  std::size_t number = 0;  // of its call, counted from 1; 0: not of a call

  bool operator==(const Member&) const = default;
};

std::string names_of(const ReadAnswer& answer) {
  std::string names;
  for (const ReadCall& call : answer.calls) names += (names.empty() ? "" : ", ") + call.name;
  return names.empty() ? "no calls" : names;
}

std::string shown_count(const std::optional<std::uint64_t>& count) {
  return count ? std::to_string(*count) : "no count";
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::size_t replacements_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(kReplacement); at != text.npos; at = text.find(kReplacement, at + 1))
    ++count;
  return count;
}

class AnswerTrace {
 public:
  AnswerTrace(const observe::ReadBody& stream, const DemandedAnswer& demanded,
              const testee::Observation& seen, const ReadAnswer& told, const ReadAnswer* original)
      : stream_(stream),
        demanded_(demanded),
        seen_(seen),
        told_(told),
        original_(original),
        cuts_character_(std::any_of(stream.cuts.begin(), stream.cuts.end(), [&](std::size_t cut) {
          return cut < stream.body.size() && continues_character(stream.body[cut]);
        })) {
    end_ = seen.body.size();
    begin_ = end_ - observe::answer_line(seen.body).size();
  }

  observe::Trace make() {
    const bool has_content =
        demanded_.unjudged.empty() && demanded_.outcome == Outcome::success && !told_.error;
    if (has_content) add_members();
    add_outcome();
    add_split(has_content);
    if (has_content) add_told();
    return std::move(trace_);
  }

 private:
  void add(const char* type, json document) {
    document["type"] = type;
    observe::Event event;
    event.data = document.dump();
    event.json = std::make_shared<const json>(std::move(document));
    event.begin = begin_;
    event.end = end_;
    trace_.events.push_back(std::move(event));
  }

  // Adds a member that the stream has. `differs` is true if the client reported another value, and `was_right` if it
  // reported the right one for the original chunks. Then the split is the reason, as it is for a cut character.
  void add_member(const char* type, const std::string& sent, const std::string& reported, bool differs,
                  bool was_right, std::size_t number = 0) {
    const bool is_character = differs && cuts_character_ && replacements_in(reported) > replacements_in(sent);
    const bool counts = differs && !was_right && !is_character;
    if (differs && !counts && !split_) split_ = SplitDifference{type, sent, reported, is_character};
    const std::size_t begin = counts ? begin_of_shown(sent, reported) : 0;
    json document = {{"sent", shown_text(sent, begin)},
                     {"reported", shown_text(counts ? reported : sent, begin)}};
    if (number > 0) document["number"] = number;
    if (counts && document["sent"] == document["reported"]) document["reported"] = reported;
    add(type, std::move(document));
  }

  // True if the original answer has this property, so that only the split can be the reason if this one lacks it.
  template <class Property>
  bool was(const Property& holds) const {
    return original_ != nullptr && !original_->error && holds(*original_);
  }

  void add_members() {
    const ReadAnswer& sent = demanded_.answer;
    const bool lost_thinking = told_.has("thinking") && told_.thinking != sent.thinking;
    // Thinking in the text is one error.
    const bool is_mixed = lost_thinking && told_.text == demanded_.prose;
    if (told_.has("text"))
      add_member("text", sent.text, told_.text,
                 told_.text != sent.text && told_.text != demanded_.said && !is_mixed,
                 was([&](const ReadAnswer& one) { return one.text == sent.text; }));
    if (told_.has("thinking"))
      add_member("thinking", sent.thinking, told_.thinking, lost_thinking,
                 was([&](const ReadAnswer& one) { return one.thinking == sent.thinking; }));
    if (told_.has("calls")) add_calls();
    if (told_.has("stop") && !sent.stop.empty())
      add_member("stop", sent.stop, told_.stop.empty() ? "no word" : told_.stop, told_.stop != sent.stop,
                 was([&](const ReadAnswer& one) { return one.stop == sent.stop; }));
    if (told_.has("usage")) add_usage();
  }

  void add_calls() {
    const ReadAnswer& sent = demanded_.answer;
    const std::string names = names_of(sent);
    const bool differ = names_of(told_) != names;
    if (!sent.calls.empty() || differ)
      add_member("calls", names, names_of(told_), differ,
                 was([&](const ReadAnswer& one) { return names_of(one) == names; }));
    for (std::size_t i = 0; !differ && i < sent.calls.size(); ++i) {
      const ReadCall& call = sent.calls[i];
      const ReadCall& told = told_.calls[i];
      const auto original = [&](const ReadAnswer& one) {
        return i < one.calls.size() ? one.calls[i] : ReadCall();
      };
      const bool is_open = i < demanded_.has_open_arguments.size() && demanded_.has_open_arguments[i];
      if (!is_open)
        add_member("arguments", call.arguments, told.arguments,
                   !observe::are_equal_arguments(call.arguments, told.arguments),
                   was([&](const ReadAnswer& one) {
                     return observe::are_equal_arguments(original(one).arguments, call.arguments);
                   }),
                   i + 1);
      if (told_.has("ids") && !call.id.empty())
        add_member("id", call.id, told.id.empty() ? "no id" : told.id, told.id != call.id,
                   was([&](const ReadAnswer& one) { return original(one).id == call.id; }), i + 1);
    }
  }

  void add_usage() {
    for (const auto& [name, count] :
         {std::pair("input", &ReadAnswer::input), {"output", &ReadAnswer::output}}) {
      const auto& sent = demanded_.answer.*count;
      if (!sent) continue;
      const auto member = count;
      add_member("usage", std::string(name) + " " + shown_count(sent),
                 std::string(name) + " " + shown_count(told_.*member), told_.*member != sent,
                 was([&](const ReadAnswer& one) { return one.*member == sent; }));
    }
  }

  void add_outcome() {
    if (!told_.has("error") || demanded_.outcome == Outcome::open) return;
    const std::string reported = told_.error          ? "the error " + shown_text(*told_.error)
                                 : told_.stop.empty() ? "success, without a word for the end"
                                                      : "success, with the word " + told_.stop;
    json document = {{"reported", reported}};
    switch (demanded_.outcome) {
      case Outcome::success:
        document["kind"] = "complete";
        document["wrong"] = told_.error && !was([](const ReadAnswer&) { return true; });
        break;
      case Outcome::incomplete:
        document["kind"] = "broken-off";
        document["wrong"] = !told_.error && told_.has("stop") && !told_.stop.empty();
        break;
      case Outcome::broken_off:
        document["kind"] = "broken-off";
        document["wrong"] = !told_.error;
        break;
      case Outcome::failed:
      case Outcome::open:
        document["kind"] = "failed";
        document["wrong"] = !told_.error;
        break;
    }
    add("outcome", std::move(document));
  }

  // Ids that are not in the stream are the client's own, and may be new each time.
  std::vector<Member> compared(const ReadAnswer& answer) const {
    std::vector<Member> members{{"error", answer.error ? "an error" : "no error"}};
    if (answer.error) return members;
    members.push_back({"text", answer.text});
    members.push_back({"thinking", answer.thinking});
    members.push_back({"calls", names_of(answer)});
    for (std::size_t i = 0; i < answer.calls.size(); ++i) {
      const ReadCall& call = answer.calls[i];
      members.push_back({"arguments", call.arguments, i + 1});
      const bool is_sent = !call.id.empty() && stream_.body.find(call.id) != stream_.body.npos;
      members.push_back({"id", is_sent ? call.id : "an id of its own", i + 1});
    }
    members.push_back({"stop", answer.stop});
    members.push_back(
        {"usage", "input " + shown_count(answer.input) + ", output " + shown_count(answer.output)});
    return members;
  }

  // Returns the first member that differs from the answer for the original chunks.
  std::optional<SplitDifference> difference_from_original() const {
    const std::vector<Member> here = compared(told_);
    const std::vector<Member> there = compared(*original_);
    const auto [mine, theirs] = std::mismatch(here.begin(), here.end(), there.begin(), there.end());
    if (mine == here.end() || theirs == there.end()) return std::nullopt;
    const bool is_character =
        cuts_character_ && replacements_in(mine->value) > replacements_in(theirs->value);
    return SplitDifference{mine->type, theirs->value, mine->value, is_character};
  }

  // Adds the difference that this split makes. If the content is judged, add_member() has found it: an answer that is right
  // here is no error, even if it was wrong for the original chunks.
  void add_split(bool is_judged) {
    if (original_ == nullptr) return;
    if (!is_judged) split_ = difference_from_original();
    if (cuts_character_) add_comparison("character", split_ && split_->is_character);
    add_comparison("answer", split_ && !split_->is_character);
  }

  void add_comparison(const char* kind, bool differs) {
    json document = {{"kind", kind}, {"sent", "this answer"}, {"reported", "this answer"}};
    if (differs) {
      const std::size_t begin = begin_of_shown(split_->sent, split_->reported);
      document["member"] = split_->type;
      document["sent"] = split_->type + " " + shown_text(split_->sent, begin);
      document["reported"] = split_->type + " " + shown_text(split_->reported, begin);
      if (document["sent"] == document["reported"])
        document["reported"] = split_->type + " " + split_->reported;
    }
    add("split", std::move(document));
  }

  void add_told() {
    if (!told_.has("text") || told_.text != demanded_.answer.text) return;
    for (const testee::Release& release : seen_.releases) {
      const auto place = std::find_if(demanded_.text_after.begin(), demanded_.text_after.end(),
                                      [&](const auto& one) { return one.first == release.offset; });
      if (place == demanded_.text_after.end()) continue;
      const std::string_view lines = std::string_view(seen_.body).substr(0, release.downstream);
      json document = {{"after", release.offset}, {"due", place->second}};
      document["told"] = observe::told_in(lines).value_or(0);
      document["late"] = !release.met && document["told"] < document["due"];
      add("told", std::move(document));
    }
  }

  const observe::ReadBody& stream_;
  const DemandedAnswer& demanded_;
  const testee::Observation& seen_;
  const ReadAnswer& told_;
  const ReadAnswer* original_;
  std::size_t begin_ = 0;  // of the answer in the report
  std::size_t end_ = 0;
  const bool cuts_character_;
  std::optional<SplitDifference> split_;  // the difference that the split made
  observe::Trace trace_;
};

}  // namespace

observe::Trace answer_trace(const observe::ReadBody& stream, const DemandedAnswer& demanded,
                            const testee::Observation& observation, const ReadAnswer* original) {
  const std::optional<ReadAnswer> told = observe::reported_answer(observation.body);
  return told ? AnswerTrace(stream, demanded, observation, *told, original).make() : observe::Trace();
}

}  // namespace splitproof::evidence
