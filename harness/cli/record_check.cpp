#include "harness/cli/record_check.hpp"

#include <fmt/format.h>

#include <iostream>
#include <vector>

#include "harness/cli/exit_code.hpp"
#include "harness/cli/recording_files.hpp"
#include "harness/cli/sources.hpp"
#include "harness/record/secret_check.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {

int check_for_secrets(const std::string& folder, const record::SecretShapes& shapes) {
  const auto files = recording_files(folder);
  if (!files) return complain(files.error());
  std::size_t secrets = 0;
  std::size_t unread = 0;
  for (const std::string& file : *files) {
    const auto found = record::secrets_in(file, shapes);
    if (!found) {
      complain(found.error());
      ++unread;
      continue;
    }
    for (const record::SecretFinding& one : *found) {
      const std::string place = one.line == 0 ? file : fmt::format("{}:{}", file, one.line);
      const char* across = one.line == 0 ? ", in pieces over several lines" : "";
      std::cout << visible(fmt::format("{}: looks like a secret: {}, {}... ({} bytes){}", place, one.kind,
                                       one.beginning, one.size, across))
                << "\n";
      ++secrets;
    }
  }
  if (files->empty()) {
    complain(Error{"there is no recording (*.rec.jsonl)", folder, 0, {}});
    return kNothingSelected;
  }
  std::cout << report::verdict_word(secrets == 0 && unread == 0)
            << report::counted(files->size(), "recording") << ", " << report::counted(secrets, "secret");
  if (unread > 0) std::cout << ", " << report::counted(unread, "file") << " not read";
  std::cout << "\n";
  if (unread > 0) return kWrongInput;
  return secrets == 0 ? kConforms : kViolates;
}

}  // namespace splitproof::cli
