#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/record/secret_shapes.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::record {

/// Something in a recording that looks like a secret.
struct SecretFinding {
  std::size_t line = 0;  ///< Line of the file; 0: the secret is in pieces over several lines.
  std::string kind;
  std::string beginning;  ///< Its first characters. A report must not repeat the secret.
  std::size_t size = 0;   ///< In bytes.

  bool operator==(const SecretFinding&) const = default;
};

/// Looks for secrets in the file of a recording. Reads its head, its body across chunks, escapes, base64, and the
/// text of its answer across events. The Error names an unreadable file.
Result<std::vector<SecretFinding>> secrets_in(const std::string& path, const SecretShapes& shapes);

/// Looks for secrets, and for the secrets in `known`, in the texts of the answer across its events.
std::vector<SecretFinding> secrets_in_answer(const recording::Recording& recording,
                                             const SecretShapes& shapes,
                                             const std::vector<std::string>& known);

}  // namespace splitproof::record
