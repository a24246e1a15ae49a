#include "sweep/slurm_script.hpp"

#include <doctest/doctest.h>

#include "support/run_command.hpp"
#include "sweep/shard.hpp"

using namespace soya;

namespace {

SlurmJob small_job() {
  SlurmJob job;
  job.name = "headroom-by-distance";
  job.program = "/opt/soya/bin/soya";
  job.sweep = "/home/me/headroom-by-distance.yaml";
  job.folder = "/scratch/headroom";
  job.shards = 1000;
  return job;
}

std::string refusal(const SlurmJob& job) {
  try {
    (void)slurm_script(job);
  } catch (const SlurmError& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_option(const std::string& option) {
  SlurmJob job = small_job();
  job.options = {option};
  return refusal(job);
}

bool has_line(const std::string& text, const std::string& line) {
  return test::contains(text, "\n" + line + "\n");
}

}  // namespace

TEST_CASE("a job script, whole") {
  CHECK(slurm_script(small_job()) == R"(#!/bin/bash
# 1000 shards, one a task. A task that is started again does what is missing.
#SOYA shards=1000
#SBATCH --job-name="headroom-by-distance"
#SBATCH --array=0-999
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="/scratch/headroom/log/%a.log"

: "${SLURM_ARRAY_TASK_ID:?this is a job script: give it to sbatch}"
echo "soya: task $SLURM_ARRAY_TASK_ID of job ${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID} on ${SLURMD_NODENAME:-$HOSTNAME}, restart ${SLURM_RESTART_COUNT:-0}"
exec /opt/soya/bin/soya sweep run /home/me/headroom-by-distance.yaml --out /scratch/headroom \
  --shard "$SLURM_ARRAY_TASK_ID/1000" --threads "${SLURM_CPUS_PER_TASK:-1}"
)");
}

TEST_CASE("everything that can be asked for stands in the script") {
  SlurmJob job = small_job();
  job.shards = 1;
  job.at_once = 20;
  job.threads = 8;
  job.partition = "long,short";
  job.time = "1-12:00:00";
  job.options = {"--account=x", "mail-user=a@b", "-C haswell"};
  job.arguments = {"--set", "fabric.mtu=4096", "--quiet"};
  const std::string script = slurm_script(job);
  CHECK(has_line(script, "#SOYA shards=1"));
  CHECK(has_line(script, "#SBATCH --array=0-0%20"));
  CHECK(has_line(script, "#SBATCH --cpus-per-task=8"));
  CHECK(has_line(script, "#SBATCH --partition=\"long,short\""));
  CHECK(has_line(script, "#SBATCH --time=\"1-12:00:00\""));
  CHECK(has_line(script, "#SBATCH --account=x"));
  CHECK(has_line(script, "#SBATCH --mail-user=a@b"));
  CHECK(has_line(script, "#SBATCH -C haswell"));
  CHECK(
      script.ends_with("  --shard \"$SLURM_ARRAY_TASK_ID/1\" --threads \"${SLURM_CPUS_PER_TASK:-1}\" --set "
                       "fabric.mtu=4096 --quiet\n"));
}

TEST_CASE("names of any kind reach the command as they are") {
  const test::TemporaryFolder folder;
  SlurmJob job = small_job();
  job.program = folder / "so ya";
  job.sweep = "/a b/it's \"the\" $(touch bad) `x` 札幌.yaml";
  job.folder = "/scratch/100 % 札幌";
  job.shards = 4;
  job.arguments = {"--set", "name=*;&|<>\\", ""};
  test::write_text(job.program, "#!/bin/sh\nfor word; do printf '<%s>\\n' \"$word\"; done\n");
  test::write_text(folder / "job", slurm_script(job));
  const auto ran = test::run_command(folder,
                                     "chmod +x 'so ya'; SLURM_ARRAY_TASK_ID=3 SLURM_JOB_ID=17 SLURM_ARRAY_JOB_ID=15 "
                                     "SLURM_RESTART_COUNT=2 SLURM_CPUS_PER_TASK=8 SLURMD_NODENAME=n5 bash job");
  CHECK(ran.err == "");
  CHECK(ran.status == 0);
  CHECK(ran.out ==
        "soya: task 3 of job 15 on n5, restart 2\n"
        "<sweep>\n<run>\n</a b/it's \"the\" $(touch bad) `x` 札幌.yaml>\n<--out>\n</scratch/100 % 札幌>\n"
        "<--shard>\n<3/4>\n<--threads>\n<8>\n<--set>\n<name=*;&|<>\\>\n<>\n");
  CHECK_FALSE(std::filesystem::exists(folder / "bad"));
  // In a name of a log Slurm reads %a and its like, so that a plain % is two of them.
  CHECK(has_line(slurm_script(job), "#SBATCH --output=\"/scratch/100 %% 札幌/log/%a.log\""));
  job.name = "a \"b\" \\c";
  CHECK(has_line(slurm_script(job), R"(#SBATCH --job-name="a \"b\" \\c")"));
}

TEST_CASE("a job script outside Slurm says what it is for") {
  const test::TemporaryFolder folder;
  test::write_text(folder / "job", slurm_script(small_job()));
  const auto ran = test::run_command(folder, "unset SLURM_ARRAY_TASK_ID; bash job");
  CHECK(ran.status != 0);
  CHECK(test::contains(ran.err, "SLURM_ARRAY_TASK_ID: this is a job script: give it to sbatch"));
}

TEST_CASE("what a job script cannot say is refused") {
  SlurmJob job = small_job();
  job.name = "a\n#SBATCH --uid=0";
  CHECK(refusal(job) == "name: a job script cannot say \"a\\n#SBATCH --uid=0\": it holds a control character");
  job = small_job();
  job.sweep = "/a\nb.yaml";
  CHECK(refusal(job) == "SWEEP: a job script cannot say \"/a\\nb.yaml\": it holds a control character");
  job = small_job();
  job.folder = "/a\\b";
  CHECK(refusal(job) == "--out: Slurm writes no log below a folder with a backslash in its name, got \"/a\\b\"");
  CHECK(refusal_of_option("--comment=a\nb") ==
        "--sbatch: a job script cannot say \"--comment=a\\nb\": it holds a control character");
  for (const char* option : {"--array=0-3", "array=0-3", "--array 0-3", "--arr=0-3", "-a0-3", "-a 0-3"}) {
    CHECK(refusal_of_option(option) ==
          "--sbatch: the array has a task for each shard; write --shards and --at-once instead of \"" +
              std::string{option} + "\"");
  }
  CHECK(refusal_of_option("-A x") == "");
  CHECK(refusal_of_option("--account=x") == "");
}

TEST_CASE("a word of a shell is quoted where it must be") {
  CHECK(shell_word("/scratch/a-b_1.yaml") == "/scratch/a-b_1.yaml");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("札幌") == "'札幌'");
  CHECK(shell_word("~") == "'~'");
  CHECK(shell_word("workload[0]") == "'workload[0]'");
}

TEST_CASE("answers of Slurm's commands") {
  CHECK(
      max_array_size(
          "Configuration data as of 2026-11-30\nMaxArrayLike = 3\nMaxArraySize            = 1001\nMaxJobCount = 5\n") ==
      1001);
  CHECK(max_array_size("MaxArraySize = 4000001") == 4'000'001);
  CHECK_FALSE(max_array_size("MaxArraySize = \nMaxDBDMsgs = 7\n"));
  CHECK_FALSE(max_array_size(""));
  CHECK(submitted_job("123\n") == "123");
  CHECK(submitted_job("123;cluster\n") == "123");
}
