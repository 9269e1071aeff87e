#include "tests/harness/contract/small_trace.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace splitproof::contract {
namespace {

void add(observe::Trace& trace, observe::Event event) {
  event.begin = 100 * trace.events.size();
  event.end = event.begin + 90;
  event.line = 3 * trace.events.size() + 1;
  const auto json = nlohmann::json::parse(event.data, nullptr, false);
  if (event.fault == observe::StreamFault::none && !json.is_discarded()) {
    event.json = std::make_shared<const nlohmann::json>(json);
  }
  trace.events.push_back(std::move(event));
}

void add_short(observe::Trace& trace, const std::string& line) {
  std::istringstream tokens(line);
  for (std::string token; tokens >> token;) {
    const std::size_t digits = token.find_first_of("0123456789");
    nlohmann::json json = {{"t", token.substr(0, digits)}};
    if (digits != std::string::npos) json["k"] = std::stoi(token.substr(digits));
    observe::Event event;
    event.data = json.dump();
    add(trace, std::move(event));
  }
}

}  // namespace

observe::Trace small_trace(std::string_view lines) {
  observe::Trace trace;
  std::istringstream input{std::string(lines)};
  for (std::string line; std::getline(input, line);) {
    if (line.empty()) continue;
    const std::size_t brace = line.find('{');
    const std::size_t bar = line.find('|');
    if (brace == std::string::npos && bar == std::string::npos) {
      add_short(trace, line);
      continue;
    }
    observe::Event event;
    const bool named = bar < brace;
    if (named) event.event = line.substr(0, bar);
    event.data = named ? line.substr(bar + 1) : line;
    if (event.data == "!invalid-utf8") event.fault = observe::StreamFault::invalid_utf8;
    if (event.data == "!broken-json") event.fault = observe::StreamFault::broken_json;
    if (event.data == "!unterminated-event") event.fault = observe::StreamFault::unterminated_event;
    add(trace, std::move(event));
  }
  return trace;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "contract-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::write(std::string_view name, std::string_view text) const {
  const std::filesystem::path path = path_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::shared_ptr<const nlohmann::json> json_document(std::string_view text) {
  return text.empty() ? nullptr : std::make_shared<const nlohmann::json>(nlohmann::json::parse(text));
}

Result<Contracts> load_text(std::string_view text) {
  const TemporaryFolder folder;
  folder.write("rules.yaml", text);
  return Contracts::load({folder.path()});
}

}  // namespace splitproof::contract
