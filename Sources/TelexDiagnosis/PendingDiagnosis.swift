import TelexJSON

/// A result that is set once: the first value given wins, later ones are ignored.
final class PendingDiagnosis: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Diagnosis?, Never>)
        case given(Diagnosis?)
    }

    private let state = Lock(State.open)

    /// The result. It may be awaited at most once.
    package var value: Diagnosis? {
        get async {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Diagnosis?? in
                    if case .given(let answer) = state { return .some(answer) }
                    state = .awaited(continuation)
                    return .none
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }

    package func send(_ answer: Diagnosis?) {
        let waiting = state.withLock { state -> CheckedContinuation<Diagnosis?, Never>? in
            switch state {
            case .given: return nil
            case .open:
                state = .given(answer)
                return nil
            case .awaited(let continuation):
                state = .given(answer)
                return continuation
            }
        }
        waiting?.resume(returning: answer)
    }
}
