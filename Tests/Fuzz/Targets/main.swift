import FuzzEngine
import Glibc

// `fuzz list` prints the names of the targets; otherwise KFREC_FUZZ_TARGET chooses one, and the words are libFuzzer's.
let targets = effectTargets + wordTargets + controlTargets + fileTargets
if CommandLine.arguments.dropFirst().first == "list" {
  for target in targets { print(target.name) }
  exit(0)
}
let wanted = getenv("KFREC_FUZZ_TARGET").map { String(cString: $0) } ?? ""
guard let chosen = targets.first(where: { $0.name == wanted }) else {
  print("error: KFREC_FUZZ_TARGET is one of \(targets.map(\.name).joined(separator: ", "))")
  exit(2)
}
nonisolated(unsafe) let read = chosen.read  // libFuzzer has one thread.
// A parser that looks for more on standard input must not wait for it.
let nothing = open("/dev/null", O_RDONLY)
guard dup2(nothing, STDIN_FILENO) == STDIN_FILENO else { fatalError("/dev/null cannot be opened") }
var count = CommandLine.argc
var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &words) { bytes, size in
    read(Array(UnsafeBufferPointer(start: bytes, count: size)))
    return 0
  })
