#include "proxy/server/config.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "proxy/knobs.hpp"
#include "proxy/server/address.hpp"
#include "proxy/server/yaml_reading.hpp"

namespace splitproof::server {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostStreams = 100'000;

using ConfigReader = YamlReader;
using Readers = YamlReaders;
using Mistake = YamlMistake;

ConfigReader text(std::string& value) {
  return [&](const YAML::Node& node) {
    value = scalar(node);
    if (value.empty()) throw Mistake{node.Mark().line, "the value is empty"};
  };
}

ConfigReader size(std::size_t& value) {
  return [&](const YAML::Node& node) {
    const std::string digits = scalar(node);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value == 0)
      throw Mistake{node.Mark().line, fmt::format("'{}' is not a whole number above 0", digits)};
  };
}

ConfigReader duration(milliseconds& value) {
  return [&](const YAML::Node& node) {
    const std::string said = scalar(node);
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), count);
    const std::string_view unit(end, static_cast<std::size_t>(said.data() + said.size() - end));
    const std::uint32_t factor = unit == "ms" ? 1 : unit == "s" ? 1000 : unit == "m" ? 60'000 : 0;
    constexpr std::uint32_t kLongest = 24U * 3'600'000U;
    if (error != std::errc() || count == 0 || factor == 0 || count > kLongest / factor) {
      throw Mistake{
          node.Mark().line,
          fmt::format("'{}' is not a duration of at most a day; write for example 500ms, 10s or 5m", said)};
    }
    value = milliseconds(count * factor);
  };
}

ConfigReader at_most(std::size_t most, std::size_t& value) {
  return [&value, most](const YAML::Node& node) {
    size(value)(node);
    if (value > most)
      throw Mistake{node.Mark().line, fmt::format("'{}' is more than {}", node.Scalar(), most)};
  };
}

ConfigReader proxy_url(std::string& value) {
  return [&value](const YAML::Node& node) {
    const std::string url = scalar(node);
    if (!upstream_url(url, "")) {
      throw Mistake{
          node.Mark().line,
          fmt::format("'{}' is not the URL of a proxy; write for example http://127.0.0.1:3128", url)};
    }
    value = url;
  };
}

Readers limits_of(ServerSettings& settings) {
  Limits& stream = settings.translator.rules.limits;
  return {{"request-bytes", size(settings.limits.request_bytes)},
          {"answer-bytes", size(settings.limits.answer_bytes)},
          {"bodies-bytes", size(settings.limits.bodies_bytes)},
          {"told-bytes", size(settings.limits.told_bytes)},
          {"conversation-bytes", size(settings.limits.conversation_bytes)},
          {"streams", at_most(kMostStreams, settings.limits.streams)},
          {"event-bytes", size(stream.event_bytes)},
          {"json-depth", size(stream.json_depth)},
          {"calls", size(stream.calls)},
          {"parts", size(stream.parts)},
          {"call-bytes", size(stream.call_bytes)},
          {"waiting-bytes", size(stream.waiting_bytes)},
          {"messages", size(stream.messages)},
          {"tools", size(stream.tools)},
          {"history-calls", size(stream.history_calls)},
          {"stops", size(stream.stops)},
          {"stop-bytes", size(stream.stop_bytes)},
          {"name-bytes", size(stream.name_bytes)},
          {"echo-bytes", size(stream.echo_bytes)}};
}

Readers timeouts_of(ServerSettings& settings) {
  return {
      {"connect", duration(settings.timeouts.connect)}, {"idle", duration(settings.timeouts.idle)},
      {"client", duration(settings.client_timeout)},    {"ping", duration(settings.ping)},
      {"shutdown", duration(settings.shutdown)},        {"websocket-age", duration(settings.websocket_age)}};
}

Readers knobs_of(TranslatorOptions& options) {
  Readers readers;
  each_knob(options, [&](const char* name, auto& value, const auto& values) {
    readers.emplace_back(name, choice(value, values));
  });
  return readers;
}

ConfigReader models(std::map<std::string, std::string>& value) {
  return [&](const YAML::Node& node) {
    each_member(node,
                [&](const YAML::Node& key, const YAML::Node& model) { text(value[key.Scalar()])(model); });
  };
}

// True for printable ASCII with a slash, so that a text with a marker contains no path.
bool begins_path(const std::string& text) {
  return text.size() > 1 && text.find_first_of("/\\") != std::string::npos &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

ConfigReader internal_paths(std::vector<std::string>& value) {
  return [&](const YAML::Node& node) {
    if (!node.IsSequence())
      throw Mistake{node.Mark().line, "the value must be a list of prefixes of internal paths"};
    value.clear();
    for (const auto& prefix : node) {
      value.push_back(scalar(prefix));
      if (!begins_path(value.back())) {
        throw Mistake{
            prefix.Mark().line,
            fmt::format(
                "'{}' is not a prefix of a path: write a slash, another character, and only ASCII, such as "
                "/opt/agent",
                value.back())};
      }
    }
  };
}

ConfigReader map_of(Readers readers) {
  return [readers = std::move(readers)](const YAML::Node& node) { read_map(node, readers); };
}

}  // namespace

tl::expected<ServerSettings, std::string> parse_config(const std::string& text_of_file,
                                                       const std::string& file, ServerSettings settings) {
  try {
    const YAML::Node document = only_document(text_of_file);
    if (document.IsNull()) return settings;
    read_map(document, {{"limits", map_of(limits_of(settings))},
                        {"timeouts", map_of(timeouts_of(settings))},
                        {"knobs", map_of(knobs_of(settings.translator))},
                        {"model", text(settings.models.only)},
                        {"models", models(settings.models.mapped)},
                        {"internal-paths", internal_paths(settings.translator.cleaning.internal_paths)},
                        {"upstream-proxy", proxy_url(settings.forward_proxy)},
                        {"max-tokens", size(settings.translator.dialect.max_tokens)},
                        {"thinking", choice(settings.translator.dialect.ask_thinking,
                                            proxy::dialect::ways_to_ask_thinking())},
                        {"relay", choice(settings.translator.relay, relay::forms())},
                        {"websockets", choice(settings.websockets, ways_with_websockets())},
                        {"max-tokens-field", choice(settings.translator.dialect.max_tokens_field,
                                                    proxy::dialect::max_tokens_fields())}});
    return settings;
  } catch (const Mistake& mistake) {
    return tl::make_unexpected(describe(mistake, file));
  } catch (const YAML::Exception& error) {
    return tl::make_unexpected(describe({error.mark.line, error.msg}, file));
  }
}

tl::expected<ServerSettings, std::string> read_config(const std::string& file, ServerSettings settings) {
  return yaml_text(file).and_then(
      [&](const std::string& text) { return parse_config(text, file, std::move(settings)); });
}

}  // namespace splitproof::server
