import Glibc

StandardStream.reserveClosed()
exit(Program(typed: .ofThisProcess).run().rawValue)
