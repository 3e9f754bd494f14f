import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("The gates of an engine machine")
struct SchemeGateTests {
    private typealias Bench = EngineMachineHarness

    private func scheduling(_ schemes: SchemeKey...) -> SchedulingRequest {
        SchedulingRequest(slot: .init(host: "a.test", schemes: schemes), mayRepeat: true)
    }

    private func refused(_ scheme: SchemeKey) -> AttemptFailure {
        AttemptFailure(.refresh(scheme), "expired")
    }

    @Test("the gates of a machine hold up only operations with a token of the refreshed scheme")
    func independent() {
        var bench = Bench(TrafficLimits(concurrent: 100))
        bench.start(1, scheduling(.login, .further))
        bench.fail(1, refused(.further))
        bench.start(2, scheduling(.login))
        bench.start(3, scheduling(.further))
        bench.start(4, scheduling())
        #expect(bench.launched == [1, 2, 4])
        bench.fail(2, refused(.login))
        #expect(bench.refreshes == [.further, .login])
        bench.send(.refreshEnded(number: 1, succeeded: true))
        #expect(bench.launched == [1, 2, 4, 3])
        bench.send(.refreshEnded(number: 2, succeeded: true))
        #expect(Set(bench.launched.suffix(2)) == [1, 2])
    }

    @Test("the gates of an engine machine fail their own operations alone when a refresh fails")
    func failure() {
        var bench = Bench(TrafficLimits(concurrent: 100))
        bench.start(1, scheduling(.login))
        bench.start(2, scheduling(.further))
        bench.fail(1, refused(.login))
        bench.fail(2, refused(.further))
        bench.send(.refreshEnded(number: 2, succeeded: false))
        #expect(bench.completed == [2: .failed(.notRefreshed(.further))])
        bench.send(.loggedOut)
        #expect(bench.completed[1] == .failed(.notRefreshed(.login)))
    }

    @Test("the gates of a machine release an operation that awaits two refreshes only after both")
    func both() {
        var bench = Bench(TrafficLimits(concurrent: 100))
        bench.start(1, scheduling(.login))
        bench.start(2, scheduling(.further))
        bench.fail(1, refused(.login))
        bench.start(3, scheduling(.login, .further))
        bench.fail(2, refused(.further))
        bench.send(.suspend(OperationID(number: 3)))
        bench.send(.resume(OperationID(number: 3)))
        bench.send(.refreshEnded(number: 1, succeeded: true))
        #expect(bench.launched == [1, 2, 1])
        bench.send(.refreshEnded(number: 2, succeeded: false))
        #expect(bench.completed[3] == .failed(.notRefreshed(.further)))
    }

    @Test("the gates of a machine keep the failure of one scheme when another is refreshed")
    func sharedFailure() {
        var bench = Bench(TrafficLimits(concurrent: 100))
        bench.start(1, scheduling(.login, .further))
        bench.start(2, scheduling(.further))
        bench.fail(1, refused(.login))
        bench.send(.suspend(OperationID(number: 1)))
        bench.send(.refreshEnded(number: 1, succeeded: false))
        bench.fail(2, refused(.further))
        bench.send(.refreshEnded(number: 2, succeeded: true))
        bench.send(.resume(OperationID(number: 1)))
        bench.fail(1, attempt: 2, refused(.login))
        #expect(bench.completed[1] == .failed(.notRefreshed(.login)))
        #expect(bench.refreshes == [.login, .further])
    }

    @Test("the gates of an engine machine let a token wait for another one that it requires")
    func needs() {
        var bench = Bench(TrafficLimits(concurrent: 100))
        bench.start(1, scheduling(.further))
        var missing = refused(.further)
        missing.sentNothing = true
        bench.fail(1, missing)
        bench.send(.refreshNeeds(.login, number: 1))
        #expect(bench.refreshes == [.further, .login])
        bench.send(.refreshEnded(number: 2, succeeded: true))
        #expect(bench.launched == [1, 1])
        bench.fail(1, attempt: 2, missing)
        bench.send(.refreshEnded(number: 3, succeeded: true))
        bench.succeed(1, attempt: 3)
        #expect(bench.completed[1] == .succeeded)
    }

    @Test("the gates of an engine machine do not let two tokens wait for each other for ever")
    func circle() {
        var bench = Bench(TrafficLimits(concurrent: 100))
        bench.start(1, scheduling(.login, .further))
        bench.fail(1, refused(.further))
        for number in 1...20 where bench.completed.isEmpty {
            let other = bench.refreshes[number - 1] == .login ? SchemeKey.further : .login
            bench.send(.refreshNeeds(other, number: number))
        }
        #expect(bench.completed[1] == .failed(.notRefreshed(.further)))
        #expect(bench.machine.isIdle)
    }

    @Test("the gates of a machine let log-ins wait for a further token, but nothing that gets one")
    func privileged() {
        for (privilege, scheme, waits) in [
            (SchemeKey.login, SchemeKey.further, true), (.login, .login, false),
            (.further, .login, false), (.further, .further, false),
        ] {
            var bench = Bench()
            let id = OperationID(number: 1)
            bench.machine.add(id)
            bench.send(
                .start(
                    id, scheduling(.login, .further), isBlocked: false, privilege: privilege))
            bench.fail(1, refused(scheme))
            #expect(bench.completed.isEmpty == waits)
            #expect(bench.refreshes.isEmpty != waits)
        }
    }

    @Test("the gates of an engine machine are ignored if the machine has none for a scheme")
    func unknown() {
        var bench = Bench()
        let unknown = SchemeKey(9)
        bench.start(1, scheduling(unknown))
        bench.fail(1, refused(unknown))
        #expect(bench.completed == [1: .failed(.attempt)])
    }
}
