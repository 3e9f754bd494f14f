import TestSupport
import Testing

/// Names that generated code cannot have are reported before emission.
@Suite("Refused names")
struct RefusedNameTests {
    private func codes(_ group: String) -> [String] {
        let spec = TestSpec(files: [
            "api.yaml": "telex: 1\napi: Test\nservers: { a: https://example.com/ }\n",
            "things.yaml": group,
        ])
        return spec.compiled().diagnostics.all.filter { $0.severity == .error }
            .map(\.message)
    }

    @Test(
        "A type name is neither a value name nor a type of generated code",
        arguments: ["class", "await", "thing", "String", "JSONFragment", "Redacted", "RawValue"])
    func types(name: String) {
        let group = """
            methods: { get: { get: x, returns: Model } }
            models:
              Model: { swift: { name: \(name) }, fields: { a: int } }
            """
        #expect(codes(group).count == 1)
    }

    @Test("A value name is not a type name", arguments: ["Test", "RequestBuilder", "Value"])
    func values(name: String) {
        let group = """
            methods:
              get: { get: x, query: { a: { type: int, swift: { name: \(name) } } } }
            """
        #expect(codes(group).count == 1)
    }

    @Test(
        "A field named like a member of every value gets a suffix",
        arguments: [("hash_value", "hashValueValue"), ("self", "selfValue")])
    func fields(name: String, property: String) throws {
        let group = """
            methods: { get: { get: x, returns: Model } }
            models:
              Model: { \(name): int }
            """
        #expect(codes(group).isEmpty)
        let spec = TestSpec(files: [
            "api.yaml": "telex: 1\napi: X\nservers: { a: https://a.example/ }\n",
            "group.yaml": group,
        ])
        let output = try #require(try spec.emitted()["Group.swift"])
        #expect(output.contains("public var \(property): Int"))
    }

    /// Type names that the output uses but does not declare are reserved.
    @Test("Every type that the output uses is declared or reserved")
    func mentionedTypes() async throws {
        try await onThreadForLongTests {
            let files = try EverythingSpec.spec.emitted()
            let tokens = files.values.flatMap { Lexer.tokens($0) ?? [] }
            var words: Set<String> = []
            var own: Set<String> = []
            let kinds: [Lexer.Token] = ["struct", "class", "enum", "protocol"].map { .word($0) }
            for (index, token) in tokens.enumerated() {
                guard case .word(let word) = token, word.first?.isUppercase == true else {
                    continue
                }
                let before = index > 0 ? tokens[index - 1] : .mark(" ")
                if kinds.contains(before) {
                    own.insert(word)
                } else if before != .mark(".") {
                    words.insert(word)
                }
            }
            // Generic parameters shadow any type: `API` is that of `APIManager`, the others are
            // those of `operation`.
            let parameters = ["API", "Output", "Arguments"]
            for name in words.subtracting(own).subtracting(parameters).sorted() {
                let group = """
                    methods: { get: { get: x, returns: Model } }
                    models:
                      Model: { swift: { name: \(name) }, fields: { a: int } }
                    """
                #expect(codes(group).count == 1, "\(name)")
            }
        }
    }
}
