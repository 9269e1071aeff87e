#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/profile.hpp"
#include "harness/contract/reading.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// Why a clause does not apply.
struct Inapplicable {
  Verdict verdict = Verdict::not_exercised;
  /// Makes the text, which few callers need. It is valid as long as the arguments of `objection`.
  std::function<std::string()> reason;
};

/// Conditions for a clause to apply:
///
///   given: FEATURE, or a list              the case has all of these features
///   profile: {KNOB: VALUE}, or a list      every knob has that value, or one of them
///   when: {occurs: CLASS, ended: END}      all of it is true
///   unless: {given: FEATURE, occurs: CLASS, ended: END}    none of it is true
///
/// `occurs` is true if an event of the class, or of a listed one, is anywhere in the trace. `ended` is true if
/// the stream ended in this way, or in a listed one.
class Conditions {
 public:
  /// Parses the values of these keys; null if missing. Throws Mistake.
  static Conditions parse(const YamlNode* given, const YamlNode* profile, const YamlNode* when,
                          const YamlNode* unless, const Alphabet& alphabet);

  /// Throws Mistake with the line if a condition names an impossible value of a knob. Knobs that are not
  /// `known` pass, because their profile need not be among the contracts.
  void check_values(const KnobValues& known) const;

  /// Returns nullopt if `profile` and `given`, also of `unless`, let it apply; otherwise the verdict and its
  /// reason. A knob that the profile does not set makes it `not judged`.
  std::optional<Inapplicable> objection(const Profile& profile, const Context& context) const;

  /// Returns the knobs that let the clause apply, as the end of a message: "; knob overlap: sequential", or
  /// "".
  std::string knobs(const Profile& profile) const;

  /// True if there is a `given`.
  bool ask_of_shape() const { return !given_.empty(); }

  /// Adds the names of the knobs under `profile`.
  void add_knobs(std::set<std::string>& names) const {
    for (const Setting& setting : settings_) names.insert(setting.knob);
  }

  /// True if there is a `when` or an `unless` about the stream.
  bool ask_of_stream() const;

  /// Like `objection`, for `when` and `unless`.
  std::optional<Inapplicable> objection(const Alphabet& alphabet, const Reading& reading, Ended ended) const;

 private:
  struct Setting {
    std::string knob;
    std::vector<std::string> values;
    std::size_t line;
  };
  struct Situation {
    std::vector<std::string> given;  ///< Only for `unless`.
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
