#include "soya/slurm.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>

#include "soya/exit_status.hpp"
#include "support/run_command.hpp"

namespace soya::cli {
namespace {

Command command() {
  Command self;
  self.name = "sweep run";
  self.options = slurm_option_list();
  self.options.push_back({"threads", "N", "threads"});
  self.options.push_back({"dry-run", "", "only say"});
  self.options.push_back({"shard", "I/N", "a part"});
  return self;
}

std::optional<SlurmOptions> options_of(const std::vector<std::string>& arguments) {
  return slurm_options(command(), parse(command(), arguments));
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    (void)call();
  } catch (const UsageError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
  return "";
}

std::string refusal_of(const std::vector<std::string>& arguments) {
  return refusal([&] { return options_of(arguments); });
}

std::int64_t shards(std::optional<std::int64_t> asked, std::int64_t points, std::optional<std::int64_t> max_array_size,
                    std::optional<std::int64_t> array_size = {}) {
  SlurmOptions options;
  options.shards = asked;
  options.array_size = array_size;
  return shards_of(command(), options, {points, max_array_size, {}});
}

/// Programs named scontrol and sbatch in front of all others, or none at all; what Slurm is asked for stands in a file.
class StandInSlurm {
 public:
  StandInSlurm(const std::string& scontrol, const std::string& sbatch) : path_{::getenv("PATH")} {
    if (!scontrol.empty()) write("scontrol", scontrol);
    if (!sbatch.empty()) write("sbatch", sbatch);
    // Only these two are of interest, and sh and cat for them.
    for (const char* tool : {"sh", "cat"}) std::filesystem::create_symlink("/bin/" + std::string{tool}, bin_ / tool);
    ::setenv("PATH", bin_.path().c_str(), 1);
  }
  ~StandInSlurm() { ::setenv("PATH", path_.c_str(), 1); }
  StandInSlurm(const StandInSlurm&) = delete;
  StandInSlurm& operator=(const StandInSlurm&) = delete;

