#include "harness/report/sarif.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/report/cause_text.hpp"
#include "harness/report/markdown.hpp"
#include "harness/report/run_context.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::size_t kMostOfText = 1000;  // bytes; GitHub shortens a message to 1,024 characters
constexpr std::size_t kMostOfCommand = 4000;

std::string shown(const std::string& text, std::size_t most = kMostOfText) {
  return clipped(visible(text), most);
}

// SARIF messages may contain links, as [text](address). Quoted text must not become a link.
std::string without_links(std::string text) {
  for (std::size_t at = 0; (at = text.find("](", at)) != text.npos; ++at) text.insert(at + 1, " ");
  return text;
}

// Returns a relative reference (RFC 3986); a path keeps its slashes.
std::string uri_of(const std::string& text, bool is_path) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos || (is_path && c == '/');
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Code scanning refuses files outside the source. For these, and for a target without a file, the target's
// name is used.
Ordered artifact_json(const std::string& target, const Heading& heading) {
  const auto place = heading.places.find(target);
  if (place == heading.places.end()) return {{"uri", uri_of(target, false)}};
  return {{"uri", uri_of(place->second, true)}, {"uriBaseId", "%SRCROOT%"}};
}

// FNV-1a. Depends only on target and rule, which are unique among causes.
std::string fingerprint(const cause::Cause& cause) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : cause.target + '\n' + cause.name()) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3U;
  }
  return fmt::format("{:016x}", hash);
}

const char* level_of(contract::Level level) {
  return level == contract::Level::must ? "error" : level == contract::Level::should ? "warning" : "note";
}

// The project has no web address for a helpUri, so the text contains everything.
Ordered help_json(const results::Rule& rule) {
  using Words = std::string (*)(const std::string&);
  using Link = std::string (*)(const std::string& text, const std::string& url);
  const auto help = [&](Words words, Link link, const std::string& command) {
    std::string text = words(rule.says);
    if (!rule.why.empty()) text += "\n\nWhy: " + words(rule.why);
    if (!rule.harm.empty()) text += "\n\nSources:\n";
    for (const results::Harm& harm : rule.harm)
      text += "\n- " + words(harm.source()) + ": " + words(harm.says);
    if (!rule.seen.empty()) text += "\n\nPublic incidents:\n";
    for (const std::string& incident : rule.seen) {
      const std::string url = incident_url(incident);
      text += "\n- " + (url.empty() ? words(incident) : link(words(incident), url));
    }
    return text + "\n\n" + command + " shows more.";
  };
  const std::string command = "splitproof explain " + rule.id;
  return {{"text", help([](const std::string& words) { return shown(words); },
                        [](const std::string& text, const std::string& url) { return text + " " + url; },
                        shown(command))},
          {"markdown",
           help([](const std::string& words) { return markdown::text(clipped(words, kMostOfText)); },
                [](const std::string& text, const std::string& url) { return "[" + text + "](" + url + ")"; },
                markdown::code(command))}};
}

Ordered rule_json(const results::Rule& rule) {
  return {{"id", shown(rule.id)},
          {"shortDescription", {{"text", shown(rule.headline())}}},
          {"fullDescription", {{"text", shown(rule.says)}}},
          {"help", help_json(rule)},
          {"defaultConfiguration", {{"level", level_of(rule.level)}}},
          {"properties", {{"tags", {shown(rule.contract)}}}}};
}

Ordered result_json(const cause::Cause& cause, std::size_t rule, const Heading& heading) {
  std::string text = shown(cause.shown.message) + "\n" + extent(cause);
  for (const std::string& line : hurts(cause)) text += "\n" + line;
  return {
      {"ruleId", shown(cause.rule->id)},
      {"ruleIndex", rule},
      {"level", level_of(cause.level)},
      {"message", {{"text", clipped(without_links(visible_lines(text)), kMostOfText)}}},
      {"locations",
       {{{"physicalLocation",
          {{"artifactLocation", artifact_json(cause.target, heading)}, {"region", {{"startLine", 1}}}}}}}},
      {"partialFingerprints", {{"splitproofCause/v1", fingerprint(cause)}}},
      {"properties",
       {{"target", shown(cause.target)},
        {"recordings", cause.recordings()},
        {"findings", cause.own.size()},
        {"follows", below(cause)},
        {"reproduce", shown(reproduce_line(cause, heading), kMostOfCommand)}}}};
}

}  // namespace

std::string sarif_report(const std::vector<results::RecordingResult>& /*results*/, const Heading& heading,
                         const Summary& summary, bool complete) {
  Ordered rules = Ordered::array();
  Ordered found = Ordered::array();
  std::map<std::string, std::size_t> numbers;  // of rules, by id
  std::size_t size = 0;
  for (const cause::Cause& cause : summary.causes) {
    const auto [number, is_new] = numbers.try_emplace(cause.rule->id, numbers.size());
    Ordered result = result_json(cause, number->second, heading);
    Ordered rule = is_new ? rule_json(*cause.rule) : Ordered();
    size += result.dump().size() + rule.dump().size();
    if (found.size() == kMostResults || size > kMostOfSarif - 100'000) break;
    found.push_back(std::move(result));
    if (is_new) rules.push_back(std::move(rule));
  }
  Ordered invocation = {{"executionSuccessful", complete && heading.untested.empty()}};
  Ordered context = Ordered::object();
  for (const auto& [name, value] : run_context(heading, summary))
    context[name] = shown(context.contains(name) ? context[name].get<std::string>() + "; " + value : value,
                          kMostOfCommand);
  invocation["properties"] = std::move(context);
  if (!heading.details.began.empty()) invocation["startTimeUtc"] = shown(heading.details.began);
  Ordered said = Ordered::array();
  if (found.size() < summary.causes.size())
    said.push_back(
        {{"level", "warning"},
         {"message", {{"text", "and " + counted(summary.causes.size() - found.size(), "cause") + " more"}}}});
  for (const auto& [target, why] : heading.untested) {
    if (said.size() > 10) break;
    said.push_back(
        {{"level", "error"},
         {"message", {{"text", without_links(shown(target + " was not tested to the end: " + why))}}}});
  }
  if (!said.empty()) invocation["toolExecutionNotifications"] = std::move(said);
  Ordered driver = {{"name", "splitproof"}, {"version", SPLITPROOF_VERSION}, {"rules", std::move(rules)}};
  Ordered run = {{"tool", {{"driver", std::move(driver)}}},
                 {"invocations", {std::move(invocation)}},
                 {"results", std::move(found)}};
  return Ordered{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", {std::move(run)}}}
             .dump(-1, ' ', false, Ordered::error_handler_t::replace) +
         "\n";
}

}  // namespace splitproof::report
