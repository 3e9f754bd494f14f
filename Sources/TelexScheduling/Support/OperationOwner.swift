/// The owner of operations: a screen, a view model, a task of the app. All operations of an owner
/// can be cancelled at once, and waiting operations of different owners take turns.
///
/// Owners with equal names are equal. An owner without a name is unique for ever: unlike an address
/// in memory, its identity is never reused.
public struct OperationOwner: Hashable, Sendable, CustomStringConvertible {
    private enum Identity: Hashable, Sendable {
        case number(UInt64)
        case name(String)
    }

    private static let last = AtomicCount()
    private let identity: Identity

    /// Creates a unique owner.
    public init() {
        identity = .number(Self.last.increment())
    }

    /// Creates an owner with this name.
    public init(_ name: String) {
        identity = .name(name)
    }

    /// The name, or a number.
    public var description: String {
        switch identity {
        case .number(let number): "owner \(number)"
        case .name(let name): name
        }
    }
}
