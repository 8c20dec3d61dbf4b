import Glibc

StandardStream.reserveClosed()
exit(Program(typed: Array(CommandLine.arguments.dropFirst())).run().rawValue)
