#include "harness/testee/library_testee.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace splitproof::testee::library_testee_test {
namespace {

std::string path_of(const std::string& library) {
  const char* folder = std::getenv("SPLITPROOF_ODD_LIBRARIES");
  return std::string(folder != nullptr ? folder : ".") + "/" + library + ".so";
}

std::shared_ptr<const Library> odd(const std::string& name = "odd") {
  auto library = Library::open(path_of(name));
  EXPECT_TRUE(library) << describe(library.error());
  return *library;
}

LibraryTestee odd_testee(const std::string& variant, bool deterministic = false,
                         const std::string& library = "odd") {
  LibraryTarget target;
  target.name = "odd";
  target.client = "anthropic.messages";
  target.upstream = "openai.chat";
  target.variant = variant;
  target.knobs = {{"think-tags", "leave"}};
  target.max_concurrency = 3;
  target.cannot = {"thinking"};
  target.deterministic = deterministic;
  return LibraryTestee(odd(library), target);
}

Observation seen_of(const LibraryTestee& testee, recording::End end = recording::End::complete) {
  Exchange exchange;
  exchange.chunks = {"ab", "", std::string_view("c\0d", 3)};
  exchange.end = end;
  return testee.observe(exchange);
}

TEST(Library, ShowsItsVariants) {
  const auto library = odd();
  ASSERT_EQ(library->variants().size(), 10U);
  EXPECT_EQ(library->variants()[0], (Variant{"echo", "Says what it is told.", "", ""}));
  EXPECT_EQ(library->variants()[1], (Variant{"refuse", "Opens nothing.", "RUN-01", "a/b#1"}));
  EXPECT_EQ(library->variants()[5],
            (Variant{"relay", "Passes everything on.", "", "", "openai.responses", "openai.responses"}));
  EXPECT_TRUE(library->check_variant("silent"));
  const auto unknown = library->check_variant("sielnt");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().what, "the library has no variant 'sielnt'");
  EXPECT_EQ(unknown.error().hint,
            "use one of echo, refuse, silent, skip, fail, relay, cutter, ask, decline, babble");
}

TEST(Library, MayHaveNoVariants) {
  const auto library = Library::open(path_of("odd-plain"));
  ASSERT_TRUE(library) << describe(library.error());
  EXPECT_TRUE((*library)->variants().empty());
  EXPECT_EQ((*library)->check_variant("echo").error().hint, "the library has no variants");
}

TEST(Library, IsRefusedWithTheReason) {
  const auto refused = [](const std::string& path) {
    const auto library = Library::open(path);
    EXPECT_FALSE(library);
    return library ? "" : describe(library.error());
  };
  EXPECT_EQ(refused("/nowhere/odd.so"), "/nowhere/odd.so: the library does not exist");
  EXPECT_NE(refused(path_of("odd-foreign"))
                .find("made for version 7 of splitproof_testee.h; compile it with version 2"),
            std::string::npos);
  EXPECT_NE(refused(path_of("odd-lame")).find("does not export splitproof_feed"), std::string::npos);
  EXPECT_NE(refused("/proc/self/status").find("cannot load the library"), std::string::npos);
}

TEST(LibraryTestee, HandsOverReadsAsTheyAreAndNotesWhatWasOutAfterEach) {
  const Observation seen = seen_of(odd_testee("echo"));
  EXPECT_EQ(seen.ending, Ending::complete) << seen.detail;
  EXPECT_EQ(seen.body, std::string("[ab]![]![c\0d]!complete", 22));
  EXPECT_EQ(seen.after_chunk, (std::vector<std::size_t>{5, 8, 14}));
}

TEST(LibraryTestee, TellsProtocolsRequestAndKnobs) {
  const std::string body = seen_of(odd_testee("")).body;
  EXPECT_EQ(body.find("{\"client\":\"anthropic.messages\",\"upstream\":\"openai.chat\",\"request\":{"), 0U);
  EXPECT_NE(body.find("\"messages\":["), std::string::npos);
  EXPECT_NE(body.find("},\"knobs\":{\"think-tags\":\"leave\"}}["), std::string::npos) << body;
}

TEST(LibraryTestee, TellsHowTheBodyEnded) {
  using recording::End;
  for (const End end : {End::complete, End::closed, End::reset, End::stall}) {
    const std::string body = seen_of(odd_testee("echo"), end).body;
    EXPECT_EQ(body.substr(body.rfind('!') + 1), recording::name(end));
  }
}

