import ArgumentParser

/// Rejects an empty path, which would silently mean the current folder.
///
/// - Parameter name: The name of the argument in messages.
func requireFolder(_ path: String, _ name: String) throws {
    guard !path.isEmpty else { throw ValidationError("\(name) is empty.") }
}
