/// A weak reference for closures that run at the same time. (`weak let` came with Swift 6.3.)
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    private let find: @Sendable () -> Object?

    var object: Object? { find() }

    init(_ object: Object?) { find = { [weak object] in object } }
}
