import SpecIR

/// What the kind of a method's operations changes in its functions.
extension Method {
    /// The operation that a call gives.
    var operationType: String {
        switch operation.kind {
        case .download: operationName
        case .data, .upload, .stream: "\(operationName)<\(output.swift)>"
        }
    }

    /// The same, without what it is an operation for.
    var operationName: String {
        switch operation.kind {
        case .data: "DataOperation"
        case .upload: "UploadOperation"
        case .download: "DownloadOperation"
        case .stream: "StreamOperation"
        }
    }

    /// What an operation has when it has ended.
    var result: String {
        if case .stream = operation.kind { "StreamEnd<\(output.swift)>" } else { output.swift }
    }

    /// What a fake answers with.
    var fakeResult: String {
        if case .stream = operation.kind { "[\(output.swift)]" } else { output.swift }
    }

    /// The call that ends a request.
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

    /// What the validator checks, in words.
    var checkedDescription: String {
        if case .stream = operation.kind { "an element" } else { "a whole reply" }
    }

    /// What the mapper reads, in words.
    func mappedDescription(_ name: String) -> String {
        if case .stream = operation.kind { return "an element of `\(name)`" }
        return "what `\(name)` answers"
    }

    // MARK: The file of a download

    /// The label of the argument that says where a download goes.
    var destinationLabel: String { fresh("to") }

    /// The name of that argument.
    var destination: String { fresh("destination") }

    /// The argument that says where a download goes; none for other kinds.
    var destinationDeclaration: [String] {
        operation.kind == .download ? ["\(destinationLabel) \(destination): String"] : []
    }

    /// The same argument, handed on.
    var forwardedDestination: [String] {
        operation.kind == .download ? ["\(destinationLabel): \(destination)"] : []
    }

    // MARK: Fakes

    /// What the stub of a fake is called with, as a type: one value, whatever the number.
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

    /// The call that hands the arguments to the stub.
    func fakeCall(_ stub: String) -> Layout {
        var values = arguments.map { Layout.text(SwiftLiteral.identifier($0.name)) }
        if operation.kind == .download { values.append(.text(destination)) }
        var call = "operation"
        if case .stream = operation.kind { call = "stream" }
        // Several arguments are one value for the stub, no argument is an empty one.
        let argument = values.count == 1 ? values[0] : Layout.call("", values)
        return .call("self.\(stub).\(call)", [argument])
    }
}
