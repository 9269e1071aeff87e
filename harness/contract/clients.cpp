#include "harness/contract/clients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "harness/contract/yaml_node.hpp"
#include "harness/glob.hpp"

namespace splitproof::contract {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, Reaction>, 3> kReactions = {
    {{"accepts", Reaction::accepts}, {"throws", Reaction::throws}, {"wrong", Reaction::wrong}}};

std::vector<ClientProgram> parse_programs(const YamlNode& node) {
  if (!node.is_map() || node.items.empty())
    refuse(node.line, "programs must name a client", "write {CLIENT: {name, version, run}}");
  std::vector<ClientProgram> programs;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlMap map(node.items[i], "a client", {"name", "version", "run", "tried", "target"});
    ClientProgram client{node.keys[i].name, scalar_text(map.need("name"), "name"),
                         scalar_text(map.need("version"), "version"), scalar_text(map.need("run"), "run")};
    for (const auto& [key, text] : {std::pair("tried", &client.tried), {"target", &client.target}})
      if (const YamlNode* value = map.find(key)) *text = scalar_text(*value, key);
    programs.push_back(std::move(client));
  }
  return programs;
}

ClientReaction parse_reaction(const std::string& client, const YamlNode& node) {
  const YamlMap map(node, "what a client does", {"accepts", "throws", "wrong", "by"});
  const YamlNode* by = map.find("by");
  if (by != nullptr && scalar_text(*by, "by") != "hand")
    refuse(by->line, fmt::format("by is '{}'", by->text), "write by: hand, or leave it out");
  if (node.items.size() != (by == nullptr ? 1 : 2))
    refuse(node.line, "the client has several reactions", "write one of accepts, throws and wrong");
  const auto reaction = std::find_if(kReactions.begin(), kReactions.end(),
                                     [&map](const auto& entry) { return map.find(entry.first) != nullptr; });
  return {client, reaction->second, scalar_text(*map.find(reaction->first), reaction->first), by != nullptr};
}

std::vector<ClientReaction> parse_reactions(const YamlNode& node,
                                            const std::vector<ClientProgram>& programs) {
  if (!node.is_map()) refuse(node.line, "does must be a map", "write {CLIENT: {throws: SENTENCE}}");
  for (const YamlKey& key : node.keys) {
    const bool known = std::any_of(programs.begin(), programs.end(),
                                   [&key](const ClientProgram& client) { return client.id == key.name; });
    if (!known) refuse(key.line, fmt::format("there is no client '{}' in this file", key.name));
  }
  std::vector<ClientReaction> reactions;
  for (const ClientProgram& client : programs) {
    const auto key = std::find_if(node.keys.begin(), node.keys.end(),
                                  [&client](const YamlKey& one) { return one.name == client.id; });
    if (key == node.keys.end())
      refuse(node.line, fmt::format("the reaction of the client '{}' is missing", client.id),
             "add its reaction");
    reactions.push_back(
        parse_reaction(client.id, node.items[static_cast<std::size_t>(key - node.keys.begin())]));
  }
  return reactions;
}

// ID, or {ID: BEGINNING OF A FINDING}.
ClientViolation parse_violation(const YamlNode& item) {
  if (!item.is_map()) return {scalar_text(item, "an id")};
  if (item.items.size() != 1)
    refuse(item.line, "an entry of violates has several ids", "write - ID: HOW ITS FINDING BEGINS");
  return {item.keys.front().name, scalar_text(item.items.front(), "how its finding begins")};
}

std::vector<ClientViolation> parse_violations(const YamlNode& node, const Contracts& contracts) {
  if (!node.is_list()) refuse(node.line, "violates must be a list", "write [ID, ID], or [] for none");
  std::vector<ClientViolation> all;
  for (const YamlNode& item : node.items) {
    ClientViolation read = parse_violation(item);
    const std::string& id = read.obligation;
    if (contracts.find(id) == nullptr)
      refuse(item.line, fmt::format("there is no rule '{}'", id),
             "run splitproof list rules to see all rules");
    if (std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.obligation == id; }))
      refuse(item.line, fmt::format("'{}' occurs twice", id));
    all.push_back(std::move(read));
  }
  return all;
}

