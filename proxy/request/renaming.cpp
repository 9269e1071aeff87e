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

// Makes unique names.
class Names {
 public:
  explicit Names(std::size_t most) : most_(most) {}

  void use(std::string name) { used_.insert(std::move(name)); }

  // Returns `name`, or its beginning with the least number from 2 on that makes it unique.
  std::string unused(const std::string& name) {
    if (used_.insert(name).second) return name;
    for (std::size_t digits = 1, end = 10;; ++digits, end *= 10) {
      // Other names may share this beginning. Lower numbers stay taken: trying them again would take quadratic time for
      // similar names.
      const std::string begin = name.substr(0, most_ - digits);
      std::size_t& number =
          next_.try_emplace({digits, begin}, std::max<std::size_t>(end / 10, 2)).first->second;
      while (number < end) {
        std::string next = begin + std::to_string(number++);
        if (used_.insert(next).second) return next;
      }
    }
  }

 private:
  std::size_t most_;  // size of a name in bytes
  std::set<std::string> used_;
  // The next number, by its digits and the text before it.
  std::map<std::pair<std::size_t, std::string>, std::size_t> next_;
};

}  // namespace

void rename_tools(const ToolNames& names, Asked& asked) {
  if (names.fitted == nullptr) return;
  Names used(names.most);
  std::map<std::string, std::string> renamed;
  each_name(asked, [&](const std::string& name) {
    if (std::string said = plain(name); names.fitted(said) == said) used.use(std::move(said));
  });
  each_name(asked, [&](std::string& name) {
    const std::string said = plain(name);
    const std::string fitted = names.fitted(said);
    if (fitted == said) return;
    auto [entry, is_new] = renamed.try_emplace(said);
    if (is_new) {
      entry->second = used.unused(fitted);
      asked.aliases.rename(said, entry->second);
    }
    name = escaped(entry->second);
  });
}

}  // namespace splitproof::request
