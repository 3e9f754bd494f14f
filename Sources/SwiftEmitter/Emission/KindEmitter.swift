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
    var answer: String {
        if case .stream = operation.kind { "[\(output.swift)]" } else { output.swift }
    }

    /// The call that ends a request.
    func ending(_ mapper: String) -> String {
        switch (operation.kind, output) {
        case (.stream(let format), _): "finishStream(\(format.swift), \(mapper))"
        case (.download, _), (_, .file): "finishDownload(to: \(destination))"
        case (_, .nothing): "finishEmpty()"
        case (_, .bytes): "finishRaw()"
        case (_, .value): "finish(\(mapper))"
        }
    }

    /// What the validator checks, in words.
    var checked: String {
        if case .stream = operation.kind { "an element" } else { "a whole reply" }
    }

    /// What the mapper reads, in words.
    func mapped(_ name: String) -> String {
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
    var handedDestination: [String] {
        operation.kind == .download ? ["\(destinationLabel): \(destination)"] : []
    }
}
