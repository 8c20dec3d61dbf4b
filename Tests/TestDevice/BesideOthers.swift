package import Testing

/// Runs the tests of a suite on threads beside those of all other tests.
///
/// Tests of one priority share as many threads as the machine has cores, and many only wait on theirs, for a program that
/// records in real time. Tests of a higher priority have other threads (measured with Swift 6.2 on Linux), and take what is left of the
/// cores.
package struct BesideOthers: SuiteTrait, TestScoping {
  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await Task(priority: .high) { try await function() }.value
    }
  }
}

extension Trait where Self == BesideOthers {
  package static var besideOthers: BesideOthers { BesideOthers() }
}
