/// The version of kfrec, by semantic versioning; CHANGELOG.md lists what it contains.
let programVersion = "0.1.0"
