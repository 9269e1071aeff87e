#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Puts the calls of a Kiro stream together.
///
/// An event belongs to the call of its id. A new id begins a call, unless the one that began last goes on without any, and
/// is not named otherwise: that gets it. Without an id an event belongs to the call that began last, unless this has stopped
/// or is named otherwise: then it begins one. What comes for a call that has stopped says nothing.
class KiroCalls {
 public:
  explicit KiroCalls(Limits limits) : limits_(limits) {}

  /// Reads one `toolUseEvent` and appends what it says.
  void read(const wire::Json& event, std::vector<turn::Event>& events);

  /// Whether each call that began was also stopped.
  bool stopped() const;

  bool operator==(const KiroCalls&) const = default;

 private:
  struct Call {
    std::string id;
    std::string name;
    bool argued = false;  // more than white space has come
    bool stopped = false;

    bool operator==(const Call&) const = default;
  };

  std::optional<std::size_t> call_of(const std::string& id, const std::string& name) const;

  Limits limits_;
  std::vector<Call> calls_;
  std::unordered_map<std::string, std::size_t> by_id_;
};

}  // namespace splitproof::proxy::dialect
