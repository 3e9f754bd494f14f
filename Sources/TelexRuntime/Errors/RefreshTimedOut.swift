/// A refresh exceeded its time limit.
struct RefreshTimedOut: Error, CustomStringConvertible {
    var description: String { "getting a new credential took too long" }
}
