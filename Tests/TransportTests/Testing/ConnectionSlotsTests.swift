import HTTPTypes
import Testing

@testable import TelexURLSession

@Suite("Which exchanges count as connected")
struct ConnectionSlotsTests {
    private let films = Self.origin("films.test")
    private let music = Self.origin("music.test")

    private static func origin(_ authority: String, scheme: String = "https") -> Origin {
        Origin(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
    }

    @Test("the first exchanges to a host count as connected, up to the connection limit")
    func first() {
        var slots = ConnectionSlots(perOrigin: 2)
        let atOnce = (1...4).map { slots.join($0, to: films) }
        #expect(atOnce == [true, true, false, false])
        let elsewhere = [
            music, Self.origin("films.test", scheme: "http"), Self.origin("films.test:8443"),
        ]
        let others = zip(5..., elsewhere).map { slots.join($0, to: $1) }
        #expect(others == [true, true, true])
    }

    @Test("after one exchange ends, the one that has waited longest counts as connected")
    func next() {
        var slots = ConnectionSlots(perOrigin: 2)
        for task in 1...4 { _ = slots.join(task, to: films) }
        let next = [2, 1, 3, 4].map { slots.leave($0, to: films) }
        #expect(next == [3, 4, nil, nil])
        let isSeated = slots.join(5, to: films)
        #expect(isSeated)
    }

    @Test("connected exchanges do not change when a waiting, unknown or foreign exchange ends")
    func others() {
        var slots = ConnectionSlots(perOrigin: 1)
        for task in 1...3 { _ = slots.join(task, to: films) }
        _ = slots.join(9, to: music)
        let (waiting, unknown) = (slots.leave(2, to: films), slots.leave(7, to: films))
        let elsewhere = slots.leave(9, to: music)
        #expect((waiting, unknown, elsewhere) == (nil, nil, nil))
        let (first, again) = (slots.leave(1, to: films), slots.leave(1, to: films))
        #expect((first, again) == (3, nil))
    }

    @Test("the first exchanges count as connected again if another was served before them")
    func outOfTurn() {
        var slots = ConnectionSlots(perOrigin: 2)
        for task in 1...6 { _ = slots.join(task, to: films) }
        let late = [4, 3, 6].map { slots.leave($0, to: films, wasServed: true) }
        #expect(late == [1, 2, 1])
        let next = [1, 2, 5].map { slots.leave($0, to: films, wasServed: true) }
        #expect(next == [5, nil, nil])
    }

    @Test("all exchanges count as connected without a limit", arguments: [0, -1, .max])
    func unlimited(_ limit: Int) {
        var slots = ConnectionSlots(perOrigin: limit)
        let atOnce = (1...99).map { slots.join($0, to: films) }
        let next = slots.leave(1, to: films)
        #expect(!atOnce.contains(false))
        #expect(next == nil)
    }
}
