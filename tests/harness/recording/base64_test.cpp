#include "harness/recording/base64.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace splitproof::recording::base64_test {
namespace {

TEST(Base64, VectorsOfTheRfc) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"},
                                                         {"\xFB\xFF\xFE", "+//+"}};
  for (const auto& vector : vectors) {
    EXPECT_EQ(to_base64(vector.first), vector.second);
    EXPECT_EQ(from_base64(vector.second), vector.first);
  }
}

TEST(Base64, AllBytesComeBack) {
  std::mt19937 random(3);
  for (std::size_t length = 0; length < 300; ++length) {
    std::string bytes(length, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
}

TEST(Base64, RefusesEveryOtherSpelling) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n",
                           "Zm-_", "Zg==Zg==", "Z=g="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace splitproof::recording::base64_test
