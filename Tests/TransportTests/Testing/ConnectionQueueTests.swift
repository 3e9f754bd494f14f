import HTTPTypes
import TelexJSON
import Testing

@testable import TelexURLSession

@Suite("Exchanges with a connection each")
struct ConnectionQueueTests {
    private func origin(_ host: String) -> Origin {
        Origin(HTTPRequest(method: .post, scheme: "https", authority: host, path: "/"))
    }

    @Test("exchanges with a connection each begin in turn, up to the connection limit of a host")
    func turns() {
        let line = ConnectionQueue(perOrigin: 2)
        let names = ["a1", "a2", "a3", "b1", "a4"]
        let places = names.map { line.place(for: origin(String($0.prefix(1)))) }
        let begun = Log()
        for (name, place) in zip(names, places) { place.take { begun.note(name) } }
        #expect(begun.names == ["a1", "a2", "b1"])
        places[3].leave()
        #expect(begun.names == ["a1", "a2", "b1"])
        places[1].leave()
        #expect(begun.names == ["a1", "a2", "b1", "a3"])
        places[1].leave()
        #expect(begun.names == ["a1", "a2", "b1", "a3"])
        places[0].leave()
        #expect(begun.names == ["a1", "a2", "b1", "a3", "a4"])
    }

    @Test("exchanges with a connection each begin at once without a limit")
    func unlimited() {
        let line = ConnectionQueue(perOrigin: 0)
        let begun = Log()
        for _ in 0..<100 { line.place(for: origin("a")).take { begun.note("a") } }
        #expect(begun.names.count == 100)
    }
}

private final class Log: Sendable {
    private let all = Lock<[String]>([])
    var names: [String] { all.withLock { $0 } }
    func note(_ name: String) { all.withLock { $0.append(name) } }
}
