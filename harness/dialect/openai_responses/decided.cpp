#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/answer.hpp"
#include "harness/dialect/openai_responses/self_test_tables.hpp"

namespace splitproof::dialect {
namespace {

std::string written(const std::vector<ResponsesItem>& items) {
  nlohmann::json list = nlohmann::json::array();
  for (const ResponsesItem& item : items)
    list.push_back(
        {item.type, item.call_id, item.name, item.text + item.thought, item.refusal, item.arguments});
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

observe::Answer decided_by_responses(const observe::Trace& trace) {
  ResponsesAnswer said = assemble_responses_answer(trace);
  observe::Answer answer;
  if (said.ending == "response.failed" || said.ending == "error") {
    said.input_tokens.reset();
    said.output_tokens.reset();
    // Only an answer that ends properly repeats the streamed content.
    for (auto* items : {&said.streamed, &said.closed}) {
      for (ResponsesItem& item : *items) item.text = item.refusal = item.arguments = "";
    }
  }
  answer.usage = {said.input_tokens, std::nullopt, said.output_tokens};
  answer.extra = {{"streamed", written(said.streamed)},
                  {"closed", written(said.closed)},
                  {"done", written(said.done)},
                  {"repeated", written(said.repeated)},
                  {"reason", said.reason},
                  {"refused", std::to_string(said.refused)}};
  if (said.ending) answer.extra["ending"] = *said.ending;
  return answer;
}

}  // namespace splitproof::dialect
