import SpecDiagnostics

/// The names declared in one scope of the generated Swift.
struct NameScope {
    private struct Owner {
        let what: String
        let span: Span
    }

    /// The name of the scope in messages, for instance ``model `User` ``.
    let name: String
    private var owners: [String: Owner] = [:]

    init(_ name: String) {
        self.name = name
    }

    var declared: Set<String> { Set(owners.keys) }

    /// Declares a name at `span`; a collision is reported with both spans.
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

/// Names that generated code uses or that Swift reserves.
package enum ReservedNames {
    /// Names that no model may have.
    package static let types = insideModels.union([
        "APICalls", "APIDefinition", "APIDescription", "APIError", "APIManager", "APIParameters",
        "APIPatterns", "APIRequest", "APITemplates", "AuthRules", "Backoff", "CacheRules",
        "CallOptions", "DataOperation", "DefaultParameters", "DownloadedFile", "DownloadOperation",
        "Endpoint", "ErrorRules", "FakeError", "LoginRules", "MethodTemplate", "NetworkOperation",
        "NetworkRules", "OperationRules", "Pages", "ParameterText", "Polling", "Properties",
        "PropertyReader", "QueueRules", "RefreshRequest", "ReplyChecks", "ReplyHeader",
        "ReplyLimits", "ReplyPlace", "ReplyRules", "ReplyValidation", "RequestBuilder",
        "RequestRate", "Result", "RetryPolicy", "SentValue", "Server", "ServerVariable",
        "StatusReply", "StreamEnd", "StreamOperation", "Stub", "Task", "Throttle", "Timeouts",
        "TokenMethod", "TokenReplyRules", "TrafficLimits", "TransportSession", "UploadFile",
        "UploadOperation", "WithHeaders",
    ])
    /// Names that no type inside a model may have either, because the code of models uses them.
    package static let insideModels: Set<String> = [
        "AllCases", "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Codable",
        "CustomDebugStringConvertible", "CustomReflectable", "CustomStringConvertible", "Data",
        "Date", "Decimal", "Dictionary", "Double", "Duration", "Equatable", "Error", "Foundation",
        "FoundationEssentials", "Hashable", "Identifiable", "Indirect", "Int", "Int32", "Int64",
        "JSONChecks", "JSONCodable", "JSONFragment", "JSONKeys", "JSONReadable", "JSONReader",
        "JSONValue", "JSONWritable", "JSONWriter", "Mirror", "Never", "Nullable", "OpenEnum",
        "Optional", "Pattern", "Protocol", "RawValue", "Redacted", "RedactedDescription", "Self",
        "Sendable", "Set", "String", "Swift", "TelexJSON", "TelexRuntime", "Type", "UInt", "UInt64",
        "UInt8", "URL", "UUID", "ValidationReport", "Void",
    ]
    /// The names that no type may have in this scope: a model, or the module if it is empty.
    package static func types(in parent: String) -> Set<String> {
        parent.isEmpty ? types : insideModels
    }

    /// Names that no group may have, because every manager has a property of that name. Swift tells
    /// functions of the name apart.
    package static let managerProperties: Set<String> = [
        "credentials", "customMirror", "description", "events", "operations", "parameters", "self",
    ]
    /// Names that no member of an open enumeration may have. Those of `Optional` mean nil where the
    /// value is optional.
    package static let enumerationMembers: Set<String> = [
        "none", "some", "rawValue", "allKnown", "isKnown", "hashValue", "init", "self", "Type",
        "Self",
    ]
    /// Names that no alternative of a union may have. Those of `Optional` would be ambiguous.
    package static let alternatives: Set<String> = [
        "unknown", "none", "some", "customMirror", "description", "debugDescription", "hashValue",
        "init", "self",
        "Type", "Self",
    ]
    /// Names that no field may have, because every value has them.
    package static let fields: Set<String> = ["self", "Type", "Self", "customMirror", "hashValue"]
}
