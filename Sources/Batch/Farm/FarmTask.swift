/// A task of a farm's plan that is to be run.
package struct FarmTask: Sendable {
  /// From 1.
  let number: Int
  let planPath: String

  package init(number: Int, planPath: String) {
    (self.number, self.planPath) = (number, planPath)
  }

  /// Opens the task's journal in the output folder; returns it with the items that the plan gives to the task now.
  ///
  /// - Throws: If the same task runs already, or a batch without tasks.
  func begin(
    inFolder folder: String
  ) throws(BatchError) -> (journal: Journal, items: [FarmPlan.Item]) {
    try makeFolders(folder)
    // Within the lock, so that nobody deals the items to another task in between.
    let file = try PlanFile(planPath, isShared: true)
    let journal = try Journal(folder: folder, task: number)
    return try withExtendedLifetime(file) { () throws(BatchError) in
      (journal, try file.plan.task(number).items)
    }
  }
}
