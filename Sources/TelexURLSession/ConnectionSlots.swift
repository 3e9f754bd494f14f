import HTTPTypes

/// The origin that a connection leads to.
struct Origin: Hashable, Sendable {
    let scheme: String
    let authority: String

    init(_ request: HTTPRequest) {
        scheme = request.scheme ?? ""
        authority = request.authority ?? ""
    }
}

/// The tasks of a session that presumably have a connection: per origin, the first tasks that
/// started and have not ended, up to the number of connections. Foundation serves tasks roughly in
/// this order, and does not report when it does.
struct ConnectionSlots: Sendable {
    private let limit: Int
    /// The tasks that have not ended, in starting order.
    private var tasks: [Origin: [Int]] = [:]

    /// - Parameter limit: The largest number of connections to an origin; less than one is no
    ///   limit.
    init(perOrigin limit: Int) {
        self.limit = limit > 0 ? limit : .max
    }

    /// Adds a task that starts.
    ///
    /// - Returns: Whether it has a connection at once.
    mutating func join(_ task: Int, to origin: Origin) -> Bool {
        tasks[origin, default: []].append(task)
        return tasks[origin, default: []].count <= limit
    }

    /// Removes a task that has ended.
    ///
    /// - Parameter wasServed: Whether it is known to have had a connection.
    /// - Returns: The task that has a connection from now on; nil if there is none.
    mutating func leave(_ task: Int, to origin: Origin, wasServed: Bool = false) -> Int? {
        guard var left = tasks[origin], let index = left.firstIndex(of: task) else { return nil }
        left.remove(at: index)
        defer { tasks[origin] = left.isEmpty ? nil : left }
        if index < limit { return left.count >= limit ? left[limit - 1] : nil }
        // A task that was served out of order used the connection of one of the first tasks. It is
        // unknown which one, so they are chosen in rotation.
        guard wasServed else { return nil }
        let late = left.removeFirst()
        left.insert(late, at: limit - 1)
        return late
    }
}
