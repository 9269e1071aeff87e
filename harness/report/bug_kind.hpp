#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/cause/cause.hpp"

namespace splitproof::report {

/// The kind of damage that a cause does, the worst first.
enum class BugKind : std::uint8_t {
  crash,       ///< The target crashes, hangs or sends garbage.
  corruption,  ///< Content is lost, changed or invented, and nobody reports an error.
  protocol,    ///< The stream breaks its protocol.
  request,     ///< The request to the upstream is wrong.
};

inline constexpr std::array kBugKinds{BugKind::corruption, BugKind::crash, BugKind::protocol,
                                      BugKind::request};

/// Returns "crash", "corruption", "protocol" or "request".
std::string_view id(BugKind kind);

/// Returns "Crash or hang", "Silent corruption", "Protocol error" or "Wrong request".
std::string_view title(BugKind kind);

/// Returns the kind of a cause. It is corruption if a client goes on silently with a wrong result. If no client
/// was tried, it is corruption if its rule compares the meaning of the answer.
BugKind kind_of(const cause::Cause& cause);

}  // namespace splitproof::report
