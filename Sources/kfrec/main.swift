import Glibc
import Render

StandardStream.reserveClosed()
let exitCode = Program(typed: .ofThisProcess).run()
// The exit handlers would tear down what the driver is still at work in.
if DriverWork.isUnderWay { _exit(exitCode.rawValue) }
exit(exitCode.rawValue)
