#include "harness/falsify/recorded_answer.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/capabilities_of_client.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/asked_rules.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expect.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::falsify {

Result<RecordedAnswer> RecordedAnswer::load(const contract::Contracts& contracts, const std::string& path,
                                            contract::Profile profile) {
  const Result<recording::Recording> recording = recording::load(path);
  if (!recording) return tl::unexpected(recording.error());
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording->protocol);
  if (upstream == nullptr)
    return tl::unexpected(Error{"the protocol `" + recording->protocol + "` is unknown", path, 1,
                                "use " + dialect::protocol_names()});
  RecordedAnswer answer;
  answer.contracts_ = &contracts;
  answer.profile_ = std::move(profile);
  answer.protocol_ = recording->protocol;
  answer.upstream_ = observe::read_trace(recording->body, observe::DataKind::json);
  const observe::Choices choices = observe::choices_of(answer.profile_.knobs);
  const observe::Answer meaning = dialect::read(*upstream, recording->body, choices);
  const nlohmann::json requests = recording->requests ? *recording->requests : nlohmann::json::object();
  for (const dialect::Dialect& dialect : dialect::all()) {
    if (dialect.client == nullptr) continue;
    const std::string protocol(dialect.protocol);
    const nlohmann::json request = requests.value(protocol, nlohmann::json());
    observe::ClientCapabilities carries =
        dialect::capabilities_of_client(protocol, request.is_null() ? nullptr : &request,
                                        observe::named_map(answer.profile_.knobs, contracts.name_maps()));
    carries.losses = contracts.losses(recording->protocol, protocol);
    answer.renamings_[protocol] = carries.renaming;
    observe::Expected& expected = answer.expected_[protocol];
    expected = observe::expected_of(meaning, recording->end, choices, carries);
    const auto applied = observe::apply_expect(*recording, answer.profile_.name, expected, carries);
    if (!applied) return tl::unexpected(applied.error());
    expected.shapes.insert(recording->features.begin(), recording->features.end());
  }
  return answer;
}

Result<std::vector<contract::Judged>> RecordedAnswer::judge(std::string_view protocol,
                                                            const observe::Trace& trace) const {
  const dialect::Client* client = dialect::client_of(protocol);
  const auto expected = expected_.find(protocol);
  if (client == nullptr || expected == expected_.end())
    return tl::unexpected(Error{"splitproof cannot read streams for clients of " + std::string(protocol),
                                {},
                                0,
                                "use a recording with a stream for clients of " + dialect::client_names()});
  const auto relayed = [&](const observe::Trace& passed_on) {
    observe::NormalisedAnswer side = client->side(passed_on);
    observe::TraceStream stream(passed_on);
    side.notes = client->notes(stream);
    return side;
  };
  const observe::Renaming& renaming = renamings_.at(std::string(protocol));
  const observe::Documents documents =
      protocol == protocol_ ? observe::documents_of_two(renamed(renaming, relayed(upstream_)), relayed(trace))
                            : observe::documents(expected->second, client->side(trace));
  contract::Context known;
  known.expected = documents.expected.get();
  known.got = documents.got.get();
  known.words = documents.words.get();
  known.features = expected->second.shapes;
  return contract::judge(*contracts_, protocol, profile_, trace, known);
}

}  // namespace splitproof::falsify
