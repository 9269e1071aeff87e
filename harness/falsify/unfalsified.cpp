#include "harness/falsify/unfalsified.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/contract/yaml_node.hpp"

namespace splitproof::falsify {
namespace {

using contract::YamlMap;
using contract::YamlNode;

std::size_t number_of(const std::string& text, const contract::Obligation& rule, std::size_t line) {
  const std::size_t clauses = rule.clauses.size();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > clauses) {
    contract::refuse(line, fmt::format("{} has no clause '{}'", rule.id, text),
                     clauses == 1 ? "its only clause is 1" : fmt::format("its clauses are 1 to {}", clauses));
  }
  return number - 1;
}

void read_entry(const YamlNode& item, const contract::Contracts& contracts, const std::string& path,
                std::vector<Unfalsified>& all) {
  const YamlMap entry(item, "an entry", {"rule", "clauses", "why"});
  const YamlNode& id = entry.need("rule");
  const contract::Obligation* rule = contracts.find(contract::scalar_text(id, "rule"));
  if (rule == nullptr)
    contract::refuse(id.line, fmt::format("there is no rule '{}'", id.text), "correct the id");
  const std::string& why = contract::scalar_text(entry.need("why"), "why");
  const YamlNode& clauses = entry.need("clauses");
  for (const std::string& text : contract::scalar_texts(clauses, "clauses")) {
    const std::size_t clause = number_of(text, *rule, clauses.line);
    const auto earlier = std::find_if(all.begin(), all.end(), [&](const Unfalsified& one) {
      return one.rule == rule->id && one.clause == clause;
    });
    if (earlier != all.end()) {
      contract::refuse(clauses.line, fmt::format("clause {} of {} occurs twice", text, rule->id),
                       fmt::format("remove one; the first is at {}:{}", earlier->file, earlier->line));
    }
    all.push_back({rule->id, clause, why, path, item.line});
  }
}

}  // namespace

Result<std::vector<Unfalsified>> load_unfalsified(const std::vector<std::filesystem::path>& dirs,
                                                  const contract::Contracts& contracts) {
  std::vector<Unfalsified> all;
  std::string path;
  try {
    for (const std::filesystem::path& dir : dirs) {
      for (const std::filesystem::path& file : contract::yaml_files(dir / "unfalsified")) {
        path = file.string();
        const YamlNode node = contract::read_yaml(path);
        const YamlNode& list = YamlMap(node, "the file", {"unfalsified"}).need("unfalsified");
        if (!list.is_list())
          contract::refuse(list.line, "'unfalsified' must be a list", "write - {rule:, clauses:, why:}");
        for (const YamlNode& item : list.items) read_entry(item, contracts, path, all);
      }
    }
  } catch (contract::Mistake& mistake) {
    if (mistake.error.file.empty()) mistake.error.file = path;
    return tl::unexpected(std::move(mistake.error));
  }
  return all;
}

}  // namespace splitproof::falsify
