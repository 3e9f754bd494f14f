import SpecDiagnostics

/// The names taken in one scope of the generated Swift.
struct NameScope {
    private struct Owner {
        let what: String
        let span: Span
    }

    /// How a message names the scope, for instance ``model `User` ``.
    let name: String
    private var owners: [String: Owner] = [:]

    init(_ name: String) {
        self.name = name
    }

    /// Takes a name for what is declared at `span`; a name already taken is reported with both
    /// places.
    mutating func declare(
        _ swiftName: String, for what: String, at span: Span, into bag: inout DiagnosticBag,
        help: String = "give one of them a name of its own: `swift: { name: … }`"
    ) {
        guard let owner = owners[swiftName] else {
            owners[swiftName] = Owner(what: what, span: span)
            return
        }
        bag.report(
            .nameCollision, "\(what) and \(owner.what) both become `\(swiftName)` in \(name)",
            at: span,
            notes: [Diagnostic.Note("\(owner.what) is declared here", at: owner.span)],
            help: help)
    }
}

/// Type names that generated code uses, or that Swift keeps for itself.
enum ReservedNames {
    /// Names that no model may have.
    static let types: Set<String> = [
        "Any", "AnyObject", "Array", "Bool", "Data", "Date", "Decimal", "Dictionary", "Double",
        "Duration", "Error", "Int", "Int32", "Never", "Optional", "ParameterText", "Protocol",
        "Result", "Self",
        "Sendable", "Set", "String", "Task", "Type", "UInt", "UInt8", "URL", "UUID", "Void",
        "AllCases", "APIDefinition", "APIDescription", "APIError", "APIManager",
        "APIMethodName", "APIParameters", "APIPatterns", "APIRequest", "AuthRules", "CallOptions",
        "CaseIterable",
        "CustomDebugStringConvertible", "CustomReflectable", "CustomStringConvertible",
        "DataOperation", "DefaultParameters", "Endpoint", "Equatable", "ErrorRules", "FakeError",
        "Foundation", "FoundationEssentials", "Hashable", "Identifiable", "Indirect",
        "JSONFragment", "JSONKeys", "JSONReadable", "JSONReader", "JSONValue", "JSONWritable",
        "JSONWriter", "Mirror", "Nullable", "OpenEnum", "Pattern", "Properties", "PropertyReader",
        "RawValue", "Redacted", "RedactedDescription", "ReplyLimits", "ReplyRules",
        "RequestBuilder", "Server", "ServerVariable", "Stub", "Swift", "TelexJSON", "TelexRuntime",
        "UploadFile", "ValidationReport",
        "Backoff", "DownloadOperation", "DownloadedFile", "OperationRules", "QueueRules",
        "RefreshRequest", "RequestRate", "RetryPolicy", "StreamEnd", "StreamOperation",
        "Throttle", "Timeouts", "TokenReplyRules", "TrafficLimits", "TransportSession",
        "UploadOperation",
    ]
    /// Names that no group may have: Swift could not tell it from what every manager has.
    static let managerProperties: Set<String> = ["credentials", "parameters"]
    /// Names that no member of an open enumeration may have.
    static let enumerationMembers: Set<String> = [
        "rawValue", "allKnown", "isKnown", "hashValue", "init", "self", "Type", "Self",
    ]
    /// Names that no field may have, since every value has them.
    static let fields: Set<String> = ["self", "Type", "Self", "customMirror", "hashValue"]
}
