#pragma once

#include <memory>
#include <string>

#include "harness/result.hpp"

namespace splitproof::testee {

/// A new folder for temporary files ($TMPDIR, or else /tmp), which only this user can read. It is removed with this value,
/// also what is write-protected in it.
class FreshFolder {
 public:
  /// `name` is a part of its name.
  static Result<std::unique_ptr<FreshFolder>> make(const std::string& name);

  ~FreshFolder();
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

  const std::string& path() const { return path_; }  ///< absolute

 private:
  explicit FreshFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace splitproof::testee
