import HTTPTypes

/// Where connections lead to.
struct Origin: Hashable, Sendable {
    let scheme: String
    let authority: String

    init(_ request: HTTPRequest) {
        scheme = request.scheme ?? ""
        authority = request.authority ?? ""
    }
}

/// Which tasks of a session are taken to have a connection: of those to one origin, the first that
/// began and have not ended, as many as there may be connections. The session serves them in this
/// order, more or less, and tells nobody when it does.
struct ConnectionSeats: Sendable {
    private let limit: Int
    /// The tasks that have not ended, in the order in which they began.
    private var tasks: [Origin: [Int]] = [:]

    /// - Parameter limit: How many connections there may be to an origin; less than one is no limit.
    init(perOrigin limit: Int) {
        self.limit = limit > 0 ? limit : .max
    }

    /// A task begins.
    ///
    /// - Returns: Whether it has a connection at once.
    mutating func join(_ task: Int, to origin: Origin) -> Bool {
        tasks[origin, default: []].append(task)
        return tasks[origin, default: []].count <= limit
    }

    /// A task has ended.
    ///
    /// - Parameter wasServed: Whether it had a connection, as far as anybody knows.
    /// - Returns: The one that has a connection from now on; nil if there is none.
    mutating func leave(_ task: Int, to origin: Origin, wasServed: Bool = false) -> Int? {
        guard var left = tasks[origin], let index = left.firstIndex(of: task) else { return nil }
        left.remove(at: index)
        defer { tasks[origin] = left.isEmpty ? nil : left }
        if index < limit { return left.count >= limit ? left[limit - 1] : nil }
        // Who was served out of turn had the connection of one of the first. Of which nobody knows, so
        // they are taken one after the other.
        guard wasServed else { return nil }
        let late = left.removeFirst()
        left.insert(late, at: limit - 1)
        return late
    }
}
