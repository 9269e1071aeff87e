#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/lossy.hpp"
#include "harness/contract/name_maps.hpp"
#include "harness/contract/obligation.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/result.hpp"

namespace splitproof::contract {

struct ContractFile;

/// The contract about what only the HTTP message shows. It judges traces of its own, which evidence/transport_trace.hpp
/// makes, of testees behind HTTP, whatever protocol they speak.
inline constexpr std::string_view kTransport = "transport";

/// The contracts that are in force: files of rules, loaded once, compiled and never changed. Copies share
/// them; pointers to obligations stay valid as long as any copy lives. May be used from several threads.
class Contracts {
 public:
  /// Loads every `*.yaml` in each folder (not in folders below it), by folder and file name, and kLossyFile apart. Several files
  /// may belong to one contract, each with classes of its own: so a user adds rules to the built-in ones. What
  /// a contract says as a whole (`data`, `ends`, `begins`, `recognised`), only one of its files may say. An
  /// Error names the file, the line and how to fix it; one is returned for a folder without contracts or
  /// given twice, for an id that stands twice, for a falsifier that trips what does not exist, for a `profile:`
  /// condition on a value that `profiles/default.yaml` does not list, and for every mistake in the language.
  static Result<Contracts> load(const std::vector<std::filesystem::path>& dirs);

  /// Every obligation, in the order of the files.
  std::vector<const Obligation*> obligations() const;

  /// The obligation of that id; null when there is none.
  const Obligation* find(std::string_view id) const;

  /// The protocols there are contracts for: "a.b" for `a.b.downstream`, and
  /// "sse"; not `kTransport`, in which no stream is written.
  std::vector<std::string> protocols() const;

  /// What applies to a protocol, in the order of the files: `sse` and `text` to all, `P.downstream` to P. To `kTransport`
  /// the files of that contract alone.
  std::vector<const ContractFile*> files_for(std::string_view protocol) const;

  /// What becomes, for clients of a protocol, of what an upstream's answer holds, by its kind; nothing where both speak the
  /// same or no row names them.
  const std::map<std::string, observe::LossPolicy>& losses(const std::string& upstream,
                                                           const std::string& client) const;

  /// How proxies that rename tools call them, by the name of the map. They live as long as any copy does.
  const observe::NameMaps& name_maps() const { return *name_maps_; }

  /// How traces of a protocol are to be read: the key `data` of its contract, json without it, and for `{}`, where the
  /// protocol is not known yet. Data that a class of any contract names whole (`"@data": TEXT`) is a mark where it is no JSON.
  observe::DataKind data_kind(std::string_view protocol) const;

  /// The protocol that a trace (read as json) speaks: the one with the most events of its `recognised` class,
  /// and these more than half of those that count. Marks do not count, nor does an error of another form (any
  /// contract's `ends: error`): they tell no protocol from another. Nothing for ties.
  std::optional<std::string> recognise(const observe::Trace& trace) const;
  std::optional<std::string> recognise(observe::EventStream& stream) const;

  /// Where the responses of a trace begin that holds several, one after the other: at the first event, and at the first
  /// opening one (`begins`) after a terminal one (`ends`). An error behind an answer that ended well opens too: it is
  /// the whole of a response that failed. One index for each response.
  std::vector<std::size_t> response_begins(std::string_view protocol, const observe::Trace& trace) const;

  /// Calls `begins` with the index of each, in their order, as soon as its window was read. `opens` is true if an opening
  /// event is there, false if the stream begins otherwise or an error is all of the response.
  void each_response(std::string_view protocol, observe::EventStream& stream,
                     const std::function<void(std::size_t event, bool opens)>& begins) const;

  /// Cuts a trace into one for each of its responses. Byte ranges and event numbers stay those of the whole; how the
  /// message ended belongs to the last.
  std::vector<observe::Trace> split_responses(std::string_view protocol, observe::Trace trace) const;

 private:
  std::shared_ptr<const std::vector<ContractFile>> files_;
  std::shared_ptr<const Lossy> lossy_;
  std::shared_ptr<const observe::NameMaps> name_maps_;
  std::vector<std::string> marks_;  ///< of observe::DataKind, for all protocols
};

}  // namespace splitproof::contract
