import Testing

@testable import TelexRuntime

@Suite("The machine of an operation")
struct MachineTests {
    typealias Machine = OperationMachine

    /// Every state, and a way to it.
    static let ways: [[Machine.Event]] = [
        [], [.start], [.start, .slot], [.start, .slot, .succeed], [.start, .slot, .fail], [.cancel],
    ]

    /// Everything that changes anything: all other events change nothing.
    static let table: [OperationState: [Machine.Event: (OperationState, [Machine.Action])]] = [
        .ready: [.start: (.queued, [.enqueue]), .cancel: (.cancelled, [.complete])],
        .queued: [
            .slot: (.running(attempt: 1), [.launch(attempt: 1)]), .fail: (.failed, [.complete]),
            .cancel: (.cancelled, [.leaveQueue, .complete]),
        ],
        .running(attempt: 1): [
            .succeed: (.succeeded, [.complete]), .fail: (.failed, [.complete]),
            .cancel: (.cancelled, [.stop, .complete]),
        ],
    ]

    @Test("follows the table, state by state and event by event", arguments: ways)
    func followsTable(way: [Machine.Event]) {
        for event in Machine.Event.allCases {
            var machine = Machine()
            for step in way { _ = machine.handle(step) }
            let before = machine.state
            let actions = machine.handle(event)
            let expected = Self.table[before]?[event] ?? (before, [])
            #expect(machine.state == expected.0, "\(before), \(event)")
            #expect(actions == expected.1, "\(before), \(event)")
        }
    }

    @Test("completes exactly once, on every path of six events, and never leaves a terminal state")
    func completesOnce() {
        func walk(_ machine: Machine, _ completions: Int, _ depth: Int) {
            #expect(completions == (machine.state.isTerminal ? 1 : 0))
            guard depth > 0 else { return }
            for event in Machine.Event.allCases {
                var next = machine
                let actions = next.handle(event)
                if machine.state.isTerminal { #expect(next == machine) }
                walk(next, completions + actions.count { $0 == .complete }, depth - 1)
            }
        }
        walk(Machine(), 0, 6)
    }

    @Test("tells its states in words, and which are the end")
    func states() {
        #expect(OperationState.running(attempt: 2).description == "running, attempt 2")
        #expect(OperationState.ready.isActive)
        #expect(OperationState.cancelled.isTerminal)
    }
}
