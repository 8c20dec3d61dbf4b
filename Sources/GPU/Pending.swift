package struct GPUDescription: Sendable {
  package let index: Int
  package let name, type, driver, apiVersion, uuid: String
  package let missing: [String]
  package var suitable: Bool { missing.isEmpty }
}

package func listGPUs() throws -> [GPUDescription] { [] }
package func vulkanLoaderVersion() -> String { "unknown" }
