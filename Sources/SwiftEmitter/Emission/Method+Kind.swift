import SpecIR

/// The parts of generated functions that depend on the kind of operation.
extension Method {
    /// The type of the operation that a call returns.
    var operationType: String {
        switch operation.kind {
        case .download: operationName
        case .data, .upload, .stream: "\(operationName)<\(value)>"
        }
    }

    /// The type of the value of an operation, with its header fields.
    var value: String {
        replyHeaders.map { "WithHeaders<\(output.swift), \($0.model)>" } ?? output.swift
    }

    /// The type of the operation without its generic argument.
    var operationName: String {
        switch operation.kind {
        case .data: "DataOperation"
        case .upload: "UploadOperation"
        case .download: "DownloadOperation"
        case .stream: "StreamOperation"
        }
    }

    /// The result type of an operation.
    var result: String {
        if case .stream = operation.kind { "StreamEnd<\(value)>" } else { value }
    }

    /// The result type of a fake.
    var fakeResult: String {
        if case .stream = operation.kind { "[\(value)]" } else { value }
    }

    /// The call that finishes a request builder, with the app's own check of the value.
    ///
    /// - Parameter api: The Swift name of the API.
    func finishCall(on request: String, _ mapper: String, of api: String) -> Layout {
        var call = contentCall(on: request, mapper)
        if isCheckedByApp {
            var function = "checked"
            if case .stream = operation.kind { function = "checkedElements" }
            let check = "by: { $0.\(SwiftLiteral.member(caseName))($1) }"
            call = .call("\(call.flat).\(function)", [.text("in: \(api).self"), .text(check)])
        }
        guard let replyHeaders else { return call }
        return .call("\(call.flat).withHeaders", [.array("", replyHeaders.places.map(\.layout))])
    }

    private func contentCall(on request: String, _ mapper: String) -> Layout {
        switch (operation.kind, output) {
        case (.stream(let format), _):
            .call(
                "\(request).finishStream", [format.layout] + (hasMapper ? [.text(mapper)] : []))
        case (.download, _), (_, .file): .text("\(request).finishDownload(to: \(destination))")
        case (_, .nothing): .text("\(request).finishEmpty()")
        case (_, .bytes): .text("\(request).finishRaw()")
        case (_, .text): .text("\(request).finishText()")
        case (_, .value) where output.readsItself: .text("\(request).finish()")
        case (_, .value), (_, .statuses): .text("\(request).finish(\(mapper))")
        }
    }

    /// Whether the group has a function that reads the reply.
    var hasMapper: Bool {
        if case .statuses = output { true } else { output.type != nil && !output.readsItself }
    }

    /// The object of the mapper's documentation.
    func mappedDescription(_ name: String) -> String {
        if case .stream = operation.kind { return "an element of `\(name)`" }
        return "the reply of `\(name)`"
    }

    // MARK: The file of a download

    /// The label of the argument for the destination of a download.
    var destinationLabel: String { fresh("to") }

    /// The name of that argument.
    var destination: String { fresh("destination") }

    /// The argument for the destination of a download; empty for other kinds.
    var destinationDeclaration: [String] {
        operation.kind == .download ? ["\(destinationLabel) \(destination): String"] : []
    }

    /// The same argument, forwarded.
    var forwardedDestination: [String] {
        operation.kind == .download ? ["\(destinationLabel): \(destination)"] : []
    }

    // MARK: Fakes

    /// The argument type of a fake's stub: a tuple for several arguments.
    var stubArguments: Layout {
        var arguments = arguments.map { (declaration: $0.declaration, type: $0.swift ?? "") }
        if operation.kind == .download {
            arguments.append((declaration: "\(destination): String", type: "String"))
        }
        switch arguments.count {
        case 0: return .text("Void")
        case 1: return .text(arguments[0].type)
        default: return .call("", arguments.map { .text($0.declaration) })
        }
    }

    /// The arguments of a call as a value: a tuple of several, labelled, and an empty one of none.
    ///
    /// - Parameter local: Whether the arguments have their names inside a request builder.
    func passedArguments(local: Bool) -> Layout {
        var values = arguments.map { argument in
            let value = local ? argument.local : SwiftLiteral.identifier(argument.name)
            return (label: SwiftLiteral.argument(argument.name), value: value)
        }
        if operation.kind == .download { values.append((destination, destination)) }
        if values.count == 1 { return .text(values[0].value) }
        return .call("", values.map { .text("\($0.label): \($0.value)") })
    }
}

extension LoginRules {
    /// `login: LoginRules(…)`
    var layout: Layout {
        var arguments: [Layout] = [.strings("token: ", token)]
        if !refreshToken.isEmpty { arguments.append(.strings("refreshToken: ", refreshToken)) }
        if !expiresIn.isEmpty { arguments.append(.strings("expiresIn: ", expiresIn)) }
        if isInMilliseconds { arguments.append(.text("timeUnit: .milliseconds")) }
        if !values.isEmpty {
            arguments.append(.array("values: ", values.map { .strings("", $0) }))
        }
        return .call("login: LoginRules", arguments)
    }
}

extension ReplyHeaders.Place {
    fileprivate var layout: Layout {
        switch self {
        case .value(let name): .text(".value(\(SwiftLiteral.string(name)))")
        case .list(let name): .text(".list(\(SwiftLiteral.string(name)))")
        case .link(let relation): .text(".link(\(SwiftLiteral.string(relation)))")
        }
    }
}
