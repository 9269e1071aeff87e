#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// A stream that must trip exactly the obligations it names, and its control, which must trip none. Of a rule of
/// the contract `transport` both are files with evidence instead. Paths are as written: relative to the folder of the
/// contract file.
struct Falsifier {
  std::string file;
  bool evidence = false;  ///< `file` and `control` hold evidence
  std::vector<std::string> trips;
  std::string control;                       ///< empty without one
  std::string recording;                     ///< of a rule of meaning: the upstream side; else empty
  std::map<std::string, std::string> knobs;  ///< that differ from those of the profile `default`
  std::size_t line = 0;
};

/// What a rule rests on: the owner's document that demands it, or a client that was tried and loses, garbles or refuses
/// something where it is violated.
struct Harm {
  std::string document;  ///< title and section; empty: it is a client
  std::string client;    ///< id of a program in contracts/clients; empty: it is a document
  std::string says;      ///< what the document demands, or what the client does, one sentence
  std::string
      stream;  ///< of a client: the stream it was seen with, as written; empty: one of contracts/clients
  std::size_t line = 0;

  /// Whose word it is: the document's title, or the client's id.
  const std::string& source() const { return document.empty() ? client : document; }
};

/// What a contract file says about one of its rules, for people.
struct Obligation {
  std::string id;  ///< unique among all files loaded
  Level level = Level::must;
  std::string title;              ///< the bug that a violation is, at most 60 characters; may be empty
  std::string says;               ///< the rule, one sentence
  std::string why;                ///< what breaks without it
  std::vector<std::string> seen;  ///< public incidents
  std::vector<Harm> harm;         ///< what it rests on; a `must` of the built-in contracts has at least one
  std::vector<Falsifier> falsifiers;
  std::string contract;  ///< "house.downstream"
  std::string file;      ///< path of the contract file
  std::size_t line = 0;  ///< 1-based
  std::string form;      ///< pattern, fields, equality, joined; several with ", "
  std::vector<std::size_t>
      clauses;  ///< the line of each; of a rule without `clauses:`, which is its only one, its own

  /// Ids of rules of which a violation entails one of this rule: where both are violated in a case, this one tells
  /// nothing new.
  std::vector<std::string> follows;
  bool of_a_shape = false;  ///< it is asked only of answers of a certain shape: every clause has a `given`
  std::set<std::string> knobs;  ///< of the profile, that a clause depends on

  /// Names a violation in reports: the title, or the rule if it has no title.
  const std::string& headline() const { return title.empty() ? says : title; }
};

}  // namespace splitproof::contract
