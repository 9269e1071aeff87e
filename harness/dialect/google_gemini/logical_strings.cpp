// Content of a stream of Gemini, and its places.

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/dialect/google_gemini/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;

class GeminiStrings {
 public:
  explicit GeminiStrings(const Draft& draft) : draft_(draft) {}

  std::vector<LogicalString> all() && {
    for (std::size_t i = 0; i < draft_.size(); ++i) {
      envelope(i, "frame.id", "/responseId");
      envelope(i, "frame.model", "/modelVersion");
      const std::string base = "/candidates/0/content/parts";
      const json& parts = draft_.at({i, base});
      for (std::size_t k = 0; parts.is_array() && k < parts.size(); ++k)
        part(i, base + "/" + std::to_string(k) + "/", parts[k]);
    }
    return std::move(strands_);
  }

 private:
  void envelope(std::size_t event, std::string_view what, const std::string& field) {
    if (!draft_.at({event, field}).is_string()) return;
    const auto [place, is_new] = frame_.emplace(what, strands_.size());
    if (is_new) {
      strands_.push_back({what, {{event, field}}, {}});
    } else {
      strands_[place->second].repeats.push_back({"later", {event, field}});
    }
  }

  void part(std::size_t event, const std::string& base, const json& part) {
    if (const json& text = member(part, "text"); text.is_string() && text != "") {
      const std::string_view what = member(part, "thought") == true ? "thinking" : "text";
      if (run_ != what) strands_.push_back({what, {}, {}});
      if (run_ != what) run_at_ = strands_.size() - 1;
      run_ = what;
      strands_[run_at_].pieces.push_back({event, base + "text"});
    }
    const json& call = member(part, "functionCall");
    if (call.is_object()) run_ = "";
    for (const auto& [what, value, field] :
         {std::tuple("call.name", &member(call, "name"), "functionCall/name"),
          {"call.id", &member(call, "id"), "functionCall/id"},
          {"signature", &member(part, "thoughtSignature"), "thoughtSignature"}})
      if (value->is_string() && *value != "") strands_.push_back({what, {{event, base + field}}, {}});
  }

  const Draft& draft_;
  std::vector<LogicalString> strands_;
  std::map<std::string_view, std::size_t> frame_;
  std::string_view run_;    // the kind of the last run of text
  std::size_t run_at_ = 0;  // its place among the strands
};

}  // namespace

std::span<const LogicalStringClass> gemini_strand_classes() {
  static constexpr auto kLater = std::to_array<std::string_view>({"later"});
  static constexpr auto kAll = std::to_array<LogicalStringClass>({
      {"text", StringKind::prose, true, {}},
      {"thinking", StringKind::prose, true, {}},
      {"call.name", StringKind::name, false, {}},
      {"call.id", StringKind::id, false, {}},
      {"signature", StringKind::sealed, false, {}},
      {"frame.id", StringKind::id, false, kLater, true},
      {"frame.model", StringKind::id, false, kLater, true},
  });
  return kAll;
}

std::vector<LogicalString> gemini_strands(const Draft& draft) { return GeminiStrings(draft).all(); }

}  // namespace splitproof::dialect
