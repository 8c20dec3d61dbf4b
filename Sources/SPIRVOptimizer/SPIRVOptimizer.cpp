#include "SPIRVOptimizer.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#include <spirv-tools/optimizer.hpp>

uint32_t *kf_optimize_spirv(const uint32_t *words, size_t *count) {
  // No exception may pass into Swift.
  try {
    spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
    optimizer.SetMessageConsumer(
        [](spv_message_level_t, const char *, const spv_position_t &, const char *) {});
    optimizer.RegisterPerformancePasses();
    // Behind them: an index that they found out needs no test.
    optimizer.RegisterPass(spvtools::CreateGraphicsRobustAccessPass());
    spvtools::OptimizerOptions options;
    // glslang made the module.
    options.set_run_validator(false);
    std::vector<uint32_t> result;
    if (!optimizer.Run(words, *count, &result, options) || result.empty()) return nullptr;
    const size_t bytes = result.size() * sizeof(uint32_t);
    uint32_t *copy = static_cast<uint32_t *>(std::malloc(bytes));
    if (copy == nullptr) return nullptr;
    std::memcpy(copy, result.data(), bytes);
    *count = result.size();
    return copy;
  } catch (...) {
    return nullptr;
  }
}
