import SpecIR

/// The parts of generated functions that depend on the kind of operation.
extension Method {
    /// The type of the operation that a call returns.
    var operationType: String {
        switch operation.kind {
        case .download: operationName
        case .data, .upload, .stream: "\(operationName)<\(output.swift)>"
        }
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
        if case .stream = operation.kind { "StreamEnd<\(output.swift)>" } else { output.swift }
    }

    /// The result type of a fake.
    var fakeResult: String {
        if case .stream = operation.kind { "[\(output.swift)]" } else { output.swift }
    }

    /// The call that finishes a request builder.
    func finishCall(_ mapper: String) -> Layout {
        switch (operation.kind, output) {
        case (.stream(let format), _): .call("finishStream", [format.layout, .text(mapper)])
        case (.download, _), (_, .file): .text("finishDownload(to: \(destination))")
        case (_, .nothing): .text("finishEmpty()")
        case (_, .bytes): .text("finishRaw()")
        case (_, .value) where output.readsItself: .text("finish()")
        case (_, .value): .text("finish(\(mapper))")
        }
    }

    /// The object of the validator's documentation.
    var checkedDescription: String {
        if case .stream = operation.kind { "an element" } else { "a whole reply" }
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

    /// The call that passes the arguments to the stub.
    func fakeCall(_ stub: String) -> Layout {
        var values = arguments.map { Layout.text(SwiftLiteral.identifier($0.name)) }
        if operation.kind == .download { values.append(.text(destination)) }
        var call = "operation"
        if case .stream = operation.kind { call = "stream" }
        // Several arguments form a tuple, and no arguments an empty one.
        let argument = values.count == 1 ? values[0] : Layout.call("", values)
        return .call("self.\(stub).\(call)", [argument])
    }
}
