import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("The state machine of an operation")
struct OperationMachineTests {
    typealias Machine = OperationMachine

    static let events: [(name: String, event: Machine.Event)] = [
        ("start", .start), ("slot", .slot), ("lackCredential", .lackCredential),
        ("succeed", .succeed), ("fail", .fail),
        ("retry", .retry(at: .seconds(1))), ("expire", .expire), ("due", .due),
        ("refreshed", .refreshed), ("suspend", .suspend), ("resume", .resume), ("cancel", .cancel),
        ("delay", .delay(until: .seconds(2))), ("delay", .delay(until: .seconds(3))),
        ("ask", .ask),
    ]

    /// Every event that changes the state. `+` marks a state in which an attempt is live.
    static let table = """
        ready · start → queued: enqueue
        ready · delay → waiting: -
        ready · fail → failed: complete
        ready · cancel → cancelled: complete
        queued · slot → running+: launch
        queued · lackCredential → postponed: leave
        queued · succeed → succeeded: leave complete
        queued · fail → failed: leave complete
        queued · suspend → suspended: leave
        queued · cancel → cancelled: leave complete
        running+ · succeed → succeeded: leave stop complete
        running+ · fail → failed: leave stop complete
        running+ · retry → waiting: leave stop
        running+ · expire → postponed: leave stop
        running+ · suspend → suspended+: pause leave
        running+ · ask → queued+: pause leave enqueue
        running+ · cancel → cancelled: leave stop complete
        postponed · fail → failed: complete
        postponed · refreshed → queued: enqueue
        postponed · suspend → suspended: leave
        postponed · cancel → cancelled: complete
        suspended · fail → failed: complete
        suspended · resume → queued: enqueue
        suspended · delay → waiting: -
        suspended · cancel → cancelled: complete
        waiting · fail → failed: complete
        waiting · delay → waiting: -
        waiting · due → queued: enqueue
        waiting · suspend → suspended: leave
        waiting · cancel → cancelled: complete
        suspended+ · succeed → succeeded: stop complete
        suspended+ · fail → failed: stop complete
        suspended+ · retry → suspended: stop
        suspended+ · expire → suspended: stop
        suspended+ · resume → queued+: enqueue
        suspended+ · cancel → cancelled: stop complete
        queued+ · slot → running+: unpause
        queued+ · succeed → succeeded: leave stop complete
        queued+ · fail → failed: leave stop complete
        queued+ · retry → waiting: leave stop
        queued+ · expire → postponed: leave stop
        queued+ · suspend → suspended+: leave
        queued+ · cancel → cancelled: leave stop complete
        """

    private func name(_ machine: Machine) -> String {
        let phase =
            if case .waiting = machine.phase { "waiting" } else { "\(machine.phase)" }
        return machine.isLive ? "\(phase)+" : phase
    }

    private static let names: [Machine.Actions: String] = [
        .pause: "pause", .leave: "leave", .enqueue: "enqueue", .launch: "launch",
        .unpause: "unpause", .stop: "stop", .complete: "complete",
    ]

    /// The names of actions, in the order in which they are performed.
    private func names(_ actions: Machine.Actions) -> [String] {
        Machine.Actions.inOrder.filter(actions.contains).map { Self.names[$0] ?? "?" }
    }

    @Test("an operation's machine has exactly the table's transitions, in every reachable state")
    func followsTable() {
        var lines: [String] = []
        var seen: Set<String> = ["ready"]
        var open = [Machine()]
        while let machine = open.first {
            open.removeFirst()
            for (event, next, actions) in steps(machine) {
                let words = actions.isEmpty ? "-" : names(actions).joined(separator: " ")
                lines.append("\(name(machine)) · \(event) → \(name(next)): \(words)")
                if seen.insert(name(next)).inserted { open.append(next) }
            }
        }
        let table = Self.table.split(separator: "\n").map(String.init)
        #expect(Set(lines).symmetricDifference(table).sorted() == [])
        #expect(seen.count == 11)
    }

    /// The events that change a state, and the new states.
    private func steps(_ machine: Machine) -> [(String, Machine, Machine.Actions)] {
        Self.events.compactMap { name, event in
            var next = machine
            let actions = next.handle(event)
            return next == machine && actions.isEmpty ? nil : (name, next, actions)
        }
    }

    @Test("the machine completes exactly once on every path of six events, and stays terminal")
    func completesOnce() {
        func walk(_ machine: Machine, _ completions: Int, _ depth: Int) {
            #expect(completions == (machine.phase.isTerminal ? 1 : 0))
            if machine.phase.isTerminal { #expect(steps(machine).isEmpty) }
            guard depth > 0 else { return }
            for (_, next, actions) in steps(machine) {
                walk(next, completions + (actions.contains(.complete) ? 1 : 0), depth - 1)
            }
        }
        walk(Machine(), 0, 6)
    }

    @Test("the machine launches, pauses and stops one attempt at a time, on any seven-event path")
    func oneAttempt() {
        func walk(_ machine: Machine, live: Bool, paused: Bool, _ depth: Int) {
            #expect(machine.isLive == live)
            guard depth > 0 else { return }
            for (_, next, actions) in steps(machine) {
                var (live, paused) = (live, paused)
                for action in Machine.Actions.inOrder where actions.contains(action) {
                    switch action {
                    case .launch:
                        #expect(!live)
                        (live, paused) = (true, false)
                    case .pause:
                        #expect(live && !paused)
                        paused = true
                    case .unpause:
                        #expect(live && paused)
                        paused = false
                    case .stop:
                        #expect(live)
                        live = false
                    default: break
                    }
                }
                walk(next, live: live, paused: paused, depth - 1)
            }
        }
        walk(Machine(), live: false, paused: false, 7)
    }

    @Test("the state machine of an operation describes its states, and which are terminal")
    func states() {
        #expect(OperationState.running(attempt: 2).description == "running, attempt 2")
        #expect(OperationState.ready.isActive)
        #expect(OperationState.cancelled.isTerminal)
    }
}

extension OperationMachine.Actions {
    /// Each of them alone, in order.
    fileprivate static let inOrder = (0..<7).map { Self(rawValue: 1 << $0) }
}
