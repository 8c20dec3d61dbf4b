import Testing

@testable import GPU

@Suite("Work groups")
struct WorkGroupTests {
  @Test(
    "A row is divided with few invocations beyond its end",
    arguments: [
      (1280, 128), (160, 80), (1920, 128), (854, 96), (1, 16), (40, 48), (300, 80), (256, 128),
    ])
  func rows(invocations: Int, width: Int) {
    let group = WorkGroup.row(of: invocations)
    #expect(group == WorkGroup(width: width, height: 1))
  }
}
