import SpecDiagnostics

/// A protocol of remote procedure calls.
public enum ProcedureProtocol: String, CaseIterable, Sendable {
    /// `json-rpc-2.0` (https://www.jsonrpc.org/specification)
    case jsonRPC2 = "json-rpc-2.0"
}

/// The keys of a method that is a procedure call.
public struct ProcedureSyntax: Sendable {
    /// `call`: the name of the procedure.
    public var name: Located<String>?
    /// The key `call`.
    public var call: Span?
    /// The key `params`.
    public var arguments: Span?
    /// `notify: true`: the server sends no reply.
    public var notification: Span?
    /// The first of these keys but `call`, which plain methods have, too.
    public var first: Located<String>?

    /// Creates the syntax of a method without these keys.
    public init() {}
}

/// What surrounds members of a JSON body: an object or a list under a key of the body.
public struct WrapperSyntax: Sendable {
    /// Its key.
    public var key: Located<String>
    /// Whether the members are sent by position.
    public var isList = false

    /// Creates a wrapper.
    public init(key: Located<String>, isList: Bool = false) {
        self.key = key
        self.isList = isList
    }
}

/// A value of a parameter that the call itself gives.
public enum CallValueSyntax: Sendable, Equatable {
    /// `$method.name`: the API's name of the method, as this text, or a text that holds it.
    case text(String)
    /// `$call.id`: the id of the call, the same in all attempts.
    case callID

    /// The word for the name of the method.
    public static let methodName = "$method.name"
    /// The word for the id of the call.
    public static let id = "$call.id"
    /// Both words.
    public static let words = [methodName, id]
}
