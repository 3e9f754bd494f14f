import Foundation
import SpecDiagnostics
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexRuntime

/// The arguments of a call, as they are written: `name=value`.
struct CallArguments: Sendable {
    /// The values of a name that was given, in order.
    private var given: [String: [String]] = [:]

    /// Takes the words apart.
    ///
    /// - Throws: An error for a word without `=`, and for a name that the method does not have.
    init(_ words: [String], of method: SpecIR.Method, _ known: [Parameter]) throws(CallError) {
        let names = known.filter { !$0.presence.isFixed }.map(\.key)
        for word in words {
            guard let end = word.firstIndex(of: "="), end > word.startIndex else {
                throw CallError(
                    "`\(word)` is no argument", help: "write name=value, or name=@file")
            }
            let name = String(word[..<end])
            guard names.contains(name) else {
                let help =
                    nearest(to: name, among: names).map { "did you mean `\($0)`?" }
                    ?? (names.isEmpty
                        ? "it has none" : "it has \(names.joined(separator: ", "))")
                throw CallError("`\(method.apiName)` has no parameter `\(name)`", help: help)
            }
            given[name, default: []].append(String(word[word.index(after: end)...]))
        }
    }

    /// The names that were given.
    var names: Set<String> { Set(given.keys) }

    /// Gives a parameter another value.
    mutating func set(_ name: String, _ text: String) { given[name] = [text] }

    /// The text of a parameter that has one value.
    func text(_ name: String) -> String? { given[name]?.last }

    /// The file of a parameter, written `@path`.
    func file(_ name: String) throws(CallError) -> UploadFile? {
        guard let text = given[name]?.last else { return nil }
        guard text.hasPrefix("@") else {
            throw CallError("`\(name)` is a file", help: "write \(name)=@path/of/the/file")
        }
        return UploadFile(path: String(text.dropFirst()))
    }

    /// The value of a parameter; nil if it was not given.
    func json(_ parameter: Parameter) throws(CallError) -> JSONValue? {
        guard var texts = given[parameter.key] else { return nil }
        for index in texts.indices { texts[index] = try Self.content(texts[index], parameter.key) }
        if case .list(let element) = parameter.value.type {
            if texts.count == 1, let whole = Self.parsed(texts[0]), whole.asArray != nil {
                return whole
            }
            let isJoined = texts.count == 1 && element.type.isWrittenPlainly
            let items =
                isJoined ? texts[0].split(separator: ",").map(String.init) : texts
            return .array(items.map { Self.json($0, element) })
        }
        return Self.json(texts[texts.count - 1], parameter.value)
    }

    /// The text itself, or the content of the file that it names.
    private static func content(_ text: String, _ name: String) throws(CallError) -> String {
        guard text.hasPrefix("@") else { return text }
        let path = String(text.dropFirst())
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw CallError(
                "the file of `\(name)` cannot be read: \(path)",
                help: "a value that begins with @ names a file")
        }
        guard let content = String(data: data, encoding: .utf8) else {
            throw CallError(
                "the file of `\(name)` is no text: \(path)", help: "save it as UTF-8")
        }
        return content
    }

    /// A text as JSON of a type. What does not fit stays a text, which the check then refuses.
    private static func json(_ text: String, _ value: Value) -> JSONValue {
        if text == "null", value.isNullable { return .null }
        switch value.type {
        case .bool(let form):
            guard let truth = Bool(text) else { return parsed(text) ?? .string(text) }
            return WrittenLiteral.truth(truth, form)
        case .integer, .double, .decimal:
            if case .int? = parsed(text) { return WrittenLiteral.number(text, of: value.type) }
            if case .number? = parsed(text) { return WrittenLiteral.number(text, of: value.type) }
            return .string(text)
        case .date(.unix), .date(.unixMilliseconds), .duration(.seconds), .duration(.milliseconds),
            .enumeration(_, isInteger: true), .string(.int), .object, .union, .map, .list, .json:
            return parsed(text) ?? .string(text)
        case .string, .date, .duration, .url, .uuid, .bytes, .file, .enumeration:
            return .string(text)
        }
    }

    private static func parsed(_ text: String) -> JSONValue? {
        let result = JSONReader.read(Array(text.utf8)) { json -> JSONValue? in json.value() }
        return result.report.syntaxError == nil ? result.value : nil
    }
}

extension ValueType {
    /// Whether a list of the type is written with commas.
    fileprivate var isWrittenPlainly: Bool {
        switch self {
        case .list, .map, .object, .union, .json: false
        default: true
        }
    }
}
