import Glibc
import Render

StandardStream.reserveClosed()
let exitCode = Program(typed: .ofThisProcess).run()
// The exit handlers would free what the driver still uses.
if DriverWork.isUnderWay { _exit(exitCode.rawValue) }
exit(exitCode.rawValue)
