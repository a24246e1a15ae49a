#include "fabric/headroom.hpp"

namespace soya {

PerQueueHeadroomPool::PerQueueHeadroomPool(const std::vector<Bytes>& sizes) {
  accounts_.reserve(sizes.size());
  for (const Bytes size : sizes) {
    accounts_.push_back({.size = size, .use = {}, .peak = {}, .refused = {}, .needed = {}});
    carved_ += size;
  }
}

namespace {

HeadroomPool make_pool(const PerQueueHeadroom&, const std::vector<Bytes>& sizes) {
  return PerQueueHeadroomPool{sizes};
}

}  // namespace

HeadroomPool make_headroom_pool(const HeadroomConfig& config, const std::vector<Bytes>& sizes) {
  return std::visit([&](const auto& mode) { return make_pool(mode, sizes); }, config);
}

}  // namespace soya
