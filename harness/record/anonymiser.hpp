#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/user_members.hpp"
#include "harness/framing.hpp"

namespace splitproof::record {

/// A text that is JSON and comes in pieces. Finds the characters that may change without changing the JSON: those of
/// strings that are values, and digits. Names of members, literals and escapes stay.
class JsonTextWords {
 public:
  /// Takes the next character. Returns true if it may change.
  bool take(char c);

 private:
  std::string open_;  // brackets of the values around
  bool in_string_ = false;
  bool in_name_ = false;
  bool escaped_ = false;
  int hex_digits_ = 0;  // to come, of an escape
  bool name_next_ = false;
};

/// Replaces words of users and of the model in JSON, in place. Small letters become x, capital letters X, and digits
/// other than 0 become 1. Each character is replaced alone, so equal texts stay equal however they are cut. Everything
/// else stays: names of tools and members, ids, lengths, spaces, the structure of the JSON, also of JSON in texts.
class Anonymiser {
 public:
  /// `framing`: of the stream.
  explicit Anonymiser(Framing framing) : framing_(framing) {}

  /// Takes the next whole lines of a body.
  void take_lines(std::string& lines);

  /// Takes a whole JSON document.
  void take_document(std::string& json);

 private:
  struct Level {
    bool is_object = false;
    bool is_free = false;  // all values below come from the user
    dialect::MemberContent content = dialect::MemberContent::structure;  // of an array's elements
    std::string member;                                                  // the current member of an object
    std::string type;
    std::string index;  // numbers of choices, calls and blocks, and ids of items, up to here
    bool name_next = false;
  };

  void take(std::string& text, std::size_t begin, std::size_t end);
  std::size_t take_string(std::string& text, std::size_t begin, std::size_t end);
  std::size_t take_number(std::string& text, std::size_t begin, std::size_t end);
  void open(bool is_object);
  dialect::MemberContent content() const;
  JsonTextWords& text_of_member();

  const Framing framing_;
  std::vector<Level> levels_;
  std::map<std::string, JsonTextWords> texts_;  // by the place of their member
};

}  // namespace splitproof::record
