import TelexJSON
import TelexRequests

/// The answers of a fake to one method of an API.
///
/// ```swift
/// let users = UsersFake()
/// users.onGet { call in call.userIDs.map { id in User(id: id) } }
/// ```
///
/// The answer receives the arguments of the call as a labelled tuple, or one by one: `{ userIDs,
/// fields in … }`. It can be replaced while the fake is in use.
public final class Stub<Arguments: Sendable, Output: Sendable>: Sendable {
    /// Produces the value of a call, or throws its error.
    public typealias Answer = @Sendable (_ call: Arguments) async throws -> Output

    private let method: String
    private let state = Lock<(answer: Answer?, calls: [Arguments])>((nil, []))

    /// Creates a stub without an answer: calls throw a `FakeError`.
    ///
    /// - Parameter method: The API's name of the method, for the error.
    public init(_ method: String) {
        self.method = method
    }

    /// Sets the answer for calls from now on, replacing an earlier one.
    public func callAsFunction(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    /// The arguments of all started calls so far, in the order of their starts, including calls
    /// without an answer.
    public var calls: [Arguments] { state.withLock { $0.calls } }

    /// Returns the operation of a fake. It uses the answer that is set when the operation is
    /// started.
    public func operation(_ arguments: consuming Arguments) -> NetworkOperation<Output> {
        let arguments = arguments
        return NetworkOperation { try await self.value(arguments) }
    }

    /// Returns the stream of a fake. Its elements are those of the answer, or of the
    /// ``BrokenStream`` that the answer throws.
    public func stream<Element>(
        _ arguments: consuming Arguments
    ) -> StreamOperation<Element> where Output == [Element] {
        let arguments = arguments
        return StreamOperation<Element>(engine: Engine()) { context in
            await StreamOperation<Element>.end {
                let answer = try await self.elements(arguments)
                for element in answer.elements {
                    try await context.waitWhilePaused()
                    try await context.deliver(Product(StreamEnd(stored: [element])))
                }
                try await context.waitWhilePaused()
                if let error = answer.error { throw error }
                return StreamEnd(count: answer.elements.count)
            }
        }
    }

    /// Returns the operation of a call whose arguments and value have the types of the stub; with
    /// others it fails. Called by generated fakes.
    public func operation<Call, Value>(of call: Call) -> NetworkOperation<Value> {
        (call as? Arguments).flatMap { operation($0) as? NetworkOperation<Value> } ?? unanswered()
    }

    /// Returns the stream of a call, as ``operation(of:)``.
    public func stream<Call, Value, Element>(
        of call: Call
    ) -> NetworkOperation<Value> where Output == [Element] {
        (call as? Arguments).flatMap { stream($0) as? NetworkOperation<Value> } ?? unanswered()
    }

    private func unanswered<Value>() -> NetworkOperation<Value> {
        NetworkOperation { [method] in throw FakeError(method) }
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

/// A stream that fails after its first elements; the answer of a ``Stub`` throws it:
///
/// ```swift
/// pictures.onWatch { throw BrokenStream([dawn], then: APIError.fake(name, reason)) }
/// ```
public struct BrokenStream<Element: Sendable>: Error {
    /// The elements before the failure.
    public let elements: [Element]
    /// The error that follows them.
    public let error: any Error

    /// Creates a stream of `elements` that then fails with `error`.
    public init(_ elements: [Element], then error: any Error) {
        self.elements = elements
        self.error = error
    }
}
