#include "workload/buckets.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/units_io.hpp"
#include "workload/model_table.hpp"

using namespace soya;

namespace {

DdpConfig model(const std::string& name) {
  DdpConfig config;
  config.tensors = read_model_table(std::string{SOYA_SOURCE_DIR} + "/scenarios/models/" + name + ".csv");
  return config;
}

/// One-byte elements, so that sizes are written as they are.
DdpConfig of_bytes(const std::vector<std::int64_t>& gradients_in_order) {
  DdpConfig config;
  config.element = 1_B;
  for (auto size = gradients_in_order.rbegin(); size != gradients_in_order.rend(); ++size) {
    config.tensors.push_back({"t", *size, std::nullopt});
  }
  return config;
}

std::vector<std::int64_t> sizes(const DdpConfig& config) {
  std::vector<std::int64_t> sizes;
  for (const Bucket& bucket : make_buckets(config)) sizes.push_back(bucket.size.count());
  return sizes;
}

using Sizes = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("ResNet-50 has the five buckets that a profile of two A100s shows") {
  // Elements of the all-reduces of a real run of torch DDP.
  CHECK(sizes(model("resnet50")) == Sizes{4 * 2'049'000, 4 * 7'875'584, 4 * 6'563'840, 4 * 6'637'568, 4 * 2'431'040});
}

TEST_CASE("ResNet-18 has the buckets of pytorch issue 48880 at 25 and at 35 MiB") {
  DdpConfig config = model("resnet18");
  CHECK(sizes(config) == Sizes{2'052'000, 28'852'224, 15'853'824});
  config.bucket = 35_MiB;
  CHECK(sizes(config) == Sizes{2'052'000, 38'297'600, 6'408'448});
  // A first bucket as large as the others: the classifier joins the last block.
  config.bucket = 25_MiB;
  config.first_bucket = 25_MiB;
  CHECK(sizes(config) == Sizes{2'052'000 + 28'852'224, 15'853'824});
}

TEST_CASE("a bucket closes when its size has reached the cap, and no tensor is split") {
  constexpr std::int64_t MiB = 1024 * 1024;
  CHECK(sizes(of_bytes({MiB, 25 * MiB, 25 * MiB - 4, 4, 4})) == Sizes{MiB, 25 * MiB, 25 * MiB, 4});
  CHECK(sizes(of_bytes({MiB - 1, 100 * MiB, 1})) == Sizes{101 * MiB - 1, 1});
  CHECK(sizes(of_bytes({1})) == Sizes{1});
  CHECK(sizes(of_bytes({})).empty());
}

TEST_CASE("buckets hold neighbouring tensors, the last defined first") {
  constexpr std::int64_t MiB = 1024 * 1024;
  const std::vector<Bucket> buckets = make_buckets(of_bytes({MiB, 20 * MiB, 5 * MiB, 4}));
  REQUIRE(buckets.size() == 3);
  CHECK(buckets[0].first_tensor == 3);
  CHECK(buckets[0].last_tensor == 3);
  CHECK(buckets[1].first_tensor == 1);
  CHECK(buckets[1].last_tensor == 2);
  CHECK(buckets[2].first_tensor == 0);
  CHECK(buckets[2].last_tensor == 0);
}

TEST_CASE("the backward pass is shared among tensors by bytes") {
  constexpr std::int64_t MiB = 1024 * 1024;
  DdpConfig config = of_bytes({1 * MiB, 25 * MiB, 4 * MiB});
  config.backward = 900_ms;
  const std::vector<Bucket> buckets = make_buckets(config);
  REQUIRE(buckets.size() == 3);
  CHECK(buckets[0].ready == 30_ms);   // 1 of 30 MiB
  CHECK(buckets[1].ready == 780_ms);  // 26 of 30 MiB
  CHECK(buckets[2].ready == 900_ms);
}

TEST_CASE("readiness is exact: thirds round down, and the end is the end") {
  constexpr std::int64_t MiB = 1024 * 1024;
  DdpConfig config = of_bytes({25 * MiB, 25 * MiB, 25 * MiB});
  config.backward = Duration{1'000'000'000'000'000'001};  // far above what a product in 64 bits holds
  const std::vector<Bucket> buckets = make_buckets(config);
  REQUIRE(buckets.size() == 3);
  CHECK(buckets[0].ready == Duration{333'333'333'333'333'333});
  CHECK(buckets[1].ready == Duration{666'666'666'666'666'667});
  CHECK(buckets[2].ready == config.backward);
}

TEST_CASE("tensors with times share the backward pass by them") {
  constexpr std::int64_t MiB = 1024 * 1024;
  DdpConfig config = of_bytes({1 * MiB, 25 * MiB, 4 * MiB});
  config.tensors[2].backward = 10_ms;  // the gradient that comes first
  config.tensors[1].backward = 0_ms;
  config.tensors[0].backward = 30_ms;
  config.backward = 40_ms;
  std::vector<Bucket> buckets = make_buckets(config);
  REQUIRE(buckets.size() == 3);
  CHECK(buckets[0].ready == 10_ms);
  CHECK(buckets[1].ready == 10_ms);
  CHECK(buckets[2].ready == 40_ms);
  // A backward pass of another length stretches them.
  config.backward = 80_ms;
  buckets = make_buckets(config);
  CHECK(buckets[0].ready == 20_ms);
  CHECK(buckets[2].ready == 80_ms);
}