TEST(LibraryTestee, SaysWhetherTheMessageToItsClientBreaksOff) {
  using recording::End;
  for (const End end : {End::complete, End::closed, End::reset, End::stall}) {
    SCOPED_TRACE(recording::name(end));
    EXPECT_EQ(seen_of(odd_testee("relay"), end).ending,
              end == End::complete ? Ending::complete : Ending::cut);
    EXPECT_EQ(seen_of(odd_testee("cutter"), end).ending, Ending::cut);
    EXPECT_EQ(seen_of(odd_testee("cutter", false, "odd-old"), end).ending, Ending::complete)
        << "a library without the function, of version 1 too, ends all its messages";
  }
  EXPECT_EQ(seen_of(odd_testee("relay")).body, std::string("abc\0d", 5));
  EXPECT_EQ(seen_of(odd_testee("cutter")).after_chunk, (std::vector<std::size_t>{2, 2, 5}));
}

TEST(LibraryTestee, EndsAnExchangeThatTheLibraryGivesUp) {
  const Observation refused = seen_of(odd_testee("refuse"));
  EXPECT_EQ(refused.ending, Ending::crashed);
  EXPECT_EQ(refused.detail, "not today");

  const Observation silent = seen_of(odd_testee("silent"));
  EXPECT_EQ(silent.ending, Ending::crashed);
  EXPECT_EQ(silent.detail, "the library opened no exchange and gave no reason");

  const Observation skipped = seen_of(odd_testee("skip"));
  EXPECT_EQ(skipped.ending, Ending::skipped);
  EXPECT_EQ(skipped.detail, "no text");
  EXPECT_EQ(skipped.body, "");

  const Observation failed = seen_of(odd_testee("fail"));
  EXPECT_EQ(failed.ending, Ending::crashed);
  EXPECT_EQ(failed.detail, "broken");
  EXPECT_EQ(failed.body, "[ab]") << "what comes after the error does not count";
  EXPECT_TRUE(failed.after_chunk.empty());
}

TEST(LibraryTestee, SaysWhatItAsksOfItsUpstream) {
  const recording::Recording recording;
  const Observation call = odd_testee("ask").asks(recording);
  ASSERT_EQ(call.calls.size(), 1U);
  EXPECT_EQ(call.calls[0].target, "/v1/chat/completions");
  EXPECT_EQ(call.calls[0].body, R"({"model":"m"})");
  ASSERT_EQ(call.calls[0].headers.size(), 1U);
  EXPECT_EQ(call.calls[0].headers[0].name, "x");
  EXPECT_NE(call.request.find("\"messages\""), std::string::npos);
  const Observation refusal = odd_testee("decline").asks(recording);
  ASSERT_TRUE(refusal.http);
  EXPECT_EQ(refusal.http->status, 422);
  EXPECT_NE(refusal.request, "");
  for (const char* library : {"odd", "odd-old"})
    EXPECT_EQ(odd_testee("echo", false, library).asks(recording).request, "") << library;

  const Observation seen = seen_of(odd_testee("babble"));
  EXPECT_EQ(seen.ending, Ending::garbage);
  EXPECT_EQ(seen.detail, R"(`ask` is neither {path, headers, body} nor {status}: `{"model":"m"}`)");
  EXPECT_EQ(seen_of(odd_testee("ask")).ending, Ending::complete);
}

TEST(LibraryTestee, OfVersion1IsServedAsItWas) {
  const Observation seen = seen_of(odd_testee("echo", false, "odd-old"));
  EXPECT_EQ(seen.ending, Ending::complete) << seen.detail;
  EXPECT_EQ(seen.body, std::string("[ab]![]![c\0d]!complete", 22));
  EXPECT_EQ(seen_of(odd_testee("fail", false, "odd-old")).detail, "broken");
}

TEST(LibraryTestee, IsOutsideUnlessItPromisesEqualAnswers) {
  EXPECT_TRUE(odd_testee("echo").traits().outside);
  EXPECT_FALSE(odd_testee("echo", true).traits().outside);
  EXPECT_EQ(seen_of(odd_testee("fail", true)).ending, Ending::unavailable);
  EXPECT_EQ(odd_testee("echo").traits().max_concurrency, 3U);
  EXPECT_EQ(odd_testee("echo").traits().cannot, std::vector<std::string>{"thinking"});
}

}  // namespace
}  // namespace splitproof::testee::library_testee_test
