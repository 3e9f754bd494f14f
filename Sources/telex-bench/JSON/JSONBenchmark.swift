import DocumentsClient
import Foundation
import TelexJSON
import TelexTemplates

/// Compares the mapping of five documents by generated code with that by Foundation's coders.
enum JSONBenchmark {
    /// - Parameter files: The real files to read in place of generated documents, by name.
    /// - Throws: If something could not be read or written, or the coders map other values.
    static func run(files: [String: String]) throws {
        let documents = try Documents.all(files: files)
        print(
            """
            reading: JSONDecoder, as a multiple of Telex; checks on / off; growth of memory / size;
            times memory is allocated; first call / later ones; main thread / another one
                              MB    GB/s  JSONDecoder  checks  memory  allocated  first  main thread
            """)
        for document in documents {
            let readings = try document.readings()
            let memory = readings.memory.map { String(format: "%.1f", $0) } ?? "–"
            let allocated = readings.allocations.map(String.init) ?? "–"
            row(
                document.name, document.bytes.count, readings.time,
                String(format: "%12.1f %7.2f", readings.foundation, readings.checks)
                    + String(repeating: " ", count: 8 - memory.count) + memory
                    + String(repeating: " ", count: 11 - allocated.count) + allocated
                    + String(format: "%7.1f %12.2f", readings.first, readings.thread))
        }
        print("\nwriting             MB    GB/s  JSONEncoder")
        for document in documents {
            let (size, time, foundation) = try document.writings()
            row(document.name, size, time, String(format: "%12.1f", foundation))
        }
        try rules()
    }

    private static func row(_ name: String, _ size: Int, _ time: Double, _ rest: String) {
        let label = name.padding(toLength: 14, withPad: " ", startingAt: 0)
        let size = Double(size)
        print(label, String(format: "%7.3f %7.2f", size / 1e6, size / time / 1e9), rest)
    }

    /// Compares models with rules with the same without any, and with a template of the same rules.
    private static func rules() throws {
        let bytes = DocumentMaker.profiles()
        func count<Model: JSONReadable>(_ type: Model.Type) -> Int {
            let result = JSONReader.read(bytes, at: ["response"]) { [Model].read(from: &$0) }
            return result.report.isValid ? result.value?.count ?? 0 : 0
        }
        let (ruled, plain) = try CPUClock.sideBySide({ count(Profile.self) }) {
            count(PlainProfile.self)
        }
        let template = try Template(parsing: Array(Self.template.utf8))
        let (interpreted, generated) = try CPUClock.sideBySide({
            template.validate(bytes).isValid ? 1 : 0
        }) { count(Profile.self) }
        print(String(format: "\nmodels with rules / without any: %.2f", ruled / plain))
        print(String(format: "template / generated check: %.2f", interpreted / generated))
    }

    /// The template of a list of users, with the rules of `Profile`.
    static var template: String {
        let user = String(decoding: DocumentMaker.profile(1, phrases: 1).bytes(), as: UTF8.self)
        let rules = [
            "id": #""minimum":0"#, "first_name": #""lengthMustBeEqualOrLessThan":64"#,
            "last_name": #""lengthMustBeEqualOrLessThan":64"#, "platform": #""maximum":8"#,
            "screen_name": #""lengthMustBeEqualOrGreaterThan":2"#, "time": #""minimum":0"#,
            "status": #""lengthMustBeEqualOrLessThan":140"#, "rating": #""minimum":0"#,
            "followers_count": #""isOptional":true,"minimum":0"#,
        ]
        let ruled = rules.reduce(user.replacing(#","extra":{"a":[1,2,3],"b":null}"#, with: "")) {
            let (key, rule) = $1
            return $0.replacing(#""\#(key)":"#, with: #""\#(key)-Rules":{\#(rule)},"\#(key)":"#)
        }
        return #"{"response":[\#(ruled)]}"#
    }
}
