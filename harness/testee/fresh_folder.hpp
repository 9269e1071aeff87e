#pragma once

#include <memory>
#include <string>

#include "harness/result.hpp"

namespace splitproof::testee {

/// A new temporary folder in $TMPDIR, or else in /tmp, that only this user can read. The destructor removes
/// it, including write-protected content.
class FreshFolder {
 public:
  /// `name` is a part of its name.
  static Result<std::unique_ptr<FreshFolder>> make(const std::string& name);

  ~FreshFolder();
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

  const std::string& path() const { return path_; }  ///< Absolute.

 private:
  explicit FreshFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace splitproof::testee
