import Testing

@testable import GPU

@Suite("Work groups")
struct WorkGroupTests {
  @Test(
    "A row is divided with few invocations beyond its end",
    arguments: [
      (1280, 256), (160, 160), (1920, 240), (854, 144), (1, 16), (40, 48), (300, 160), (256, 256),
    ])
  func rows(invocations: Int, width: Int) {
    let group = WorkGroup.row(of: invocations)
    #expect(group == WorkGroup(width: width, height: 1))
  }
}
