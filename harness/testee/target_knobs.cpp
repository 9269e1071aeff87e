#include "harness/testee/target_knobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::testee {
namespace {

constexpr std::string_view kOpening = "{knob:";
constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

// Inserts the answers, and remembers the first knob without an answer.
class KnobAnswers {
 public:
  explicit KnobAnswers(const std::map<std::string, std::string>& knobs) : knobs_(knobs) {}

  void put_into(std::string& text) {
    std::size_t at = text.find(kOpening);
    while (at != std::string::npos) {
      const std::size_t begin = at + kOpening.size();
      const std::size_t end = text.find_first_not_of(kNameCharacters, begin);
      const bool is_name = end != std::string::npos && end > begin && text[end] == '}';
      if (is_name) {
        const std::string answer = answer_to(text.substr(begin, end - begin));
        text.replace(at, end + 1 - at, answer);
        at += answer.size();
      } else {
        at = begin;
      }
      at = text.find(kOpening, at);
    }
  }

  const std::string& missing() const { return missing_; }

 private:
  std::string answer_to(const std::string& knob) {
    const auto set = knobs_.find(knob);
    if (set != knobs_.end()) return set->second;
    if (missing_.empty()) missing_ = knob;
    return {};
  }

  const std::map<std::string, std::string>& knobs_;
  std::string missing_;
};

}  // namespace

Result<TargetFile> with_knobs(TargetFile target, const std::map<std::string, std::string>& knobs) {
  KnobAnswers answers(knobs);
  for (std::string& word : target.command) answers.put_into(word);
  for (auto& [path, text] : target.files) answers.put_into(text);
  for (auto& [name, value] : target.env) answers.put_into(value);
  if (answers.missing().empty()) return target;
  std::vector<std::string_view> known;
  for (const auto& [knob, value] : knobs) known.push_back(knob);
  return tl::unexpected(Error{
      fmt::format("the target asks for the knob '{}', which the profile does not set", answers.missing()),
      target.path, 0, fmt::format("use one of: {}", fmt::join(known, ", "))});
}

}  // namespace splitproof::testee
