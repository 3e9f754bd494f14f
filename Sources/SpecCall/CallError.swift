/// Why a call cannot be made, and what to do about it.
public struct CallError: Error, Sendable {
    /// What is wrong.
    public var message: String
    /// What to do.
    public var help: String

    init(_ message: String, help: String) {
        self.message = message
        self.help = help
    }
}
