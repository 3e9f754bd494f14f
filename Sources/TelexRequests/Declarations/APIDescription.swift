import TelexJSON
import TelexTemplates

/// The generated description of one API: its methods, its base parameters, its error codes and its
/// rules. Never instantiated; `APIManager` is generic over it.
public protocol APIDescription {
    /// Values sent with every request.
    associatedtype Parameters: APIParameters
    /// The codes of the API's own errors.
    associatedtype ErrorCode: OpenEnum
    /// The model of every error object (`errors.model`); any JSON if the description names none.
    associatedtype ErrorDetail: JSONReadable = JSONValue
    /// The app's own checks of replies, a protocol for which the description asks with `validate:
    /// custom`; by default there are none.
    associatedtype ReplyChecks: Sendable = Never
    /// The servers and the rules for success, errors, authentication and limits.
    static var definition: APIDefinition { get }
}

extension APIDescription {
    /// Checks a reply as a call would: whether it counts as success, and whether `mapper` finds
    /// everything that it requires.
    ///
    /// - Parameters:
    ///   - reply: The body of a reply.
    ///   - rules: The method's own success rules; nil for the API's.
    ///   - checks: The checks of the value to make; all by default.
    ///   - template: The template of the method, if it asks for more than the mapper.
    ///   - mapper: The generated mapper of the method.
    /// - Returns: A report with every violation.
    public static func validate<Output>(
        _ reply: [UInt8], rules: ReplyRules? = nil, checks: JSONChecks = .all,
        template: Template? = nil, _ mapper: (inout JSONReader) -> Output?
    ) -> ValidationReport {
        (rules ?? definition.reply).report(
            on: reply, limits: definition.limits.json, checks: checks, template: template, mapper)
    }
}

extension ReplyRules {
    /// Checks a reply whose value `mapper` reads.
    package func report<Output>(
        on reply: [UInt8], limits: JSONLimits, checks: JSONChecks, template: Template?,
        _ mapper: (inout JSONReader) -> Output?
    ) -> ValidationReport {
        let reading = ReplyReading(path: unwrap, limits: limits, checks: checks)
        var report = reading.read(reply, mapper).report
        if let template, report.syntaxError == nil {
            report.add(template.validate(reply, checks: checks, limits: limits))
        }
        if report.syntaxError == nil, let violation = violation(in: reply, limits: limits) {
            report.violations.insert(violation, at: 0)
        }
        return report
    }

    /// Checks a reply of which nothing is read.
    package func report(onUnread reply: [UInt8], limits: JSONLimits) -> ValidationReport {
        guard hasKeyRules, !reply.isEmpty else { return ValidationReport() }
        if let error = JSONReader.syntaxError(in: reply, limits: limits) {
            return ValidationReport(syntaxError: error)
        }
        let violation = violation(in: reply, limits: limits)
        return ValidationReport(violations: violation.map { [$0] } ?? [])
    }
}

extension APIDescription {
    /// Checks a reply of which nothing is read: whether it counts as success. An empty one does, and
    /// any without rules about its keys.
    ///
    /// - Parameters:
    ///   - reply: The body of a reply.
    ///   - rules: The method's own success rules; nil for the API's.
    /// - Returns: A report with the violation.
    public static func validate(
        _ reply: [UInt8], rules: ReplyRules? = nil
    ) -> ValidationReport {
        (rules ?? definition.reply).report(onUnread: reply, limits: definition.limits.json)
    }
}

extension APIDescription {
    /// Checks a reply whose value is `JSONReadable`.
    ///
    /// - Parameters:
    ///   - reply: The body of a reply.
    ///   - rules: The method's own success rules; nil for the API's.
    ///   - checks: The checks of the value to make; all by default.
    ///   - template: The template of the method, if it asks for more than the type.
    ///   - output: The type of the value.
    /// - Returns: A report with every violation.
    public static func validate<Output: JSONReadable>(
        _ reply: [UInt8], rules: ReplyRules? = nil, checks: JSONChecks = .all,
        template: Template? = nil, as output: Output.Type
    ) -> ValidationReport {
        validate(reply, rules: rules, checks: checks, template: template, Output.read)
    }
}

/// The values sent with every request of an API. A request to a whole address gets only their
/// header fields, and only if the address has the origin of the call's server.
public protocol APIParameters: Sendable {
    /// Adds the values to a request. A method's own parameter of the same name takes precedence. A
    /// form field is sent if the body of the call is a form, or if a `POST`, `PUT` or `PATCH` has
    /// no body of its own.
    func apply(to request: inout RequestBuilder)
}

/// Base parameters that all have defaults, so that an `APIManager` can be created without them.
public protocol DefaultParameters: APIParameters {
    /// The defaults.
    init()
}

/// A method of an API that is described by hand. The raw value is the API's own name for it:
/// `users.get`.
public protocol APIMethodName: Sendable, RawRepresentable<String> {
    /// The HTTP method, the path and the rules of the method.
    var endpoint: Endpoint { get }
}
