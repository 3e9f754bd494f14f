import TelexDownloads
import TelexJSON

/// The request, and how its reply becomes a value whose type only the `APIRequest` knows.
package final class RequestContent: Sendable {
    package typealias Decode = @Sendable (_ reply: Reply, _ reading: ReplyReading) -> Decoded
    /// Converts the result of a transfer to the value; nil if it cannot.
    package typealias Finish = @Sendable (TransferEnd) -> AnyProduct?

    package let template: RequestTemplate
    package let expected: ReplyKind
    package let decode: Decode
    package let finish: Finish
    /// Whether the app's own checks examine the value.
    package let asksApp: Bool

    package init(
        _ template: RequestTemplate, expecting expected: ReplyKind, asksApp: Bool = false,
        decode: @escaping Decode, finish: @escaping Finish = { _ in nil }
    ) {
        self.asksApp = asksApp
        self.template = template
        self.expected = expected
        self.decode = decode
        self.finish = finish
    }

    /// Returns the same request with another value.
    ///
    /// - Parameters:
    ///   - asksApp: Whether the app's own checks examine the value, too.
    ///   - finish: Converts the value of a transfer.
    ///   - change: Changes what a reply was decoded to.
    package func changed(
        asksApp: Bool = false, finish: @escaping @Sendable (AnyProduct?) -> AnyProduct? = { $0 },
        _ change: @escaping @Sendable (inout Decoded, Reply, ReplyReading) -> Void
    ) -> RequestContent {
        RequestContent(
            template, expecting: expected, asksApp: asksApp || self.asksApp,
            decode: { reply, reading in
                var result = self.decode(reply, reading)
                change(&result, reply, reading)
                return result
            },
            finish: { finish(self.finish($0)) })
    }

    /// Returns the keys of a reply whose values must be redacted; nil if they are not known.
    package func sensitiveKeys(in reply: Reply, at path: [JSONStep], limits: JSONLimits) -> Set<
        String
    >? {
        switch expected.kind(of: reply.status) {
        case .json:
            let report = decode(reply, ReplyReading(path: path, limits: limits)).report
            // Skipped or unread parts may belong to models with sensitive keys.
            return report.isWhole ? report.sensitiveKeys : nil
        case .bytes, .text, .nothing: return []
        case .file, .stream, .statuses: return nil
        }
    }
}

/// How a reply is read.
package struct ReplyReading: Sendable {
    /// The path of the value.
    package var path: [JSONStep]
    package var limits: JSONLimits
    package var checks: JSONChecks
    /// The app's own checks; nil if they are not to be made.
    package var appChecks: (any Sendable)?

    package init(
        path: [JSONStep] = [], limits: JSONLimits, checks: JSONChecks = .all,
        appChecks: (any Sendable)? = nil
    ) {
        self.path = path
        self.limits = limits
        self.checks = checks
        self.appChecks = appChecks
    }

    /// Reads the value.
    package func read<T>(_ bytes: [UInt8], _ mapper: (inout JSONReader) -> T?) -> JSONResult<T> {
        JSONReader.read(bytes, at: path, limits: limits, checks: checks) { json in
            json.appChecks = appChecks
            return mapper(&json)
        }
    }
}

/// A value behind a reference. Code that only passes it on need not be generic; unspecialised
/// generic code looks up metadata at run time.
package final class Product<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

/// A `Product` of some type.
package typealias AnyProduct = any AnyObject & Sendable

/// The result of decoding a reply; see `JSONResult`.
package struct Decoded: Sendable {
    package var product: AnyProduct?
    package var report: ValidationReport
    /// Whether the objects around the value contained nothing else.
    package var isOnlyMember: Bool

    package init(
        product: AnyProduct?, report: ValidationReport = ValidationReport(),
        isOnlyMember: Bool = false
    ) {
        self.product = product
        self.report = report
        self.isOnlyMember = isOnlyMember
    }
}

extension Decoded {
    package init(_ result: JSONResult<AnyProduct>) {
        self.init(
            product: result.value, report: result.report, isOnlyMember: result.isOnlyMember)
    }
}

/// The result of a transfer, whose reply is never in memory as a whole.
package enum TransferEnd: Sendable {
    case file(DownloadedFile)
    /// The number of delivered elements.
    case stream(count: Int)
}

extension ValidationReport {
    /// Whether the whole document was read.
    fileprivate var isWhole: Bool {
        syntaxError == nil && omitted == 0 && skipped.count == 0
            && violations.allSatisfy { $0.check != .types }
    }
}