void read_clients(const YamlNode& node, const Contracts& contracts, Clients& all) {
  const YamlMap map(node, "a file of clients", {"clients", "tried", "programs", "streams"});
  const std::string& protocol = scalar_text(map.need("clients"), "clients");
  std::vector<ClientProgram> programs = parse_programs(map.need("programs"));
  if (const YamlNode* tried = map.find("tried"))
    for (ClientProgram& client : programs)
      if (client.tried.empty()) client.tried = scalar_text(*tried, "tried");
  for (const ClientProgram& client : programs) {
    if (all.find(client.id) != nullptr)
      refuse(map.need("programs").line, fmt::format("the client '{}' occurs twice", client.id),
             "choose another name");
  }
  all.programs.insert(all.programs.end(), programs.begin(), programs.end());
  const YamlNode& streams = map.need("streams");
  if (!streams.is_list()) refuse(streams.line, "streams must be a list");
  for (const YamlNode& item : streams.items) {
    const YamlMap stream(item, "a stream", {"stream", "says", "violates", "does"});
    ClientStream read{
        protocol, scalar_text(stream.need("stream"), "stream"), scalar_text(stream.need("says"), "says"),
        parse_violations(stream.need("violates"), contracts), parse_reactions(stream.need("does"), programs)};
    const bool twice = std::any_of(all.streams.begin(), all.streams.end(), [&read](const ClientStream& one) {
      return one.protocol == read.protocol && one.name == read.name;
    });
    if (twice) refuse(item.line, fmt::format("the stream '{}' occurs twice", read.name));
    all.streams.push_back(std::move(read));
  }
}

}  // namespace

std::string_view name(Reaction reaction) {
  switch (reaction) {
    case Reaction::wrong:
      return "silently wrong";
    case Reaction::throws:
      return "throws";
    case Reaction::accepts:
      break;
  }
  return "accepts";
}

bool ClientViolation::is_told_by(const std::string& message) const {
  return says.empty() || matches(says + "*", message);
}

const ClientViolation* ClientStream::violation_of(std::string_view obligation) const {
  const auto found = std::find_if(violates.begin(), violates.end(),
                                  [&](const ClientViolation& one) { return one.obligation == obligation; });
  return found == violates.end() ? nullptr : &*found;
}

Result<Clients> Clients::load(const std::vector<fs::path>& dirs, const Contracts& contracts) {
  std::string path;
  try {
    Clients all;
    for (const fs::path& dir : dirs) {
      for (const fs::path& file : yaml_files(dir / "clients")) {
        path = file.string();
        read_clients(read_yaml(path), contracts, all);
      }
    }
    return all;
  } catch (Mistake& mistake) {
    if (mistake.error.file.empty()) mistake.error.file = path;
    return tl::make_unexpected(mistake.error);
  } catch (const fs::filesystem_error& error) {
    return tl::make_unexpected(Error{error.what(), error.path1().string(), 0, ""});
  }
}

const ClientProgram* Clients::find(std::string_view id) const {
  const auto found = std::find_if(programs.begin(), programs.end(),
                                  [id](const ClientProgram& client) { return client.id == id; });
  return found == programs.end() ? nullptr : &*found;
}

std::vector<const ClientStream*> Clients::about(std::string_view obligation,
                                                const std::optional<ClientFinding>& finding) const {
  std::vector<const ClientStream*> found;
  for (const ClientStream& stream : streams) {
    const ClientViolation* of_it = stream.violation_of(obligation);
    if (of_it == nullptr) continue;
    if (finding && (stream.protocol != finding->protocol || !of_it->is_told_by(finding->message))) continue;
    const std::size_t size = stream.violates.size();
    if (!found.empty() && found.front()->violates.size() < size) continue;
    if (!found.empty() && found.front()->violates.size() > size) found.clear();
    found.push_back(&stream);
  }
  return found;
}

std::vector<Clients::Impact> Clients::impact(std::string_view obligation,
                                             const std::optional<ClientFinding>& finding) const {
  std::vector<Impact> all;
  for (const ClientStream* stream : about(obligation, finding)) {
    for (const ClientReaction& one : stream->does) {
      auto known = std::find_if(all.begin(), all.end(),
                                [&one](const Impact& impact) { return impact.client == one.client; });
      if (known == all.end()) known = all.insert(all.end(), {one.client, {}});
      known->reactions.insert(one.reaction);
    }
  }
  return all;
}

}  // namespace splitproof::contract
