#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/profile.hpp"
#include "harness/contract/reading.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// When a clause applies at all:
///
///   given: FEATURE, or a list              the case has all of these features
///   profile: {KNOB: VALUE}, or a list      every knob has that value, or one of them
///   when: {occurs: CLASS, ended: END}      all of it holds
///   unless: {given: FEATURE, occurs: CLASS, ended: END}    none of it holds
///
/// `occurs` is true when an event of the class (or of one of a list) is anywhere in the trace, slices aside;
/// `ended` when the stream ended so (or in one of a list of ways).
class Conditions {
 public:
  /// From the values of these keys, each null when missing. Throws Mistake.
  static Conditions parse(const YamlNode* given, const YamlNode* profile, const YamlNode* when,
                          const YamlNode* unless, const Alphabet& alphabet);

  /// Throws Mistake with the line, where a condition names a value that its knob cannot have. Knobs that are
  /// not `known` pass: the profile that brings them need not be among the contracts.
  void check_values(const KnobValues& known) const;

  /// Nothing where `given`, of `unless` too, and `profile` let the clause apply; else why not. A knob that the profile does not set makes
  /// it `not judged`.
  std::optional<ClauseResult> objection(const Profile& profile, const Context& context) const;

  /// Which knobs let the clause apply, as the end of a message: "; knob overlap: sequential"; empty without any.
  std::string knobs(const Profile& profile) const;

  /// Whether there is a `given`.
  bool ask_of_shape() const { return !given_.empty(); }

  /// Adds the names of the knobs under `profile`.
  void add_knobs(std::set<std::string>& names) const {
    for (const Setting& setting : settings_) names.insert(setting.knob);
  }

  /// Whether there is a `when` or an `unless`, which are about the stream.
  bool ask_of_stream() const;

  /// As `objection`, of these two.
  std::optional<ClauseResult> objection(const Alphabet& alphabet, const Reading& reading, Ended ended) const;

 private:
  struct Setting {
    std::string knob;
    std::vector<std::string> values;
    std::size_t line;
  };
  struct Situation {
    std::vector<std::string> given;  ///< of `unless` alone
    std::vector<std::size_t> occurs;
    std::vector<Ended> ended;
  };
  static Situation parse_situation(const YamlNode& node, const char* what, const Alphabet& alphabet);

  std::vector<std::string> given_;
  std::vector<Setting> settings_;
  Situation when_;
  Situation unless_;
};

}  // namespace splitproof::contract
