import Synchronization

/// How a fake answers one method of an API.
///
/// ```swift
/// let users = UsersFake()
/// users.onGet { call in call.userIDs.map { id in User(id: id) } }
/// ```
///
/// The answer takes the arguments of the call as a labelled tuple, or one by one:
/// `{ userIDs, fields in … }`. It can be changed while the fake is in use.
public final class Stub<Arguments: Sendable, Output: Sendable>: Sendable {
    /// Produces the value of a call, or its error.
    public typealias Answer = @Sendable (_ call: Arguments) async throws -> Output

    private let method: String
    private let state = Mutex<(answer: Answer?, calls: [Arguments])>((nil, []))

    /// A stub without an answer: calls throw a `FakeError`.
    ///
    /// - Parameter method: The API's name of the method, for the failure.
    public init(_ method: String) {
        self.method = method
    }

    /// Answers calls from now on; an earlier answer is forgotten.
    public func callAsFunction(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    /// The arguments of the calls so far, in the order in which they were started; also of those
    /// without an answer. A call counts once it is started, since none is sent before.
    public var calls: [Arguments] { state.withLock { $0.calls } }

    /// The operation that a fake returns. It asks for the answer when it is started, so that is the
    /// one of that moment.
    public func operation(_ arguments: consuming Arguments) -> NetworkOperation<Output> {
        let arguments = arguments
        return NetworkOperation { try await self.value(arguments) }
    }

    /// The stream that a fake returns: its elements are those of the answer, or of the ``BrokenStream``
    /// that it throws.
    public func stream<Element>(
        _ arguments: consuming Arguments
    ) -> StreamOperation<Element> where Output == [Element] {
        let arguments = arguments
        return StreamOperation<Element>(Engine()) { context in
            await StreamOperation<Element>.end {
                let answer = try await self.elements(arguments)
                for element in answer.elements {
                    try await context.waitWhileHeld()
                    try await context.handOut(Product(StreamEnd(stored: [element])))
                }
                try await context.waitWhileHeld()
                if let error = answer.error { throw error }
                return StreamEnd(count: answer.elements.count)
            }
        }
    }

    private func elements<Element>(
        _ arguments: Arguments
    ) async throws -> (elements: [Element], error: (any Error)?) where Output == [Element] {
        do {
            return (try await value(arguments), nil)
        } catch let broken as BrokenStream<Element> {
            return (broken.elements, broken.error)
        }
    }

    private func value(_ arguments: Arguments) async throws -> Output {
        let answer = state.withLock { state in
            state.calls.append(arguments)
            return state.answer
        }
        guard let answer else { throw FakeError(method) }
        return try await answer(arguments)
    }
}

/// A stream that fails after its first elements, thrown by the answer of a ``Stub``:
///
/// ```swift
/// pictures.onWatch { throw BrokenStream([dawn], then: APIError.fake(name, reason)) }
/// ```
public struct BrokenStream<Element: Sendable>: Error {
    /// What comes before it fails.
    public let elements: [Element]
    /// What it fails with.
    public let error: any Error

    /// A stream of `elements` that fails with `error` then.
    public init(_ elements: [Element], then error: any Error) {
        self.elements = elements
        self.error = error
    }
}
