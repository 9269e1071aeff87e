#include "harness/dialect/endpoints.hpp"

#include <array>

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::dialect {

std::string_view request_path_of(std::string_view protocol) {
  if (const auto* reader = request_reader_of(std::string(protocol) + std::string(kUpstreamSide)))
    return reader->path;
  // Protocols whose requests the harness does not read.
  struct Endpoint {
    std::string_view protocol;
    std::string_view path;
  };
  static constexpr std::array<Endpoint, 3> kOthers{{{"cohere.chat", "/v2/chat"},
                                                    {"kiro.eventstream", "/generateAssistantResponse"},
                                                    {"ollama.chat", "/api/chat"}}};
  for (const Endpoint& endpoint : kOthers)
    if (endpoint.protocol == protocol) return endpoint.path;
  return {};
}

std::vector<std::string> client_paths_of(std::string_view protocol) {
  if (protocol == "google.gemini") return {"/v1beta/models", "/v1/models"};
  if (protocol == "bedrock.converse") return {"/model"};
  const std::string path(request_path_of(protocol));
  return {"/v1" + path, path};
}

std::string_view protocol_of_path(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  for (const Dialect& dialect : all()) {
    const std::string_view end = request_path_of(dialect.protocol);
    const auto* reader = request_reader_of(std::string(dialect.protocol) + std::string(kUpstreamSide));
    const bool is_whole =
        reader != nullptr && !reader->whole_path.empty() && path.ends_with(reader->whole_path);
    if (is_whole || (!end.empty() && path.ends_with(end))) return dialect.protocol;
  }
  return {};
}

std::span<const std::string_view> model_list_paths() {
  static constexpr std::array<std::string_view, 2> kAll{"/v1/models", "/models"};
  return kAll;
}

std::span<const AddressVariable> address_variables() {
  static constexpr std::array<AddressVariable, 4> kAll{{{"OPENAI_BASE_URL", "/v1"},
                                                        {"OPENAI_API_BASE", "/v1"},
                                                        {"ANTHROPIC_BASE_URL", ""},
                                                        {"GOOGLE_GEMINI_BASE_URL", ""}}};
  return kAll;
}

std::span<const std::string_view> key_variables() {
  static constexpr std::array<std::string_view, 3> kAll{"OPENAI_API_KEY", "ANTHROPIC_API_KEY",
                                                        "GEMINI_API_KEY"};
  return kAll;
}

}  // namespace splitproof::dialect
