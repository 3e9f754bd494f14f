import SpecDiagnostics
import TelexJSON

/// What traffic says against a spec.
public struct DriftReport: Sendable {
    /// A method that was called.
    public struct Method: Sendable {
        /// The API's name.
        public let name: String
        /// The verb and the path.
        public let request: String
        /// How often it was called.
        public let requests: Int
        /// How many replies were compared.
        public let replies: Int
        /// How many replies have no content in the recording.
        public let unread: Int
        /// What was found, by path.
        public let findings: [Finding]
    }

    /// One kind of deviation at one place.
    public struct Finding: Sendable {
        /// Whether the request deviates, and not the reply.
        public let isRequest: Bool
        /// The path; numbers are `[*]`.
        public let path: String
        /// The rule, as in a violation; `undeclared` for a key, `enum` for a value, `one-of` for an
        /// alternative that the spec does not know, `json` for a body that is none.
        public let rule: String
        /// The expectation of the first violation.
        public let expected: String
        /// Whether it is a note, and no drift.
        public let isNote: Bool
        /// In how many requests or replies it is.
        public var count = 0
        /// Where the first one is: `log.entries[12]`.
        public let example: String
        /// Where the spec declares the value: `users.yaml:7:3`; nil if that is not known.
        public let place: String?
        /// Some of the values found.
        public private(set) var found: [String] = []
        /// The path of the first violation.
        let firstPath: String
        /// The kinds of JSON that were found in place of another type.
        private(set) var kinds: Set<JSONKindName> = []
        /// The smallest and the greatest number found, or those of characters, bytes or elements.
        private(set) var range: ClosedRange<Double>?
        /// Values of an undeclared key, or of an enumeration.
        private(set) var samples: [JSONValue] = []
        private var known: Set<JSONValue> = []

        private static let mostSamples = 1000

        init(
            _ violation: Violation, isRequest: Bool, path: String, example: String, place: String?
        ) {
            self.isRequest = isRequest
            self.path = path
            self.example = example
            self.place = place
            rule = violation.rule
            expected = violation.expected
            isNote = violation.severity == .warning
            firstPath = violation.path
        }

        mutating func note(
            _ violation: Violation, _ kind: JSONKindName?, in bytes: [UInt8], _ sample: JSONValue?
        ) {
            if found.count < 3, !found.contains(violation.found) { found.append(violation.found) }
            if let kind { kinds.insert(kind) }
            if let measure = Self.measure(violation, in: bytes) {
                range = min(range?.lowerBound ?? measure, measure)...max(
                    range?.upperBound ?? measure, measure)
            }
            let isValueKept = ["in", "closed"].contains(violation.rule)
            let sample = sample ?? (isValueKept ? Self.value(of: violation, in: bytes) : nil)
            if let sample, samples.count < Self.mostSamples, known.insert(sample).inserted {
                samples.append(sample)
            }
        }

        /// The number that a bound is about.
        private static func measure(_ violation: Violation, in bytes: [UInt8]) -> Double? {
            switch violation.rule {
            case "min", "max", "above", "below", "min-items", "max-items", "min-keys", "max-keys":
                return Double(violation.found)
            case "min-length", "max-length", "min-bytes", "max-bytes":
                guard let text = Self.value(of: violation, in: bytes)?.asString else { return nil }
                let isBytes = violation.rule.hasSuffix("bytes")
                return Double(isBytes ? text.utf8.count : text.unicodeScalars.count)
            default: return nil
            }
        }

        /// The value at the path of a violation.
        private static func value(of violation: Violation, in bytes: [UInt8]) -> JSONValue? {
            let steps = SpecWalk.steps(violation.path)?.map { step -> JSONStep in
                switch step {
                case .key(let key): .key(key)
                case .index(let index): .index(index)
                }
            }
            return steps.flatMap { JSONReader.bytes(atEach: $0, in: bytes, upTo: 1).first }
                .flatMap { JSONReader.value(at: [], in: Array($0)) }
        }

        static func < (one: Self, other: Self) -> Bool {
            (one.isRequest ? 1 : 0, one.path, one.rule, one.found.first ?? "")
                < (other.isRequest ? 1 : 0, other.path, other.rule, other.found.first ?? "")
        }
    }

    /// A request that no method sends, or several.
    public struct Request: Sendable {
        /// The verb and the path.
        public let request: String
        /// How often it was sent.
        public var count: Int
        /// Where the first one is.
        public let example: String
    }

    /// A host that the spec does not name, and whose requests no method sends.
    public struct Host: Sendable {
        /// Its name with the port.
        public let host: String
        /// The number of requests.
        public let count: Int
    }

    /// The methods that were called, by name.
    public let methods: [Method]
    /// The requests to the servers of the spec that no method sends.
    public let unknown: [Request]
    /// The requests that several methods send.
    public let ambiguous: [Request]
    /// The hosts that are no servers of the spec.
    public let otherHosts: [Host]
    /// The entries that cannot be read.
    public let problems: [Recording.Problem]

    /// Whether the traffic says anything against the spec.
    public var hasDrift: Bool {
        !unknown.isEmpty || methods.contains { $0.findings.contains { !$0.isNote } }
    }
}

/// A kind of JSON in a violation.
enum JSONKindName: String, Hashable {
    case null, bool, integer, number, string, array, object

    /// The kind of what a violation of a type has found.
    init(ofFound found: String) {
        switch found {
        case "null": self = .null
        case "true", "false": self = .bool
        case "an object": self = .object
        case "an array": self = .array
        default:
            guard Double(found) != nil else {
                self = .string
                return
            }
            self = found.contains { ".eE".contains($0) } ? .number : .integer
        }
    }
}

extension JSONValue {
    /// The value of a JSON text; nil for another text.
    init?(json: some StringProtocol) {
        let bytes = Array(json.utf8)
        guard JSONReader.syntaxError(in: bytes) == nil,
            let value = JSONReader.value(at: [], in: bytes)
        else { return nil }
        self = value
    }

    /// The value in a message.
    var shortText: String { Violation.bounded(description) }
}
