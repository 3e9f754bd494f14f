import ArgumentParser

/// Refuses an empty path, which would quietly stand for the current folder.
///
/// - Parameter name: What people call the argument.
func requireFolder(_ path: String, _ name: String) throws {
    guard !path.isEmpty else { throw ValidationError("\(name) names no folder.") }
}
