import CAllocations
import DocumentsClient
import Foundation
import TelexJSON

/// A document, mapped by the generated models and by `JSONDecoder`.
///
/// - `Model`: the generated model.
/// - `Coded`: its counterpart for Foundation's coders.
struct Document<Model, Coded: Codable & Equatable>: MeasuredDocument {
    /// The name in the tables.
    let name: String
    let bytes: [UInt8]
    /// Reads the document as a client reads a reply.
    private let read: ([UInt8], JSONChecks) -> JSONResult<Model>
    /// Reads and drops the document; 0 if it could not be read.
    private let run: (JSONChecks) -> Int
    private let written: (Model) -> [UInt8]
    /// A number made of many of the values. Programs in other languages print the same.
    private let sum: (Coded) -> Double

    /// Inlined, so that what is measured is compiled for its types, as the code of a client is.
    @inline(__always)
    init(
        name: String, bytes: [UInt8],
        read: @escaping ([UInt8], JSONChecks) -> JSONResult<Model>,
        write: @escaping (inout JSONWriter, Model) -> Void, sum: @escaping (Coded) -> Double
    ) {
        self.name = name
        self.bytes = bytes
        self.read = read
        self.sum = sum
        run = { read(bytes, $0).value == nil ? 0 : 1 }
        written = { model in
            var json = JSONWriter()
            write(&json, model)
            return json.takeBytes()
        }
    }

    private func model() throws -> Model {
        let result = read(bytes, .all)
        guard let value = result.value, result.report.isValid else {
            throw BenchmarkFailure("\(name): \(result.report)")
        }
        return value
    }

    func check() throws {
        let decoder = JSONDecoder()
        let decoded = try decoder.decode(Coded.self, from: Data(bytes))
        let copy = try decoder.decode(Coded.self, from: Data(try written(model())))
        guard copy == decoded else {
            throw BenchmarkFailure("\(name): Telex and JSONDecoder map different values")
        }
    }

    func checksum() throws -> Double {
        sum(try JSONDecoder().decode(Coded.self, from: Data(bytes)))
    }

    func readingTime() throws -> Double { try CPUClock.time { run(.all) } }

    func readings() throws -> Readings {
        let start = CPUClock.now()
        _ = run(.all)
        let first = CPUClock.now() - start
        try check()
        let data = Data(bytes)
        let decoder = JSONDecoder()
        let (telex, foundation) = try CPUClock.sideBySide({ run(.all) }) {
            _ = try decoder.decode(Coded.self, from: data)
            return 1
        }
        let checks = try CPUClock.sideBySide({ run(.all) }) { run([]) }
        let threads = try CPUClock.onTwoThreads { run(.all) }
        return Readings(
            time: telex, foundation: foundation / telex, checks: checks.0 / checks.1,
            memory: memory(), allocations: Self.allocations { run(.all) },
            first: first / telex, thread: threads.0 / threads.1)
    }

    /// How often a body allocates; nil where that is not counted.
    private static func allocations(_ body: () -> Int) -> Int? {
        let before = c_allocations()
        _ = body()
        return before < 0 ? nil : c_allocations() - before
    }

    /// Holds the values of many readings, because the system counts pages, and not at once.
    private func memory() -> Double? {
        let count = 16_000_000 / bytes.count + 1
        let peak = Memory.peak {
            withExtendedLifetime((0..<count).map { _ in read(bytes, .all).value }) {}
        }
        return peak.map { Double($0) / Double(bytes.count * count) }
    }

    func writings() throws -> (size: Int, time: Double, foundation: Double) {
        let model = try model()
        let coded = try JSONDecoder().decode(Coded.self, from: Data(bytes))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let (telex, foundation) = try CPUClock.sideBySide({ written(model).count }) {
            try encoder.encode(coded).count
        }
        return (written(model).count, telex, foundation / telex)
    }
}

/// What is measured of a document, whatever its models.
protocol MeasuredDocument {
    var name: String { get }
    var bytes: [UInt8] { get }

