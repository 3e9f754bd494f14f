import TelexJSON

/// What is sent, and how the reply becomes a value whose type only the `APIRequest` knows.
final class RequestContent: Sendable {
    typealias Decode =
        @Sendable (_ bytes: [UInt8], _ path: [String], _ limits: JSONLimits) -> Decoded
    /// Makes the end of a transfer the value; nil if it cannot.
    typealias Finish = @Sendable (TransferEnd) -> AnyProduct?

    let template: RequestTemplate
    let expected: ReplyKind
    let decode: Decode
    let finish: Finish

    init(
        _ template: RequestTemplate, _ expected: ReplyKind, decode: @escaping Decode,
        finish: @escaping Finish = { _ in nil }
    ) {
        self.template = template
        self.expected = expected
        self.decode = decode
        self.finish = finish
    }

    /// The keys of a reply whose values nobody may see; nil if that is not known.
    func sensitiveKeys(
        in body: [UInt8], at path: [String], _ limits: JSONLimits
    ) -> Set<String>? {
        switch expected {
        case .json:
            let report = decode(body, path, limits).report
            // What was passed over, or never come to, may be of models that have such keys.
            return report.isWhole ? report.sensitiveKeys : nil
        case .bytes, .nothing: return []
        case .file, .stream: return nil
        }
    }
}

/// A value behind a reference. What only hands it on need not know its type: code that does is
/// looked up type by type while it runs.
final class Product<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// A `Product` of some type.
typealias AnyProduct = any AnyObject & Sendable

/// What reading a reply gave; see `JSONResult`.
struct Decoded: Sendable {
    var product: AnyProduct?
    var report = ValidationReport()
    /// Whether the objects that the value was unwrapped from held nothing else.
    var isAlone = false

    init(product: AnyProduct?, report: ValidationReport = ValidationReport()) {
        self.product = product
        self.report = report
    }

    init(_ result: JSONResult<AnyProduct>) {
        self.init(product: result.value, report: result.report)
        isAlone = result.isAlone
    }
}

/// What a reply ends with that is never in memory as a whole.
enum TransferEnd: Sendable {
    case file(DownloadedFile)
    /// So many elements have been handed out.
    case stream(count: Int)
}

extension ValidationReport {
    /// Whether all of the document was read.
    fileprivate var isWhole: Bool {
        syntaxError == nil && omitted == 0 && violations.allSatisfy { $0.check != .types }
    }
}
