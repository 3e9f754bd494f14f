import Synchronization

/// On whose behalf operations run: a screen, a view model, a task of the app. All of an owner's
/// operations can be cancelled at once, and owners take turns where operations wait.
///
/// Two owners made of equal texts are the same. One made of nothing is like no other, ever: unlike
/// an address in memory, it is never given to somebody else later.
public struct OperationOwner: Hashable, Sendable, CustomStringConvertible {
    private enum Identity: Hashable, Sendable {
        case number(UInt64)
        case name(String)
    }

    private static let last = Atomic<UInt64>(0)
    private let identity: Identity

    /// An owner like no other.
    public init() {
        identity = .number(Self.last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// The owner of this name.
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
