#include "proxy/request/reshaping.hpp"

#include "proxy/request/environment.hpp"
#include "proxy/request/preamble.hpp"
#include "proxy/request/retention.hpp"
#include "proxy/request/tool_choice.hpp"

namespace splitproof::request {

void reshape(const Reshaping& how, bool says_choice, Asked& asked) {
  const bool in_words = how.preamble == Preamble::pr54;
  // First, because it would remove what the next steps add to the history.
  if (how.retention == Retention::structured) clean_history(asked);
  if (how.environment == EnvironmentRule::lift) lift_environment(asked);
  if (how.tool_choice == ToolChoice::emulate && (in_words || !says_choice)) put_choice_into_words(asked);
  if (in_words) put_tools_into_words(asked);
}

}  // namespace splitproof::request
