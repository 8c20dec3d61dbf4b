#ifndef KF_CVULKAN_SHIM_H
#define KF_CVULKAN_SHIM_H

#include <vulkan/vulkan.h>

// Macros and 64-bit flag constants that Swift does not import.
static inline uint32_t kf_vk_api_version_1_2(void) { return VK_API_VERSION_1_2; }
static inline uint32_t kf_vk_version_major(uint32_t v) { return VK_API_VERSION_MAJOR(v); }
static inline uint32_t kf_vk_version_minor(uint32_t v) { return VK_API_VERSION_MINOR(v); }
static inline uint32_t kf_vk_version_patch(uint32_t v) { return VK_API_VERSION_PATCH(v); }
static inline uint64_t kf_vk_whole_size(void) { return VK_WHOLE_SIZE; }
static inline uint32_t kf_vk_queue_family_ignored(void) { return VK_QUEUE_FAMILY_IGNORED; }

// The queue family of other devices (VK_EXT_queue_family_foreign), and of other uses of the same driver.
static inline uint32_t kf_vk_queue_family_foreign(void) { return VK_QUEUE_FAMILY_FOREIGN_EXT; }
static inline uint32_t kf_vk_queue_family_external(void) { return VK_QUEUE_FAMILY_EXTERNAL; }

// Extensions' functions, which the loader does not export.
static inline VkResult kf_vk_memory_fd_properties(
    VkDevice device, VkExternalMemoryHandleTypeFlagBits type, int fd, VkMemoryFdPropertiesKHR *properties) {
  PFN_vkGetMemoryFdPropertiesKHR get =
      (PFN_vkGetMemoryFdPropertiesKHR)vkGetDeviceProcAddr(device, "vkGetMemoryFdPropertiesKHR");
  return get ? get(device, type, fd, properties) : VK_ERROR_EXTENSION_NOT_PRESENT;
}
static inline VkResult kf_vk_memory_fd(
    VkDevice device, VkDeviceMemory memory, VkExternalMemoryHandleTypeFlagBits type, int *fd) {
  PFN_vkGetMemoryFdKHR get = (PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR");
  VkMemoryGetFdInfoKHR info = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, NULL, memory, type};
  return get ? get(device, &info, fd) : VK_ERROR_EXTENSION_NOT_PRESENT;
}

#endif
