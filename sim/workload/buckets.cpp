#include "workload/buckets.hpp"

namespace soya {
namespace {

enum class Measure { time, elements };

/// What the backward pass is shared by: times where any tensor has one that is not zero, else sizes.
Measure measure_of(const DdpConfig& config) {
  for (const TensorConfig& tensor : config.tensors) {
    if (tensor.backward && *tensor.backward > Duration{0}) return Measure::time;
  }
  return Measure::elements;
}

Int128 weight(const TensorConfig& tensor, Measure measure) {
  if (measure == Measure::elements) return tensor.elements;
  return tensor.backward ? tensor.backward->picoseconds() : 0;
}

}  // namespace

std::vector<Bucket> make_buckets(const DdpConfig& config) {
  const Measure measure = measure_of(config);
  Int128 total = 0;
  for (const TensorConfig& tensor : config.tensors) total += weight(tensor, measure);

  std::vector<Bucket> buckets;
  bool open = false;
  Int128 done = 0;
  for (int i = static_cast<int>(config.tensors.size()) - 1; i >= 0; --i) {
    const TensorConfig& tensor = config.tensors[static_cast<std::size_t>(i)];
    if (!open) buckets.push_back({Bytes{0}, i, i, Duration{0}});
    Bucket& bucket = buckets.back();
    bucket.first_tensor = i;
    bucket.size += config.element * tensor.elements;
    done += weight(tensor, measure);
    // Tensors without any weight are all ready at the end.
    bucket.ready = total == 0 ? config.backward
                              : Duration{static_cast<std::int64_t>(config.backward.picoseconds() * done / total)};
    open = bucket.size < (buckets.size() == 1 ? config.first_bucket : config.bucket);
  }
  return buckets;
}

}  // namespace soya
