import TelexJSON

/// What generated code says about one API: its methods, its base parameters, its error codes and
/// its rules. Never instantiated; `APIManager` is generic over it.
public protocol APIDescription {
    /// Values sent with every request.
    associatedtype Parameters: APIParameters
    /// The methods of the API.
    associatedtype APIMethod: APIMethodName
    /// The codes of the API's own errors.
    associatedtype ErrorCode: OpenEnum
    /// Servers, success, errors, authentication, limits.
    static var definition: APIDefinition { get }
}

extension APIDescription {
    /// Checks a reply as a call would, without a call: whether it counts as success, and whether
    /// `mapper` finds everything it demands.
    ///
    /// - Parameters:
    ///   - reply: The body of a reply.
    ///   - rules: The method's own rules of success; nil for the API's.
    ///   - mapper: The generated mapper of the method.
    /// - Returns: Every violation.
    public static func validate<Output>(
        _ reply: [UInt8], rules: ReplyRules? = nil, _ mapper: (inout JSONReader) -> Output?
    ) -> ValidationReport {
        let rules = rules ?? definition.reply
        let limits = definition.limits.json
        var report = JSONReader.read(reply, at: rules.unwrap, limits: limits, mapper).report
        if report.syntaxError == nil, let violation = rules.violation(in: reply, limits: limits) {
            report.violations.insert(violation, at: 0)
        }
        return report
    }
}

extension APIDescription {
    /// Checks a reply of one method, whose own rules of success win over the API's.
    ///
    /// - Returns: Every violation.
    public static func validate<Output>(
        _ reply: [UInt8], from method: APIMethod, with mapper: (inout JSONReader) -> Output?
    ) -> ValidationReport {
        validate(reply, rules: method.endpoint.reply, mapper)
    }

    /// Checks a reply of one method, whose value reads itself.
    ///
    /// - Returns: Every violation.
    public static func validate<Output: JSONReadable>(
        _ reply: [UInt8], from method: APIMethod, as output: Output.Type
    ) -> ValidationReport {
        validate(reply, from: method, with: Output.read)
    }
}

/// Values sent with every request of an API. With one to a whole address that a call is given, only
/// the header fields are sent, and those only to the origin of the call's server.
public protocol APIParameters: Sendable {
    /// Adds the values to a request. A method's own parameter of the same name wins. A field of a
    /// form is sent if the body of the call is a form; besides, with a `POST`, `PUT` or `PATCH` that
    /// has no body of its own.
    func apply(to request: inout RequestBuilder)
}

/// Base parameters that all have a default, so that an `APIManager` can be made without them.
public protocol DefaultParameters: APIParameters {
    /// The defaults.
    init()
}

/// A method of an API. The raw value is the API's own name for it: `users.get`.
public protocol APIMethodName: Sendable, RawRepresentable<String> {
    /// Where the method lives.
    var endpoint: Endpoint { get }
}
