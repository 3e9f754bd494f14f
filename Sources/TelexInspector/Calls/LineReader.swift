import TelexInspection
import TelexJSON

/// Reads what listeners send, and keeps their events as calls.
final class LineReader: Sendable {
    /// Why lines were refused.
    struct Problem: Error { let text: String }

    /// A listener.
    fileprivate struct Run {
        /// The number of its last request.
        var number = 0
        /// The date at which its clock was zero.
        var zero: Double?
        /// How many refreshes there were by API, which of them have not ended, and when the last one
        /// did.
        var refreshes: [String: (count: Int, open: [Int], end: Double?)] = [:]
    }

    private static let mostRuns = 1000
    private let store: CallStore
    private let runs = Lock<[String: Run]>([:])

    init(_ store: CallStore) { self.store = store }

    /// Reads the lines of one request.
    ///
    /// - Throws: A ``Problem`` with the number of the line; what stands before it is kept.
    func read(_ bytes: [UInt8]) throws(Problem) {
        let lines = bytes.split(separator: 0x0A)
        guard let first = lines.first, let head = Self.value(first),
            let version = head["telex-inspector"]?.asInt, let run = head["run"]?.asString,
            let app = head["app"]?.asString, let number = head["number"]?.asInt
        else {
            throw Problem(text: "line 1: expected `telex-inspector`, `app`, `run` and `number`")
        }
        guard version == InspectorLines.version else {
            throw Problem(
                text: "line 1: version \(version) of the lines is not \(InspectorLines.version); "
                    + "take the app's Telex and the tool of one version")
        }
        guard try begin(run, number) else { return }
        store.note(lost: max(0, head["dropped"]?.asInt ?? 0), of: run)
        for (index, line) in lines.enumerated().dropFirst() {
            guard let value = Self.value(line), let event = InspectorEvent(value) else {
                throw Problem(text: "line \(index + 1): no event")
            }
            keep(event, of: app, run)
        }
    }

    private static func value(_ line: ArraySlice<UInt8>) -> JSONValue? {
        JSONReader.read(Array(line)) { json -> JSONValue? in json.value() }.value
    }

    /// Returns whether the request is new.
    private func begin(_ run: String, _ number: Int) throws(Problem) -> Bool {
        try runs.withLock { runs throws(Problem) in
            guard runs[run] != nil || runs.count < Self.mostRuns, run.utf8.count <= 100 else {
                throw Problem(text: "line 1: too many apps; start the inspector again")
            }
            guard number > runs[run, default: Run()].number else { return false }
            runs[run, default: Run()].number = number
            return true
        }
    }

    private func keep(_ event: InspectorEvent, of app: String, _ run: String) {
        let (time, refresh, refreshed) = runs.withLock { runs in
            runs[run, default: Run()].note(event)
        }
        let name = event.operation ?? "refresh \(refresh) of \(event.api)"
        let key = CallStore.Key(run: run, name: name)
        if !store.update(key, { event.apply(to: &$0, at: time, refreshed: refreshed) }) {
            // The call has made room for others, or was cleared away.
            guard event.canBeFirst else { return }
            var call = event.call(of: app, at: time)
            event.apply(to: &call, at: time, refreshed: refreshed)
            store.add(call, for: key)
        }
        // A token that is got outside of a refresh is a call of its own.
        let isToken = event.operation == nil && refresh == 0
        guard event.isExchange, event.isShared || isToken else { return }
        _ = store.update(key) { $0.finish($0.isRefused ? .failed : .succeeded, at: time) }
        if isToken { store.forget(key) }
    }
}

extension LineReader.Run {
    /// Returns the time of the event in milliseconds since 1970, the refresh that it belongs to, and
    /// when the last one ended.
    fileprivate mutating func note(
        _ event: InspectorEvent
    ) -> (time: Double, refresh: Int, refreshed: Double?) {
        let zero = zero ?? event.date - event.elapsed
        self.zero = zero
        let time = zero + event.elapsed
        var (count, open, end) = refreshes[event.api] ?? (0, [], nil)
        guard event.operation == nil else { return (time, 0, end) }
        if event.isRefreshStart {
            count += 1
            open.append(count)
        }
        let number = open.last ?? 0
        if event.isRefreshEnd {
            _ = open.popLast()
            end = time
        }
        if refreshes.count < 1000 || refreshes[event.api] != nil {
            refreshes[event.api] = (count, open, end)
        }
        return (time, number, end)
    }
}
