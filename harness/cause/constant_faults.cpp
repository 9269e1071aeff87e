#include "harness/cause/constant_faults.hpp"

#include <algorithm>

namespace splitproof::cause {
namespace {

constexpr std::size_t kEnough = 8;  // violations: fewer may share a shape by chance

}  // namespace

ConstantFaults::Counts ConstantFaults::count(const std::string& rule, const std::string& apart) const {
  Counts counts;
  for (const BehaviourSample& sample : answers_) {
    if (!sample.arrived || !sample.is_usual) continue;
    const auto violates = [&](const std::string& id) {
      return std::any_of(sample.shows.begin(), sample.shows.end(),
                         [&](const auto& entry) { return entry.second->rule == id; });
    };
    const auto& meets = sample.behaviour->meets;
    const bool is_violated = violates(rule);
    if (violates(apart) || (!is_violated && std::find(meets.begin(), meets.end(), rule) == meets.end()))
      continue;
    for (const std::string& shape : sample.behaviour->shapes) {
      ++counts[shape].asked;
      counts[shape].violated += is_violated ? 1 : 0;
    }
  }
  return counts;
}

bool ConstantFaults::is_share_in(const BehaviourSample& sample, const std::string& rule,
                                 const std::string& apart, std::size_t part, std::size_t whole) const {
  auto known = known_.find({rule, apart});
  if (known == known_.end()) known = known_.emplace(std::pair(rule, apart), count(rule, apart)).first;
  const Counts& counts = known->second;
  const auto& shapes = sample.behaviour->shapes;
  return std::any_of(shapes.begin(), shapes.end(), [&](const std::string& shape) {
    const auto found = counts.find(shape);
    return found != counts.end() && found->second.violated >= kEnough &&
           found->second.violated * whole >= found->second.asked * part;
  });
}

bool ConstantFaults::are_in(const BehaviourSample& sample, const std::string& rule,
                            const std::string& apart) const {
  return is_share_in(sample, rule, apart, 4, 5);
}

bool ConstantFaults::are_usual_in(const BehaviourSample& sample, const std::string& rule,
                                  const std::string& apart) const {
  return is_share_in(sample, rule, apart, 2, 3);
}

bool ConstantFaults::have_one_shape(const std::set<const results::RecordingResult*>& in,
                                    const std::string& rule) const {
  const Counts counts = count(rule, {});
  std::map<std::string, std::size_t> found;
  std::size_t all = 0;
  for (const BehaviourSample& sample : answers_) {
    if (!sample.arrived || sample.turn || !in.contains(sample.in)) continue;
    ++all;
    for (const std::string& shape : sample.behaviour->shapes) ++found[shape];
  }
  return std::any_of(found.begin(), found.end(), [&](const auto& entry) {
    const auto known = counts.find(entry.first);
    if (known == counts.end()) return false;
    return entry.second * 3 >= all * 2 && known->second.violated * 3 >= known->second.asked * 2;
  });
}

}  // namespace splitproof::cause
