#include "sweep/shard.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <set>

using namespace soya;

namespace {

std::string refusal(const std::string& text) {
  try {
    (void)parse_shard(text);
  } catch (const ShardError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const ArrayTask& task) {
  try {
    (void)shard_of_array(task);
  } catch (const ShardError& error) {
    return error.what();
  }
  return "";
}

std::string expected_but(const std::string& got) {
  return "expected i/n with 0 <= i < n, such as 0/8, got " + got;
}

}  // namespace

TEST_CASE("a shard is i/n, in decimal") {
  CHECK(parse_shard("0/1") == Shard{0, 1});
  CHECK(parse_shard("3/8") == Shard{3, 8});
  CHECK(parse_shard("08/10") == Shard{8, 10});  // no octal
  CHECK(parse_shard("010/0011") == Shard{10, 11});
  CHECK(parse_shard("9223372036854775806/9223372036854775807") == Shard{9223372036854775806, 9223372036854775807});
  CHECK(shard_text(parse_shard("08/10")) == "8/10");
}

TEST_CASE("what is no shard is refused with what to write") {
  for (const char* text : {"0/0", "5/4", "-1/4", "1/-4", "/4", "4/", "/", "", "a/b", "1", "1/4/4", " 1/4", "1 /4",
                           "+1/4", "1/4x", "0x1/4", "1.0/4", "9223372036854775808/9223372036854775809"}) {
    CHECK(refusal(text) == expected_but("\"" + std::string{text} + "\""));
  }
  CHECK(refusal("5/5") == expected_but("\"5/5\": shards count from 0, the last is 4/5"));
  CHECK(refusal("1\n/4") == expected_but("\"1\\n/4\""));
}

TEST_CASE("5000 points in 1000 shards: five each, every point in one") {
  constexpr std::int64_t points = 5000;
  std::set<std::int64_t> all;
  for (std::int64_t index = 0; index < 1000; ++index) {
    const Shard shard{index, 1000};
    std::int64_t members = 0;
    for (std::int64_t point = index; point < points; point += shard.count) {
      CHECK(has_point(shard, point));
      CHECK(all.insert(point).second);
      ++members;
    }
    CHECK(members == 5);
    CHECK(points_in(shard, points) == 5);
  }
  CHECK(all.size() == 5000);
  CHECK(*all.begin() == 0);
  CHECK(*all.rbegin() == 4999);
}

TEST_CASE("shards of a few points: some have one more, some have none") {
  // 10 points in 4 shards: 0 4 8, 1 5 9, 2 6, 3 7.
  CHECK(points_in({0, 4}, 10) == 3);
  CHECK(points_in({1, 4}, 10) == 3);
  CHECK(points_in({2, 4}, 10) == 2);
  CHECK(points_in({3, 4}, 10) == 2);
  CHECK(points_in({9, 12}, 10) == 1);
  CHECK(points_in({10, 12}, 10) == 0);
  CHECK(points_in({11, 12}, 10) == 0);
  CHECK(points_in({0, 1}, 0) == 0);
  CHECK_FALSE(has_point({3, 4}, 8));
}

TEST_CASE("a shard's folder sorts by its index and says of how many") {
  CHECK(shard_folder({12, 1000}) == "shard-00012-of-01000");
  CHECK(shard_folder({0, 1}) == "shard-00000-of-00001");
  CHECK(shard_folder({99'999, 100'000}) == "shard-099999-of-100000");
  for (const Shard shard : {Shard{12, 1000}, Shard{0, 1}, Shard{7, 1'234'567}}) {
    CHECK(shard_of_folder(shard_folder(shard)) == shard);
  }
  for (const char* name :
       {"", "shard-", "shard--of-", "shard-00012", "shard-12-of-1000", "shard-00012-of-01000.partial",
        "shard-01000-of-01000", "shard-00000-of-00000", "shard-0a012-of-01000", "xshard-00012-of-01000",
        "-of-shard-00012", "shard-099999-of-1000000"}) {
    CAPTURE(name);
    CHECK_FALSE(shard_of_folder(name));
  }
}

TEST_CASE("tasks of an array are shards, wherever its ids begin") {
  // 4-10:2 is 4, 6, 8, 10. Slurm 22.05 gives the largest id there is as the maximum, the end of the range or not.
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::string id = std::to_string(4 + 2 * i);
    CHECK(shard_of_array({id, "4", "10", "2", "4"}) == Shard{i, 4});
    CHECK(shard_of_array({id, "4", "11", "2", "4"}) == Shard{i, 4});
  }
  CHECK(shard_of_array({"0", "0", "999", "1", "1000"}) == Shard{0, 1000});
  CHECK(shard_of_array({"999", "0", "999", "1", "1000"}) == Shard{999, 1000});
  CHECK(shard_of_array({"5", "5", "5", "1", "1"}) == Shard{0, 1});
  CHECK_FALSE(shard_of_array({}));  // no array: the whole sweep
}

TEST_CASE("a task that cannot know its place is told to give --shard") {
  const ArrayTask list{"3", "1", "7", "1", "3"};  // 1,3,7
  CHECK(
      refusal(list) ==
      "expected a Slurm array of the form first-last:step, got one of 3 tasks from 1 to 7 in steps of 1, in which task "
      "3 does not know its place; give --shard i/n");
  CHECK(refusal(ArrayTask{"5", "4", "10", "2", "4"}) != "");    // between two members
  CHECK(refusal(ArrayTask{"11", "0", "10", "1", "11"}) != "");  // behind the last
  CHECK(refusal(ArrayTask{"0", "1", "10", "1", "10"}) != "");
  CHECK(refusal(ArrayTask{"1", "1", "10", "0", "10"}) != "");
  CHECK(refusal(ArrayTask{"1", "1", "10", "1", {}}) ==
        "expected a whole number in SLURM_ARRAY_TASK_COUNT, which is not set; give --shard i/n");
  CHECK(refusal(ArrayTask{"a", "1", "10", "1", "10"}) ==
        "expected a whole number in SLURM_ARRAY_TASK_ID, got \"a\"; give --shard i/n");
}

TEST_CASE("the array task is read from the environment") {
  const char* names[] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP",
                         "SLURM_ARRAY_TASK_COUNT"};
  for (const char* name : names) ::unsetenv(name);
  CHECK_FALSE(shard_of_array(array_task_of_environment()));
  const char* values[] = {"8", "4", "10", "2", "4"};
  for (std::size_t i = 0; i < 5; ++i) ::setenv(names[i], values[i], 1);
  CHECK(shard_of_array(array_task_of_environment()) == Shard{2, 4});
  for (const char* name : names) ::unsetenv(name);
}
