/// The name most similar to a misspelt one, if it is similar enough to be what was meant.
package func nearestName(to word: String, among names: [String]) -> String? {
  let scored = names.map { (name: $0, distance: editDistance(word, $0)) }
  guard let best = scored.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, min(word.count, best.name.count) / 3)
  else { return nil }
  return best.name
}

/// Number of letters to insert, delete, replace or swap with their neighbour (optimal string
/// alignment), ignoring case.
package func editDistance(_ first: String, _ second: String) -> Int {
  let (a, b) = (Array(first.lowercased()), Array(second.lowercased()))
  var before: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      row.append(best)
    }
    (before, last) = (last, row)
  }
  return last[b.count]
}
