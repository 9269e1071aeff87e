#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/framing.hpp"
#include "harness/record/anonymiser.hpp"
#include "harness/record/secrets.hpp"

namespace splitproof::record {

/// Masks a body that comes in pieces, with bounded delay. A secret may be cut anywhere, so bytes are returned only when
/// their whole line has come, or their whole frame of an AWS event stream. In other respects the result does not depend
/// on the pieces. Its size is the body's.
class MaskedBody {
 public:
  /// `anonymise`: replaces words of users and of the model too.
  MaskedBody(Framing framing, Secrets& secrets, bool anonymise = false)
      : framing_(framing), secrets_(secrets) {
    if (anonymise) anonymiser_.emplace(framing);
  }

  /// Takes the next bytes. Returns the masked bytes that are complete now.
  std::string take(std::string_view bytes);

  /// Ends the body. Returns the masked rest.
  std::string finish();

 private:
  std::size_t complete_lines(std::size_t before) const;
  std::string take_frames();
  void mask_lines(std::string& lines);
  void mask_payload(std::string& payload);

  const Framing framing_;
  Secrets& secrets_;
  std::optional<Anonymiser> anonymiser_;
  std::string held_;
};

}  // namespace splitproof::record
