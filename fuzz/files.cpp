// Reads foreign files: the worst result is a refusal with a place. Content that was read is written and read again, if
// it can be written.
//
// The first byte chooses the kind of file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "harness/built_in.hpp"
#include "harness/campaign/case.hpp"
#include "harness/contract/clients.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/manifest.hpp"
#include "harness/recording/recording.hpp"
#include "harness/results/expectation.hpp"
#include "harness/testee/target_file.hpp"

using namespace splitproof;

namespace {

constexpr const char* kFile = "built-in:/read/file.yaml";

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

template <class T>
bool is_read(const Result<T>& result) {
  if (!result) require(!result.error().what.empty(), "a refusal says nothing");
  return result.has_value();
}

// Makes the bytes the only built-in file.
void put_file(std::string_view bytes) {
  static std::string archive;
  archive = std::to_string(bytes.size()) + " read/file.yaml\n\n" + std::string(bytes) + "\n";
  set_built_in(archive);
}

// Expects that content stays the same after writing and reading.
template <class Parse, class ToText>
void read_and_write(std::string_view bytes, Parse parse, ToText to_text) {
  const auto read = parse(bytes, kFile);
  if (!is_read(read)) return;
  const auto text = to_text(*read);
  if (!is_read(text)) return;
  const auto again = parse(*text, kFile);
  require(is_read(again) && to_text(*again) == text, "a file changes as it is written");
}

void read_expectations(std::string_view bytes) {
  const auto read = results::parse_expectations(bytes, kFile);
  if (!is_read(read)) return;
  for (const results::Expectation& entry : read->entries) {
    const auto again = results::parse_expectations(results::line_of(entry), kFile);
    require(is_read(again) && again->entries.size() == 1, "an entry cannot be read as it is written");
  }
}

void read_case(std::string_view bytes) {
  const auto read = campaign::parse_case(bytes);
  if (!is_read(read) || read->client.empty()) return;  // a case needs a client
  const auto again = campaign::parse_case(to_string(*read));
  require(is_read(again) && to_string(*again) == to_string(*read), "a case changes as it is written");
}

void read_contracts(std::string_view bytes) {
  put_file(bytes);
  const auto contracts = contract::Contracts::load({"built-in:/read"});
  if (is_read(contracts)) is_read(contract::Clients::load({"built-in:/read"}, *contracts));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 8) {
    case 0:
      read_and_write(bytes, recording::parse, recording::to_text);
      break;
    case 1:
      read_and_write(bytes, evidence::parse,
                     [](const evidence::Evidence& read) { return evidence::to_text(read); });
      break;
    case 2:
      is_read(evidence::parse_manifest(bytes, kFile));
      break;
    case 3:
      read_expectations(bytes);
      break;
    case 4:
      read_case(bytes);
      break;
    case 5:
      read_contracts(bytes);
      break;
    case 6:
      put_file(bytes);
      is_read(testee::load_target_file(kFile));
      break;
    case 7:
      put_file(bytes);
      is_read(contract::load_profile(kFile, {"built-in:/read"}));
      break;
  }
  return 0;
}