 private:
  void write(const std::string& name, const std::string& body) const {
    test::write_text(bin_ / name, "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(bin_ / name, std::filesystem::perms::owner_all);
  }

  test::TemporaryFolder bin_;
  std::string path_;
};

SlurmSweep sweep_in(const test::TemporaryFolder& folder) {
  return {"distance", "distance.yaml", folder / "out", 5000, {}};
}

TEST_CASE("options of a Slurm array") {
  CHECK_FALSE(options_of({}));
  const auto plain = options_of({"--slurm"});
  REQUIRE(plain);
  CHECK(plain->threads == 1);
  CHECK_FALSE(plain->shards);
  CHECK_FALSE(plain->dry_run);
  const auto all =
      options_of({"--slurm", "--partition", "long", "--time", "1:00:00", "--array-size", "500", "--shards", "400",
                  "--at-once", "20", "--threads", "8", "--sbatch", "account=x", "--sbatch=--mem=2G", "--dry-run"});
  REQUIRE(all);
  CHECK(all->partition == "long");
  CHECK(all->time == "1:00:00");
  CHECK(all->array_size == 500);
  CHECK(all->shards == 400);
  CHECK(all->at_once == 20);
  CHECK(all->threads == 8);
  CHECK(all->sbatch == std::vector<std::string>{"account=x", "--mem=2G"});
  CHECK(all->dry_run);
}

TEST_CASE("options that make no sense are refused") {
  CHECK(refusal_of({"--shards", "5"}) == "soya sweep run: --shards without --slurm, which it is for");
  CHECK(refusal_of({"--sbatch", "account=x"}) == "soya sweep run: --sbatch without --slurm, which it is for");
  CHECK(refusal_of({"--slurm", "--shard", "0/5"}) ==
        "soya sweep run: --shard beside --slurm, which submits every shard; leave out one");
  CHECK(refusal_of({"--slurm", "--shards", "0"}) ==
        "soya sweep run: --shards: expected a whole number from 1 to 4000000, got \"0\"");
  CHECK(refusal_of({"--slurm", "--time", ""}) == "soya sweep run: --time: expected a value, got \"\"");
}

TEST_CASE("as many shards as points, or as the cluster's arrays have tasks") {
  CHECK(shards({}, 40, 1001) == 40);
  CHECK(shards({}, 5000, 1001) == 1000);
  CHECK(shards({}, 5000, {}) == 1000);
  CHECK(shards({}, 5000, 4'000'001) == 5000);
  CHECK(shards({}, 5000, 1001, 500) == 500);
  CHECK(shards({}, 5000, {}, 2000) == 2000);
  CHECK(shards(1000, 5000, 1001) == 1000);
  CHECK(shards(7, 5000, 1001) == 7);
}

TEST_CASE("more shards than there can be are refused with both numbers") {
  CHECK(refusal([] { return shards(5000, 5000, 1001); }) ==
        "soya sweep run: --shards 5000: an array has at most 1000 tasks; MaxArraySize of this cluster is 1001");
  CHECK(refusal([] { return shards(1001, 5000, {}); }) ==
        "soya sweep run: --shards 1001: an array has at most 1000 tasks; no scontrol tells the cluster's MaxArraySize; "
        "--array-size N says it");
  CHECK(refusal([] { return shards(501, 5000, 1001, 500); }) ==
        "soya sweep run: --shards 501: an array has at most 500 tasks; --array-size is 500");
  CHECK(refusal([] { return shards({}, 5000, 1001, 1001); }) ==
        "soya sweep run: --array-size 1001: an array has at most 1000 tasks; MaxArraySize of this cluster is 1001");
  CHECK(refusal([] { return shards(41, 40, 1001); }) ==
        "soya sweep run: --shards 41: the sweep has 40 points, so that some shards would have none");
  CHECK(refusal([] { return shards({}, 40, 0); }) ==
        "soya sweep run: --slurm: this cluster runs no arrays; MaxArraySize of this cluster is 0");
}

TEST_CASE("what was submitted is told with how to go on, as a shell takes it") {
  CHECK(how_to_go_on({"distance", "distance.yaml", "out/a b", 5000, {}}, 1000, "4711") ==
        "job 4711: 5 000 points in 1 000 shards, logs in out/a b/log\n"
        "  watch                soya sweep status 'out/a b'\n"
        "  run what is missing  sbatch --array=$(soya sweep status 'out/a b' --missing) 'out/a b/sweep.sbatch'\n"
        "  put it together      soya sweep merge 'out/a b'\n");
  CHECK(how_to_go_on({"one", "one.yaml", "out", 1, {}}, 1, "7")
            .starts_with("job 7: 1 point in 1 shard, logs in out/log\n"));
}

TEST_CASE("a folder that holds shards goes on with as many") {
  SlurmOptions options;
  const auto with_eight_there = [&] { return shards_of(command(), options, {40, 1001, 8}); };
  CHECK(with_eight_there() == 8);
  options.shards = 8;
  CHECK(with_eight_there() == 8);
  options.shards = 9;
  CHECK(refusal(with_eight_there) ==
        "soya sweep run: --shards 9: what is in --out is one of 8 shards; write --shards 8, or choose another --out");
}

TEST_CASE("a sweep is submitted: script, folder of the logs, one call of sbatch") {
  const test::TemporaryFolder folder;
  const std::string asked = folder / "asked";
  const StandInSlurm slurm{"echo 'MaxArraySize = 501'", "echo \"$@\" >'" + asked + "'; echo '4711;local'"};
  SlurmOptions options;
  options.at_once = 20;
  CHECK(submit(command(), options, sweep_in(folder)) == ExitStatus::sound);
  const std::string script = test::read_text(folder / "out/sweep.sbatch");
  CHECK(test::contains(script, "#SOYA shards=500\n"));
  CHECK(test::contains(script, "#SBATCH --array=0-499%20\n"));
  CHECK(test::contains(script, " sweep run " + (std::filesystem::current_path() / "distance.yaml").string() +
                                   " --out " + (folder / "out").string() + " \\\n"));
  CHECK(std::filesystem::is_directory(folder / "out/log"));
  // Once more, with what a task has left: as many shards as before, whatever the cluster takes by now.
  std::filesystem::create_directory(folder / "out/shard-00003-of-00500");
  const StandInSlurm larger{"echo 'MaxArraySize = 1001'", "echo 4712"};
  CHECK(submit(command(), options, sweep_in(folder)) == ExitStatus::sound);
  CHECK(test::contains(test::read_text(folder / "out/sweep.sbatch"), "#SOYA shards=500\n"));
  CHECK(test::read_text(asked) == "--parsable " + (folder / "out/sweep.sbatch").string() + "\n");
}

TEST_CASE("--dry-run leaves nothing behind and asks sbatch nothing") {
  const test::TemporaryFolder folder;
  const std::string asked = folder / "asked";
  const StandInSlurm slurm{"", "echo \"$@\" >'" + asked + "'"};
  SlurmOptions options;
  options.dry_run = true;
  CHECK(submit(command(), options, sweep_in(folder)) == ExitStatus::sound);
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
  CHECK_FALSE(std::filesystem::exists(asked));
}

TEST_CASE("where sbatch refuses or is not there the exit status says so") {
  const test::TemporaryFolder folder;
  {
    const StandInSlurm slurm{"exit 1", "echo 'sbatch: error: invalid partition' >&2; exit 1"};
    CHECK(submit(command(), {}, sweep_in(folder)) == ExitStatus::machine_refused);
  }
  const StandInSlurm none{"", ""};
  CHECK(refusal([&] { return submit(command(), {}, sweep_in(folder)); }) ==
        "soya sweep run: sbatch is not there: run this where Slurm's commands are, or use another scheduler; --slurm "
        "--dry-run prints the script, --shard i/n is for any other scheduler");
  SlurmOptions array;
  array.sbatch = {"array=0-3"};
  CHECK(test::contains(refusal([&] { return submit(command(), array, sweep_in(folder)); }),
                       "soya sweep run: --sbatch: the array has a task for each shard"));
}

}  // namespace
}  // namespace soya::cli
