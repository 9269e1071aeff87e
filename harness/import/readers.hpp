#pragma once

#include "harness/import/importer.hpp"

namespace splitproof::imports {

// One function for each row of the table in importer.cpp. Each returns an Error for a file that is not of its format,
// is cut, or has no stream.

Result<ImportedFile> read_raw_body(const ImportSource& source);
Result<ImportedFile> read_json_array(const ImportSource& source);

bool is_har(const ImportSource& source);
Result<ImportedFile> read_har(const ImportSource& source);

bool is_curl(const ImportSource& source);
Result<ImportedFile> read_curl(const ImportSource& source);

bool is_mitm(const ImportSource& source);
Result<ImportedFile> read_mitm(const ImportSource& source);

bool is_cassette(const ImportSource& source);
Result<ImportedFile> read_cassette(const ImportSource& source);

bool is_bundle(const ImportSource& source);
Result<ImportedFile> read_bundle(const ImportSource& source);

bool is_mock_fixture(const ImportSource& source);
Result<ImportedFile> read_mock_fixture(const ImportSource& source);

bool is_packet_capture(const ImportSource& source);
Result<ImportedFile> read_segments(const ImportSource& source);

Result<ImportedFile> read_mapped(const ImportSource& source);

}  // namespace splitproof::imports
