import Glibc
import Recorder
import Render
import ShaderCompiler

StandardStream.reserveClosed()
let arguments = TypedArguments.ofThisProcess
if arguments.areOnly(CompilerService.word) { exit(CompilerService.serve()) }
ShaderCompiler.useProcesses()
let exitCode = Program(typed: arguments).run()
let isStillSaved = StillImage.finishAside()
// From here on a signal has nothing to finish: it ends the wait for a reader.
SignalThread.noteEnd(exitCode)
StandardStream.flush()
// The exit handlers would free what the driver still uses.
if DriverWork.wasAbandoned || !isStillSaved { _exit(exitCode.rawValue) }
exit(exitCode.rawValue)
