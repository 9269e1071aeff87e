#include <filesystem>
#include <iostream>
#include <system_error>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/recording/import_sse.hpp"
#include "harness/recording/recording.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

struct ImportCommand {
  std::string kind;
  std::string file;
  std::string protocol;
  std::string out;
  std::string chunks;    ///< sizes, separated by commas
  std::string request;   ///< file with the client request
  bool replace = false;  ///< overwrite an existing recording
};

int import(const ImportCommand& command) {
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(command.protocol);
  const bool is_aws = dialect::format_of(command.protocol).framing == Framing::aws_frames;
  if (is_aws != (command.kind == "aws")) {
    return complain(
        Error{"a body of " + command.protocol + (is_aws ? " is" : " is not") + " an AWS event stream",
              {},
              0,
              is_aws ? "use splitproof import aws" : "use splitproof import sse"});
  }
  recording::SseImport options;
  options.protocol = command.protocol;
  options.request_file = command.request;
  options.is_sse = dialect::format_of(command.protocol).framing == Framing::sse;
  if (!command.chunks.empty()) {
    const auto sizes = recording::parse_chunk_sizes(command.chunks);
    if (!sizes) return complain(sizes.error());
    options.chunk_sizes = *sizes;
  }
  auto recording = recording::import_sse(command.file, options);
  if (!recording) return complain(recording.error());
  for (const std::string& warning : recording->warnings)
    std::cerr << "splitproof: " << command.file << ": " << warning << "\n";
  if (upstream != nullptr) recording->headers = {{"content-type", std::string(upstream->content_type())}};
  if (const auto known = check_recording(*recording); !known) return complain(known.error());
  if (!recording::can_be_id(recording->id)) {
    return complain(
        Error{"the file's name cannot be part of a case id", command.file, 0, recording::kNameOfRecording});
  }
  const std::string path =
      (std::filesystem::path(command.out) / (recording->id + std::string(recording::kSuffix))).string();
  std::error_code ignored;
  if (!command.replace && std::filesystem::exists(path, ignored))
    return complain(Error{"exists already", path, 0, "rename the capture, or add --replace"});
  if (const auto saved = recording::save(*recording, path); !saved) return complain(saved.error());
  std::cout << path << "  " << report::counted(recording->body.size(), "byte") << ", "
            << report::counted(recording->arrivals.size(), "chunk") << "\n";
  return kConforms;
}

void add_options(Options& options, ImportCommand& import) {
  options.text("KIND", import.kind, "sse, or aws for an AWS event stream").required().one_of({"sse", "aws"});
  options.text("FILE", import.file, "raw response body").required();
  options.text("--protocol", import.protocol, "protocol of the body").required().type("P");
  options.text("--out", import.out, "folder for the recording, STEM.rec.jsonl").required().type("DIR");
  options
      .text("--chunks", import.chunks, "sizes of the chunks in which the body arrived, separated by commas")
      .type("SIZES");
  options.flag("--replace", import.replace, "replace an existing recording of the same name");
  options.text("--request", import.request, "file with the request of this response, as JSON").type("FILE");
}

}  // namespace

const Command kImport = {"import", "Turn a captured upstream stream into a recording",
                         "splitproof import sse capture.sse --protocol openai.chat --out corpus/openai.chat",
                         adding(add_options, import)};

}  // namespace splitproof::cli
