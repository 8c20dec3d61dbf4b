import Frames
import Glibc

/// Why kfrec renders on the processor where the only Vulkan driver is a software one.
struct SoftwareReason {
  /// The folder of device files; /dev but for tests.
  var devices = "/dev"
  /// The value of VK_DRIVER_FILES or of its older name; nil if neither is set.
  var driverFiles = (getenv("VK_DRIVER_FILES") ?? getenv("VK_ICD_FILENAMES"))
    .map { String(cString: $0) }

  /// One sentence about what is missing, and a remedy.
  var text: String {
    let found = deviceFiles
    guard let first = found.first else {
      return "there is no GPU: neither \(devices)/dri/renderD* nor \(devices)/nvidiactl exists; "
        + "a container sees a GPU only if it was started with one (--device /dev/dri, or --gpus all)"
    }
    guard found.contains(where: { access($0, R_OK | W_OK) == 0 }) else {
      let error = String(cString: strerror(errno))
      return "\(first) cannot be opened: \(error); its group (render or video) may open it"
    }
    if let driverFiles {
      return
        "\(first) is there, but the environment lets the Vulkan loader load only \(driverFiles)"
    }
    return
      "\(first) is there, but no Vulkan driver uses it; install that of its maker, or mesa-vulkan-drivers"
  }

  /// The device files of GPUs: render nodes of the kernel's drivers, and the one of NVIDIA's driver.
  private var deviceFiles: [String] {
    let nodes = names(in: devices + "/dri").filter { $0.hasPrefix("renderD") }
    let files = nodes.map { "\(devices)/dri/\($0)" }
    return files + ["\(devices)/nvidiactl"].filter { access($0, F_OK) == 0 }
  }
}
