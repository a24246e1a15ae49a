// The gradient buckets of data-parallel training, and when each is ready.
// Simplifies: a tensor's gradient is ready at one instant; buckets are not rebuilt after the first step.
// Source: torch DistributedDataParallel's rule (docs/model.md section 9). Validated by
// tests/unit/workload/buckets_test.cpp.
#pragma once

#include <vector>

#include "core/units.hpp"
#include "workload/workload_config.hpp"

namespace soya {

/// Neighbouring tensors whose gradients are reduced together.
struct Bucket {
  Bytes size{0};
  int first_tensor{0};  ///< indices in order of definition; the gradient of `last_tensor` comes first
  int last_tensor{0};
  Duration ready{0};  ///< of the last gradient, from the start of backward
};

/// Buckets in the order in which they become ready. Gradients come in reverse order of definition; a bucket closes when
/// its size has reached the cap (`first_bucket`, then `bucket`); a tensor is never split.
/// The backward pass is shared among the tensors in proportion to their `backward` times, or to their bytes where they
/// have none; the last bucket is ready at exactly `config.backward`. No tensors give no buckets.
[[nodiscard]] std::vector<Bucket> make_buckets(const DdpConfig& config);

}  // namespace soya
