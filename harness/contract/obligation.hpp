#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// A stream that must violate exactly the obligations it names, and its control, which must violate none. For
/// a rule of the contract `transport` both are evidence files. Paths are as written: relative to the folder
/// of the contract file.
struct Falsifier {
  std::string file;
  bool evidence = false;  ///< `file` and `control` contain evidence
  std::vector<std::string> trips;
  std::string control;                       ///< empty without a control
  std::string recording;                     ///< rule of meaning: the upstream recording; otherwise empty
  std::map<std::string, std::string> knobs;  ///< knobs that differ from the profile `default`
  std::size_t line = 0;
};

/// Source of a rule: the owner's document that demands it, or a client that a violation harmed in a test.
struct Harm {
  std::string document;  ///< title and section; empty: it is a client
  std::string client;    ///< id of a program in contracts/clients; empty: it is a document
  std::string says;      ///< demand of the document, or reaction of the client, one sentence
  std::string stream;    ///< client: its stream, as written; empty: in contracts/clients
  std::size_t line = 0;

  /// Source of the rule: the document's title, or the client's id.
  const std::string& source() const { return document.empty() ? client : document; }
};

/// The description of a rule in a contract file.
struct Obligation {
  std::string id;  ///< unique among all loaded files
  Level level = Level::must;
  std::string title;              ///< the bug that a violation is, at most 60 characters; may be empty
  std::string says;               ///< the rule, one sentence
  std::string why;                ///< consequence of a violation
  std::vector<std::string> seen;  ///< public incidents
  std::vector<Harm> harm;         ///< its sources; a built-in `must` has at least one
  std::vector<Falsifier> falsifiers;
  std::string contract;              ///< "house.downstream"
  std::string file;                  ///< path of the contract file
  std::size_t line = 0;              ///< 1-based
  std::string form;                  ///< pattern, fields, equality, joined; several with ", "
  std::vector<std::size_t> clauses;  ///< line of each clause; without `clauses:`, of the rule

  /// Ids of rules whose violation implies a violation of this rule, which then adds nothing.
  std::vector<std::string> follows;
  bool of_a_shape = false;      ///< every clause has a `given`, so it applies to answers of a certain shape
  std::set<std::string> knobs;  ///< knobs of the profile that a clause depends on

  /// Names a violation in reports: the title, or the rule if it has no title.
  const std::string& headline() const { return title.empty() ? says : title; }
};

}  // namespace splitproof::contract