    /// - Throws: If the generated models and Foundation's coders map different values, or write them
    ///   differently.
    func check() throws
    /// The sum that programs in other languages have to find.
    func checksum() throws -> Double
    /// The seconds of one reading.
    func readingTime() throws -> Double
    /// Measures reading; the first reading of the document must not have happened before.
    func readings() throws -> Readings
    /// The written bytes, the seconds, and the time of `JSONEncoder` as a multiple of these.
    func writings() throws -> (size: Int, time: Double, foundation: Double)
}

/// How long a reading takes in seconds, and ratios to that.
struct Readings {
    let time: Double
    /// The time of `JSONDecoder`.
    let foundation: Double
    /// The time with all checks over that without any.
    let checks: Double
    /// By how many bytes the memory grows for a byte of the document: the values and what it takes to
    /// read them. nil where the system does not tell.
    let memory: Double?
    /// How many times memory is allocated; nil where that is not counted.
    let allocations: Int?
    /// The first call of the process, over later ones.
    let first: Double
    /// The main thread over another one.
    let thread: Double
}

/// The five documents.
enum Documents {
    static func tweets(_ bytes: [UInt8]) -> any MeasuredDocument {
        Document(
            name: "twitter", bytes: bytes,
            read: { JSONReader.read($0, checks: $1) { Tweets.read(from: &$0) } },
            write: { $0.value($1) },
            sum: { (document: CodedDocuments.Tweets) in
                document.statuses.reduce(0) {
                    $0 + Double($1.user.followers_count + $1.text.utf8.count)
                }
            })
    }

    static func catalog(_ bytes: [UInt8]) -> any MeasuredDocument {
        Document(
            name: "citm", bytes: bytes,
            read: { JSONReader.read($0, checks: $1) { Catalog.read(from: &$0) } },
            write: { $0.value($1) },
            sum: { (document: CodedDocuments.Catalog) in
                document.performances.reduce(Double(document.events.count)) {
                    $0 + $1.prices.reduce(0) { $0 + Double($1.amount) }
                        + $1.seatCategories.reduce(0) { $0 + Double($1.areas.count) }
                }
            })
    }

    static func outlines(_ bytes: [UInt8]) -> any MeasuredDocument {
        Document(
            name: "canada", bytes: bytes,
            read: { JSONReader.read($0, checks: $1) { Outlines.read(from: &$0) } },
            write: { $0.value($1) },
            sum: { (document: CodedDocuments.Outlines) in
                document.features.reduce(0) {
                    $1.geometry.coordinates.joined().joined().reduce($0, +)
                }
            })
    }

    static func profiles(_ name: String, _ bytes: [UInt8]) -> any MeasuredDocument {
        Document(
            name: name, bytes: bytes,
            read: {
                JSONReader.read($0, at: ["response"], checks: $1) { [Profile].read(from: &$0) }
            },
            write: { json, profiles in
                json.beginObject()
                json.field("response", profiles)
                json.endObject()
            },
            sum: { (document: CodedDocuments.Profiles) in
                document.response.reduce(0) { $0 + Double($1.id + $1.status.utf8.count) }
            })
    }

    /// All documents. The smallest is read first, as the first reply of a process often is small.
    ///
    /// - Parameter files: The real files to read in place of generated documents, by name.
    static func all(files: [String: String]) throws -> [any MeasuredDocument] {
        func bytes(_ name: String, _ made: () -> [UInt8]) throws -> [UInt8] {
            try files[name].map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
                ?? made()
        }
        return [
            profiles("1 KB", DocumentMaker.profiles(1, phrases: 9)),
            profiles("1,000 users", DocumentMaker.profiles()),
            tweets(try bytes("twitter") { DocumentMaker.tweets() }),
            catalog(try bytes("citm") { DocumentMaker.catalog() }),
            outlines(try bytes("canada") { DocumentMaker.outlines() }),
        ]
    }
}
