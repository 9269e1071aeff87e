#include "proxy/request/renaming.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "proxy/request/escaped.hpp"

namespace splitproof::request {
namespace {

// Calls `visit` with every escaped name of a tool in a request.
template <class Visit>
void each_name(Asked& asked, Visit visit) {
  for (Tool& tool : asked.tools) visit(tool.name);
  for (Turn& turn : asked.turns) {
    for (Block& block : turn.blocks) {
      if (auto* call = std::get_if<Call>(&block)) visit(call->name);
    }
  }
  if (asked.choice == Choice::one) visit(asked.chosen);
}

std::string unused(const std::string& name, std::size_t most, const std::set<std::string>& used) {
  if (used.count(name) == 0) return name;
  for (std::size_t number = 2;; ++number) {
    const std::string suffix = std::to_string(number);
    std::string next = name.substr(0, most - suffix.size()) + suffix;
    if (used.count(next) == 0) return next;
  }
}

void tell(const std::string& own, const std::string& name, std::vector<Alias>& aliases) {
  const auto known =
      std::find_if(aliases.begin(), aliases.end(), [&](const Alias& alias) { return alias.name == own; });
  if (known == aliases.end())
    aliases.push_back({name, false, {}, own});
  else
    known->name = name;
}

}  // namespace

void rename_tools(const ToolNames& names, Asked& asked) {
  if (names.fitted == nullptr) return;
  std::set<std::string> used;
  std::map<std::string, std::string> renamed;
  each_name(asked, [&](const std::string& name) {
    if (std::string said = plain(name); names.fitted(said) == said) used.insert(std::move(said));
  });
  std::vector<Alias> aliases = asked.aliases;
  each_name(asked, [&](std::string& name) {
    const std::string said = plain(name);
    if (names.fitted(said) == said) return;
    auto [entry, is_new] = renamed.try_emplace(said);
    if (is_new) {
      entry->second = unused(names.fitted(said), names.most, used);
      used.insert(entry->second);
      tell(said, entry->second, aliases);
    }
    name = escaped(entry->second);
  });
  asked.aliases = std::move(aliases);
}

}  // namespace splitproof::request
