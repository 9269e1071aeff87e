#include "harness/observe/shapes_in_words.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "harness/json_member.hpp"
#include "harness/observe/environment_facts.hpp"
#include "harness/observe/retained_text.hpp"

namespace splitproof::observe {
namespace {

constexpr std::size_t kManyTools = 40;
constexpr std::size_t kLargeSchemas = std::size_t{24} << 10;  // bytes of all schemas

std::string mode_of(const AskedRequest& asked) {
  if (!asked.choice) return "auto";
  return asked.choice->allowed ? asked.choice->within : asked.choice->mode;
}

void add_environment_shape(const AskedRequest& asked, std::set<std::string>& shapes) {
  const EnvironmentFacts facts = facts_said_in(asked, FactForms::any);
  const UnfitFacts unfit = unfit_facts_in(asked);
  if (unfit.marked) {
    shapes.insert("environment-marked");
  } else if (unfit.several) {
    shapes.insert("environment-several");
  } else if (facts.contains("cwd")) {
    shapes.insert(facts_said_in(asked, FactForms::agreed).contains("cwd") ? "environment-said"
                                                                          : "environment-perhaps");
  } else if (!facts.empty()) {
    shapes.insert("environment-without-cwd");
  } else {
    shapes.insert(unfit.in_prose ? "environment-in-prose" : "environment-unsaid");
  }
}

void add_history_shapes(const AskedRequest& asked, std::set<std::string>& shapes) {
  std::vector<std::string> failed;
  for (const AskedTurn& turn : asked.turns) {
    HeldMarkup held;
    bool calls = false;
    bool prose = false;
    for (const AskedBlock& block : turn.blocks) {
      calls = calls || block.kind == AskedKind::call;
      if (block.kind == AskedKind::call) shapes.insert("history-calls");
      if (block.kind == AskedKind::result && block.failed) failed.push_back(block.text.value_or(""));
      if (block.kind != AskedKind::text || !block.text || turn.role != "assistant") continue;
      const HeldMarkup of_text = markup_in(*block.text);
      held.closed = held.closed || of_text.closed;
      held.unclosed = held.unclosed || of_text.unclosed;
      prose = prose || of_text.prose;
    }
    if (held.closed) shapes.insert("history-markup");
    if (held.unclosed) shapes.insert("history-cut-markup");
    if (held.any() && !prose && !calls) shapes.insert("history-only-markup");
    if (prose && (held.any() || calls)) shapes.insert("history-mixed");
  }
  std::sort(failed.begin(), failed.end());
  if (std::adjacent_find(failed.begin(), failed.end()) != failed.end()) shapes.insert("results-alike");
}

}  // namespace

bool offers_tools(const AskedRequest& asked) {
  return mode_of(asked) != "none" &&
         std::any_of(asked.tools.begin(), asked.tools.end(),
                     [](const auto& tool) { return tool.kind != AskedTool::hosted; });
}

std::set<std::string> shapes_of_refused(const AskedRequest& asked) {
  std::size_t size = 0;
  for (const OfferedTool& tool : asked.tools)
    if (tool.schema != nullptr) size += written(*tool.schema).size();
  if (asked.tools.size() <= kManyTools && size <= kLargeSchemas) return {};
  return {"many-tools"};
}

std::set<std::string> shapes_in_words(const AskedRequest& asked) {
  std::set<std::string> shapes = shapes_of_refused(asked);
  add_history_shapes(asked, shapes);
  if (!offers_tools(asked)) {
    shapes.insert("no-tools");
    return shapes;
  }
  add_environment_shape(asked, shapes);
  const bool one = asked.choice && asked.choice->mode == "one" && asked.choice->name;
  const auto is_hosted = [&](const OfferedTool& tool) {
    return tool.kind == AskedTool::hosted && tool.name == asked.choice->name;
  };
  if (one && std::any_of(asked.tools.begin(), asked.tools.end(), is_hosted)) shapes.insert("choice-hosted");
  return shapes;
}

}  // namespace splitproof::observe
