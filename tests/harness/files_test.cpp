#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "harness/read_file.hpp"
#include "harness/write_file.hpp"

namespace splitproof::files_test {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = testing::TempDir() + "files-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(Files, AreReadAsTheyWereWritten) {
  std::string all;
  for (int i = 0; i < 70'000; ++i) all += static_cast<char>(i % 256);
  for (const std::string& text : {std::string(), std::string("one\n"), all}) {
    ASSERT_TRUE(write_file(at("file"), text));
    EXPECT_EQ(*read_file(at("file")), text);
  }
  EXPECT_EQ(count(), 1U) << "nothing is left beside the file";
}

TEST_F(Files, KeepTheirModeAndTheirLinks) {
  ASSERT_TRUE(write_file(at("file"), "old"));
  ASSERT_EQ(chmod(at("file").c_str(), 0640), 0);
  fs::create_directory(folder_ / "below");
  fs::create_symlink("../file", folder_ / "below" / "link");
  ASSERT_TRUE(write_file(at("below/link"), "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "below" / "link"));
  EXPECT_EQ(*read_file(at("file")), "new");
  EXPECT_EQ(fs::status(at("file")).permissions(), fs::perms{0640});

  fs::create_symlink("not-there-yet", folder_ / "dangling");
  ASSERT_TRUE(write_file(at("dangling"), "made"));
  EXPECT_EQ(*read_file(at("not-there-yet")), "made");
}

TEST_F(Files, CheckFindsUnwritableFilesBeforehand) {
  const auto refused = [](const std::string& path) {
    const auto told = check_writable(path, "");
    const auto failed = write_file(path, "text");
    return !told && !failed && told.error() == failed.error() && failed.error().file == path;
  };
  EXPECT_TRUE(refused(at("none/file")));
  EXPECT_TRUE(refused(folder_.string()));
  EXPECT_TRUE(refused(""));
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_TRUE(refused(at("loop")));
  EXPECT_TRUE(check_writable(at("file"), ""));
  EXPECT_FALSE(fs::exists(at("file"))) << "asking makes nothing";
}

TEST_F(Files, PartialFileExistsUntilTheFileIsComplete) {
  ASSERT_TRUE(write_file(at("file"), "old"));
  fs::create_symlink("file", at("file.part"));
  auto part = PartOfFile::begin(at("file"), "one\n");
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->append("two\n"));
  EXPECT_FALSE(fs::is_symlink(at("file.part"))) << "a link is not followed";
  EXPECT_EQ(*read_file(at("file.part")), "one\ntwo\n");
  EXPECT_EQ(*read_file(at("file")), "old");
  part->remove();
  EXPECT_EQ(count(), 1U);

  auto of_device = PartOfFile::begin("/dev/null", "");
  ASSERT_TRUE(of_device);
  EXPECT_TRUE(of_device->append("text"));
  of_device->remove();
  EXPECT_FALSE(fs::exists("/dev/null.part"));
  EXPECT_FALSE(PartOfFile::begin(at("none/file"), ""));
  fs::create_directory(at("file.part"));
  EXPECT_FALSE(PartOfFile::begin(at("file"), ""));
}

TEST_F(Files, DevicesAndPipesAreWrittenTo) {
  EXPECT_TRUE(write_file("/dev/null", "text"));
  const auto full = write_file("/dev/full", "text");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().what, "cannot be written: No space left on device");
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = *read_file(at("pipe")); });
  EXPECT_TRUE(write_file(at("pipe"), "through"));
  reader.join();
  EXPECT_EQ(read, "through");
}

TEST_F(Files, EndlessFilesAreRefused) {
  EXPECT_EQ(read_file("/dev/zero").error().what, "is larger than 256 MB");
  ASSERT_TRUE(write_file(at("sparse"), ""));
  fs::resize_file(at("sparse"), std::uintmax_t{1} << 40);
  EXPECT_EQ(read_file(at("sparse")).error().what, "is larger than 256 MB");
  EXPECT_EQ(read_file(folder_.string()).error().what, "is a folder, not a file");
  EXPECT_EQ(read_file(at("none")).error().what, "cannot be read: No such file or directory");
  EXPECT_EQ(read_file("/proc/self/mem").error().what, "cannot be read: Input/output error");
}

// A writer that is killed between two calls leaves a file. The next writer of the same file removes only that.
TEST_F(Files, AbandonedFilesAreRemovedByTheNextWriter) {
  ASSERT_TRUE(write_file(at("file"), "old"));
  const std::set<std::string> others = {"file.new", "file.splitproof-1.new.txt", "other.splitproof-1.new"};
  for (const std::string& other : others) ASSERT_TRUE(write_file(at(other), "somebody's"));
  std::ofstream(at("file.splitproof-1.new")) << "rest";
  ASSERT_TRUE(write_file(at("file"), "new"));
  EXPECT_EQ(*read_file(at("file")), "new");
  EXPECT_FALSE(fs::exists(at("file.splitproof-1.new")));

  std::ofstream(at("file.splitproof-1.new")) << "another writes it";
  const Descriptor locked(open(at("file.splitproof-1.new").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(flock(locked.get(), LOCK_EX | LOCK_NB), 0);
  fs::create_symlink("other.splitproof-1.new", at("file.splitproof-2.new"));
  fs::create_directory(at("file.splitproof-3.new"));
  ASSERT_TRUE(write_file(at("file"), "newer"));
  EXPECT_EQ(*read_file(at("file")), "newer");
  EXPECT_EQ(*read_file(at("file.splitproof-1.new")), "another writes it");
  EXPECT_TRUE(fs::is_symlink(at("file.splitproof-2.new")));
  for (const std::string& other : others) EXPECT_EQ(*read_file(at(other)), "somebody's");
  EXPECT_EQ(count(), 1 + others.size() + 3) << "nothing else is left";
}

// Each of many writers appends a line to the file.
TEST_F(Files, LoseNoLineOfTwoThatAddToThem) {
  ASSERT_TRUE(write_file(at("file"), ""));
  const auto add_lines = [&] {
    for (int i = 0; i < 50; ++i) {
      const auto lock = lock_folder_of(at("file"));
      ASSERT_TRUE(lock);
      ASSERT_TRUE(write_file(at("file"), *read_file(at("file")) + "line\n"));
    }
  };
  std::thread other(add_lines);
  add_lines();
  other.join();
  EXPECT_EQ(read_file(at("file"))->size(), 100 * std::string("line\n").size());
}

TEST_F(Files, PipeIsWaitedForAndNotForEver) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  const Result<std::string> alone = read_file(at("pipe"));
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().what, "cannot be read: nobody writes to this pipe");
  EXPECT_FALSE(write_file(at("pipe"), "x")) << "nobody reads it";

  const std::string much(200'000, 'x');  // more than a pipe holds
  std::thread writing([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(write_file(at("pipe"), much));
  });
  const Result<std::string> read = read_file(at("pipe"));
  writing.join();
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->size(), much.size());
}

}  // namespace
}  // namespace splitproof::files_test
