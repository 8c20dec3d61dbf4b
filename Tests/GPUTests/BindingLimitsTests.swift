import Testing

@testable import GPU

@Suite("The bindings of one kernel")
struct BindingLimitsTests {
  private static let bindings: [BindingKind] = [
    .uniformBuffer, .uniformBuffer, .sampledImage, .texelBuffer, .storageImage,
    .storageTexelBuffer, .storageBuffer,
  ]

  @Test("without limits everything fits")
  func none() {
    #expect(BindingLimits().excess(of: Array(repeating: .uniformBuffer, count: 1000)) == nil)
  }

  @Test("each limit counts its own kinds, and the last counts all")
  func kinds() {
    let expected: [(WritableKeyPath<BindingLimits, Int>, Int)] = [
      (\.uniformBuffers, 2), (\.storageBuffers, 1), (\.samplers, 1), (\.sampledImages, 2),
      (\.storageImages, 2), (\.resources, 7),
    ]
    for (limit, count) in expected {
      var limits = BindingLimits()
      limits[keyPath: limit] = count
      #expect(limits.excess(of: Self.bindings) == nil)
      limits[keyPath: limit] = count - 1
      let excess = limits.excess(of: Self.bindings)
      #expect(excess?.count == count)
      #expect(excess?.limit == count - 1)
    }
  }
}
