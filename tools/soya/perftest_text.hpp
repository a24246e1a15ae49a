// What perftest would have printed of a run, line by line, and the closed form beside it.
// Simplifies: of the header the lines that mean something here; blanks for perftest's tabs, so that `diff -b` of a real
// run shows the numbers that differ. The latency table is wider than 100 columns, as perftest's.
// Source: linux-rdma/perftest, src/perftest_parameters.c and .h (ctx_print_test_info, REPORT_FMT, REPORT_FMT_EXT,
// REPORT_FMT_LAT). Validated by tests/unit/tools/perftest_text_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "results/results.hpp"

namespace soya::cli {

/// The sections of a run's perftest jobs, each with a title line; none without such a job.
[[nodiscard]] std::vector<std::string> perftest_sections(const RunResults& run);

/// Whether every transfer of the run is one of a perftest job, whose table says what there is to say.
[[nodiscard]] bool only_perftest(const RunResults& run);

}  // namespace soya::cli
