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

/// Assembles the calls of a Kiro stream.
///
/// An event belongs to the call of its id. A new id begins a call, unless the latest call has no id and the name fits:
/// then that call gets the id. An event without an id belongs to the latest call. If that call has stopped or has
/// another name, the event begins a new one. Events for a stopped call are ignored.
class KiroCalls {
 public:
  explicit KiroCalls(Limits limits) : limits_(limits) {}

  /// Reads one `toolUseEvent` and appends its events.
  void read(const wire::Json& event, std::vector<turn::Event>& events);

  /// True if each call that began was also stopped.
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
