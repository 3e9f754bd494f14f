/// The number of a scheme whose token the engine refreshes, among those of one API.
package struct SchemeKey: Hashable, Sendable {
    package let number: UInt8

    package init(_ number: UInt8) {
        self.number = number
    }

    /// The scheme of the log-in, the first one of the API.
    package static let login = SchemeKey(0)
}
