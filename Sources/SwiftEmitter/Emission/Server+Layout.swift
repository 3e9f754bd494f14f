import SpecIR

// The parts of an API's description as Swift expressions.

extension Server {
    var layout: Layout {
        var arguments: [Layout] = [.text(SwiftLiteral.string(name)), .string("", url)]
        if !variables.isEmpty { arguments.append(.array("variables: ", variables.map(\.layout))) }
        return .call("Server", arguments)
    }
}

extension ServerVariable {
    var layout: Layout {
        .call(
            "ServerVariable",
            [
                .text(SwiftLiteral.string(name)),
                .text("default: \(defaultValue.map(SwiftLiteral.string) ?? "nil")"),
                .strings("allowed: ", allowed),
            ])
    }
}

extension SuccessRules {
    /// The rules of JSON-RPC 2.0, which the runtime has a name for.
    private static let jsonRPC = SuccessRules(
        absent: ["error"], conditions: [ReplyCondition(path: ["id"], values: [.callID])],
        unwrap: [.key("result")])

    func layout(_ label: String) -> Layout {
        if self == Self.jsonRPC { return .text(label + ".jsonRPC") }
        let ranges = statuses.map { "\($0.lowerBound)...\($0.upperBound)" }
        var arguments: [Layout] = [.array("status: ", ranges.map(Layout.text))]
        if !absent.isEmpty { arguments.append(.strings("absent: ", absent)) }
        if !present.isEmpty { arguments.append(.strings("present: ", present)) }
        if !conditions.isEmpty {
            arguments.append(.array("conditions: ", conditions.map(\.layout)))
        }
        if !unwrap.isEmpty { arguments.append(.array("unwrap: ", unwrap.map { .text($0.swift) })) }
        if !accepts.isEmpty { arguments.append(.strings("accepts: ", accepts)) }
        return .call(label + "ReplyRules", arguments)
    }
}

extension ReplyCondition {
    var layout: Layout {
        let values = values.map { value in
            switch value {
            case .flag(let flag): "\(flag)"
            case .integer(let integer): SwiftLiteral.integer(String(integer))
            case .text(let text): SwiftLiteral.string(text)
            case .callID: ".callID"
            }
        }
        return .call(
            ".value", [.strings("at: ", path), .array("in: ", values.map(Layout.text))])
    }
}

extension ErrorRules {
    var layout: Layout {
        var arguments: [Layout] = [
            .array("at: ", at.map { .text($0.swift) }), .strings("code: ", code),
            .strings("message: ", message),
        ]
        if !furtherMessages.isEmpty {
            arguments.append(
                .array("furtherMessages: ", furtherMessages.map { .strings("", $0) }))
        }
        let statuses = cases.compactMap(\.status)
        if !statuses.isEmpty {
            arguments.append(.array("statuses: ", statuses.map { .text("\($0)") }))
        }
        arguments.append(.strings("retryable: ", cases.filter(\.isRetryable).map(\.code)))
        if !retryAfter.isEmpty {
            arguments.append(.strings("retryAfter: ", retryAfter))
            if retryAfterIsInMilliseconds { arguments.append(.text("timeUnit: .milliseconds")) }
        }
        return .call("errors: ErrorRules", arguments)
    }
}

extension PathStep {
    /// The step as a literal of `JSONStep`.
    var swift: String {
        switch self {
        case .key(let key): SwiftLiteral.string(key)
        case .index(let index): "\(index)"
        case .each: ".each"
        case .first: ".first"
        }
    }
}

extension AuthUse {
    /// `auth: …`; nil for the default.
    var layout: Layout? {
        switch self {
        case .required: nil
        case .none: .text("auth: .none")
        case .optional: .text("auth: .optional")
        case .anyOf(let names): .call("auth: .anyOf", [.strings("", names)])
        case .allOf(let names): .call("auth: .allOf", [.strings("", names)])
        }
    }
}

extension AuthRules {
    /// - Parameter label: The label of the argument, with its colon.
    func layout(_ label: String) -> Layout {
        let token =
            switch placement {
            case .query(let name): ".query(\(SwiftLiteral.string(name)))"
            case .header(let name, let prefix):
                ".header(\(SwiftLiteral.string(name)), prefix: \(SwiftLiteral.string(prefix)))"
            case .bearer: ".bearer"
            case .cookie(let name): ".cookie(\(SwiftLiteral.string(name)))"
            case .body(let name): ".body(\(SwiftLiteral.string(name)))"
            case .basic: ".basic"
            case .path(let name): ".path(\(SwiftLiteral.string(name)))"
            }
        var arguments: [Layout] = name.isEmpty ? [] : [.string("name: ", name)]
        arguments += [
            .text("token: \(token)"), .array("expired: ", expiry.map(\.layout)),
        ]
        if let refresh { arguments.append(refresh.layout) }
        if let secret { arguments.append(.string("secret: ", secret)) }
        return .call("\(label)AuthRules", arguments)
    }
}

extension AuthRules.Expiry {
    var layout: Layout {
        switch self {
        case .status(let status): .text(".status(\(status))")
        case .code(let code): .text(".code(\(SwiftLiteral.string(code)))")
        }
    }
}
