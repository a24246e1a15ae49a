#include "results/results_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace soya;

namespace {

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t lines_in(const std::filesystem::path& file) {
  const std::string text = test::read_text(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::vector<std::string> plain_files{"results.sqlite", "summary.json"};

/// What an interrupted run knows: a name that tells it from others, and that it is incomplete.
RunResults interrupted_results(const std::string& name) {
  RunResults results = test::incast_results();
  results.name = name;
  results.complete = false;
  return results;
}

/// Contents of every file, by name.
std::vector<std::string> contents(const std::filesystem::path& folder) {
  std::vector<std::string> texts;
  for (const std::string& name : names_in(folder)) texts.push_back(name + "\n" + test::read_text(folder / name));
  return texts;
}

}  // namespace

TEST_CASE("a result is its files and nothing else") {
  const test::TemporaryFolder folder;
  const auto out = folder / "out/incast";
  {
    ResultsFolder results{out, CsvFiles::none};
    CHECK(names_in(out) == std::vector<std::string>{"results.sqlite.partial"});
    results.live().add_transfer(test::incast_results().transfer_rows[0], "");
    CHECK(results.live().commit());
    results.publish({{"", test::incast_results()}});
  }
  CHECK(names_in(out) == plain_files);
  CHECK(test::read_text(out / "summary.json") == summary_json(test::incast_results(), {}));
}

TEST_CASE("CSV files hold a header and every row of every run, the next result without CSV removes them") {
  const test::TemporaryFolder folder;
  const auto out = folder / "out";
  ResultsFolder{out, CsvFiles::every_table}.publish(
      {{"", test::incast_results()}, {"starved", test::starved_results()}});
  CHECK(names_in(out) == std::vector<std::string>{"accelerator.csv", "accelerator_flow.csv", "collective.csv",
                                                  "headroom_use.csv", "host.csv", "link.csv", "pause.csv",
                                                  "perftest.csv", "queue.csv", "reconvergence.csv", "results.sqlite",
                                                  "run.csv", "sample.csv", "step.csv", "summary.json", "switch.csv",
                                                  "tier.csv", "transfer.csv"});
  CHECK(lines_in(out / "transfer.csv") == 1 + 2 * 16);
  CHECK(lines_in(out / "sample.csv") == 1);
  CHECK(test::read_text(out / "transfer.csv").find("\r\nstarved,incast/札幌-host3,札幌-host3,稚内-host1,1048576,0,,") !=
        std::string::npos);
  test::write_text(out / "notes.txt", "mine");
  ResultsFolder{out, CsvFiles::none}.publish({{"", test::ddp_results()}});
  CHECK(names_in(out) == std::vector<std::string>{"notes.txt", "results.sqlite", "summary.json"});
}

TEST_CASE("a run that fails leaves the earlier result as it was, or no folder at all") {
  const test::TemporaryFolder folder;
  const auto out = folder / "a/b/c";
  { const ResultsFolder results{out, CsvFiles::every_table}; }
  CHECK(names_in(folder.path()).empty());

  ResultsFolder{out, CsvFiles::none}.publish({{"", test::incast_results()}});
  const std::string before = test::read_text(out / "summary.json");
  { const ResultsFolder results{out, CsvFiles::every_table}; }
  CHECK(names_in(out) == plain_files);
  CHECK(test::read_text(out / "summary.json") == before);
}

TEST_CASE("what stands in the way of a result is named before the run") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "file", "");
  std::filesystem::create_directories(folder / "out/run.csv");
  const std::string as_parent = folder / "file/out";
  CHECK_THROWS_WITH_AS(ResultsFolder(as_parent, CsvFiles::none),
                       ("cannot write " + as_parent + ": " + (folder / "file").string() + " is not a folder").c_str(),
                       MachineError);
  CHECK_THROWS_WITH_AS(ResultsFolder(folder / "out", CsvFiles::every_table),
                       ("cannot write " + (folder / "out/run.csv").string() + ": a folder has this name").c_str(),
                       MachineError);
  CHECK(names_in(folder / "out") == std::vector<std::string>{"run.csv"});
}

TEST_CASE("two runs cannot write one folder at a time, the second leaves the first alone") {
  const test::TemporaryFolder folder;
  ResultsFolder first{folder / "out", CsvFiles::none};
  CHECK_THROWS_AS(ResultsFolder(folder / "out", CsvFiles::none), MachineError);
  CHECK(names_in(folder / "out") == std::vector<std::string>{"results.sqlite.partial"});
  first.publish({{"", test::incast_results()}});
}

TEST_CASE("an incomplete result goes beside a complete one, and the next incomplete one replaces it there") {
  const test::TemporaryFolder folder;
  const auto out = folder / "out";
  CHECK(ResultsFolder{out, CsvFiles::every_table}.publish({{"", test::incast_results()}}) == out);
  const auto before = contents(out);
  for (const std::string name : {"first", "second"}) {
    CHECK(ResultsFolder{out, CsvFiles::none}.publish({{"", interrupted_results(name)}}) == folder / "out.incomplete");
    CHECK(contents(out) == before);
    CHECK(names_in(folder / "out.incomplete") == plain_files);
    CHECK(test::read_text(folder / "out.incomplete/summary.json") == summary_json(interrupted_results(name), {}));
  }
  // A complete one takes the folder that was asked for, as ever.
  CHECK(ResultsFolder{out, CsvFiles::none}.publish({{"", test::ddp_results()}}) == out);
  CHECK(test::read_text(out / "summary.json") == summary_json(test::ddp_results(), {}));
}

TEST_CASE("an incomplete result replaces one that is incomplete itself or in a variant, and fills an empty folder") {
  const test::TemporaryFolder folder;
  const auto out = folder / "out";
  CHECK(ResultsFolder{out, CsvFiles::none}.publish({{"", interrupted_results("first")}}) == out);
  CHECK(ResultsFolder{out, CsvFiles::none}.publish(
            {{"", test::incast_results()}, {"late", interrupted_results("second")}}) == out);
  CHECK(ResultsFolder{out, CsvFiles::none}.publish({{"", interrupted_results("third")}}) == out);
  CHECK(test::read_text(out / "summary.json") == summary_json(interrupted_results("third"), {}));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"out"});
}

TEST_CASE("a run with one incomplete variant is incomplete, and a summary that nobody can read is kept") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "out");
  test::write_text(folder / "out/summary.json", "mine");
  // A slash at the end and a dot are other names of the same folder.
  for (const char* out : {"out", "out/", "out/."}) {
    CAPTURE(out);
    std::filesystem::remove_all(folder / "out.incomplete");
    const auto place = ResultsFolder{folder / out, CsvFiles::none}.publish(
        {{"", test::incast_results()}, {"late", interrupted_results("late")}});
    CHECK(std::filesystem::equivalent(place, folder / "out.incomplete"));
    CHECK(names_in(folder / "out.incomplete") == plain_files);
    CHECK(test::read_text(folder / "out/summary.json") == "mine");
  }
}

TEST_CASE("a complete result under the name of the incomplete one stays too") {
  const test::TemporaryFolder folder;
  for (const char* out : {"out", "out.incomplete"}) {
    ResultsFolder{folder / out, CsvFiles::none}.publish({{"", test::incast_results()}});
  }
  CHECK(ResultsFolder{folder / "out", CsvFiles::none}.publish({{"", interrupted_results("late")}}) ==
        folder / "out.incomplete.incomplete");
  CHECK(test::read_text(folder / "out.incomplete/summary.json") == summary_json(test::incast_results(), {}));
}
