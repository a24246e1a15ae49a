// Parameter tensors of a model: read from a table, or made up as equal ones.
// Simplifies: the table is plain CSV without quoting; a name holds no comma.
// Source: the format is described below. Validated by tests/unit/workload/model_table_test.cpp.
//
//   # comment lines and empty lines may stand anywhere
//   index,name,numel,time
//   0,conv1.weight,9408,1.2us
//
// `name` and `numel` (elements) are required, the other columns are not; columns come in any order. `index` is the
// order of definition; without it the order of lines is. `time` is the tensor's part of the backward pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/workload_config.hpp"

namespace soya {

/// Tensors of the table in order of definition. Throws `ScenarioError` with every error and its file:line:column.
[[nodiscard]] std::vector<TensorConfig> read_model_table(const std::string& path);

/// `parameters` elements in `tensors` tensors that differ by one element at most, and in fewer tensors where there are
/// fewer parameters: a tensor has at least one element. Named tensor0, tensor1, …
[[nodiscard]] std::vector<TensorConfig> equal_tensors(std::int64_t parameters, int tensors);

}  // namespace soya
