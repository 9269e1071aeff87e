#include <nss.h>

#include "harness/cli/commands.hpp"
#include "harness/cli/program.hpp"

// The start of the static program. glibc loads the libraries that nsswitch.conf lists for looking up names. They
// need the system's glibc, and abort the program because it contains another. So the program only uses what it
// contains: files and DNS.
int main(int argc, char** argv) {
  using namespace splitproof::cli;
  __nss_configure_lookup("hosts", "files dns");
  for (const char* names : {"services", "passwd", "group"}) __nss_configure_lookup(names, "files");
  return as_program([&] { return run_chosen(commands(), argc, argv); });
}
