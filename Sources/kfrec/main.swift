import Glibc

exit(Program(typed: Array(CommandLine.arguments.dropFirst())).run().rawValue)
