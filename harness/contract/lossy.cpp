#include "harness/contract/lossy.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <system_error>

#include "harness/built_in.hpp"
#include "harness/contract/yaml_node.hpp"

namespace splitproof::contract {
namespace {

using observe::LossPolicy;

LossPolicy becomes_named(const YamlNode& node) {
  const std::string& word = scalar_text(node, "becomes");
  for (const LossPolicy becomes :
       {LossPolicy::carried, LossPolicy::text, LossPolicy::dropped, LossPolicy::sealed, LossPolicy::refused})
    if (word == name(becomes)) return becomes;
  refuse(node.line, fmt::format("'{}' is not a policy for a part", word),
         "use carried, text, dropped, sealed or refused");
}

/// The kinds that clients of any protocol can receive.
bool can_be_carried(const std::string& kind) {
  static const std::set<std::string, std::less<>> kKinds = {"text", "thinking",    "refusal",
                                                            "call", "custom_call", "signature"};
  return kKinds.contains(kind);
}

void read_row(const YamlNode& node, Lossy& lossy) {
  const YamlMap row(node, "a row", {"from", "what", "to", "becomes"});
  const LossPolicy becomes = becomes_named(row.need("becomes"));
  for (const std::string& from : scalar_texts(row.need("from"), "from")) {
    for (const std::string& to : scalar_texts(row.need("to"), "to")) {
      if (from == to)
        refuse(node.line, fmt::format("a client of {} receives everything that the upstream sends", to),
               "remove the row");
      for (const std::string& what : scalar_texts(row.need("what"), "what")) {
        if (becomes == LossPolicy::carried && !can_be_carried(what))
          refuse(node.line, fmt::format("splitproof does not know how to carry a '{}' to {}", what, to),
                 "it can carry text, thinking, refusal, call, custom_call and signature");
        if (becomes == LossPolicy::sealed && what.find('.') == what.npos)
          refuse(node.line, fmt::format("a '{}' cannot be sealed", what),
                 "only a member can be sealed, such as event.data");
        if (becomes == LossPolicy::text && what != "refusal")
          refuse(node.line, fmt::format("a '{}' cannot become text", what), "only a refusal can");
        if (!lossy[{from, to}].emplace(what, becomes).second)
          refuse(node.line, fmt::format("the policy for '{}' from {} to {} occurs twice", what, from, to),
                 "remove one");
      }
    }
  }
}

}  // namespace

std::string_view name(LossPolicy becomes) {
  switch (becomes) {
    case LossPolicy::carried:
      return "carried";
    case LossPolicy::text:
      return "text";
    case LossPolicy::dropped:
      return "dropped";
    case LossPolicy::sealed:
      return "sealed";
    case LossPolicy::refused:
      break;
  }
  return "refused";
}

Lossy read_lossy(const std::vector<std::filesystem::path>& dirs) {
  Lossy lossy;
  for (const std::filesystem::path& dir : dirs) {
    const std::string path = (dir / kLossyFile).string();
    if (!is_file(path)) continue;
    const YamlNode node = read_yaml(path);
    try {
      const YamlNode& rows = YamlMap(node, "the file", {"rows"}).need("rows");
      if (!rows.is_list()) refuse(rows.line, "rows must be a list", "write - {from:, what:, to:, becomes:}");
      for (const YamlNode& row : rows.items) read_row(row, lossy);
    } catch (Mistake& mistake) {
      mistake.error.file = path;
      throw;
    }
  }
  return lossy;
}

}  // namespace splitproof::contract
