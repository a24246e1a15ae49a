// A headroom policy that Soya does not know works in the buffer as its own do, and the page that explains how to write
// one shows the code that is compiled here.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "support/temporary_folder.hpp"
#include "unit/fabric/buffer_setups.hpp"
#include "unit/fabric/owned_and_shared_policy.hpp"

namespace soya {
namespace {

/// Two ports, one lossless priority, 2000 B for each: 1000 B owned, and a pool of 500 + 500.
SharedBuffer buffer_with_new_policy() {
  const SharedBufferSetup setup = small_setup();
  return SharedBuffer{setup, std::make_unique<OwnedAndSharedPolicy>(setup.layout())};
}

Admission admit(SharedBuffer& buffer, std::size_t ingress, Bytes frame) {
  return buffer.admit(port(ingress), port(1), lossless_priority, frame, Time{0});
}

}  // namespace

TEST_CASE("a buffer takes a policy that no configuration names") {
  SharedBuffer buffer = buffer_with_new_policy();
  // 20 000 less 2 x 1000 owned, 1000 of the pool and 2 x 1000 reserved.
  CHECK(buffer.shared_size() == 15'000_B);
  // Reserved takes 1000, shared 3 x 1000, and then the threshold of 3000 is reached.
  for (int i = 0; i < 4; ++i) REQUIRE_FALSE(admit(buffer, 0, 1000_B).dropped());
  REQUIRE(buffer.off(port(0), lossless_priority));
  // 1000 owned and 600 of the pool's 1000.
  CHECK_FALSE(admit(buffer, 0, 800_B).dropped());
  CHECK_FALSE(admit(buffer, 0, 800_B).dropped());
  for (int i = 0; i < 4; ++i) REQUIRE_FALSE(admit(buffer, 1, 1000_B).dropped());
  // Another 1000 owned, and 400 are left of the pool: 1401 are one too many.
  const Admission refused = admit(buffer, 1, 1401_B);
  CHECK(refused.drop == DropReason::headroom_exhausted);
  CHECK(refused.missing == 1_B);
  CHECK(refused.limit == HeadroomLimit::pool);
  CHECK_FALSE(admit(buffer, 1, 1400_B).dropped());
  buffer.check_invariants();

  const auto release = [&](std::size_t ingress, Bytes frame) {
    (void)buffer.release(port(ingress), port(1), lossless_priority, frame, Time{0});
  };
  for (int i = 0; i < 2; ++i) release(0, 800_B);
  release(1, 1400_B);
  for (int i = 0; i < 4; ++i) {
    release(0, 1000_B);
    release(1, 1000_B);
  }
  CHECK(is_empty(buffer));
}

TEST_CASE("docs/adding-a-headroom-policy.md shows the example as it is compiled") {
  const std::string project{SOYA_SOURCE_DIR};
  const std::string code = test::read_text(project + "/tests/unit/fabric/owned_and_shared_policy.hpp");
  const std::string page = test::read_text(project + "/docs/adding-a-headroom-policy.md");
  const std::string example = code.substr(code.find("class OwnedAndSharedPolicy"));
  REQUIRE(example.size() > 1000);
  const std::string shown = example.substr(0, example.find("}  // namespace soya") - 1);
  CHECK(page.find("```cpp\n" + shown + "```\n") != std::string::npos);
}

}  // namespace soya
