// Preloaded by its path: nothing in it is called by name.
