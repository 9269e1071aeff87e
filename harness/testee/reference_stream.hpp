#pragma once

#include <memory>

#include "harness/testee/in_process.hpp"
#include "proxy/translator.hpp"

namespace splitproof::testee {

/// Returns a stream of the reference translator with these options. It is a CopyableStream too.
std::unique_ptr<TranslatorStream> reference_stream(const TranslatorOptions& options);

}  // namespace splitproof::testee
