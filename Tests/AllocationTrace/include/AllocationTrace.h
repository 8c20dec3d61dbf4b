// Nothing to call: the library is preloaded into the program under test.
