/// The version of kfrec, by semantic versioning; CHANGELOG.md says what is in it.
let programVersion = "0.1.0"
