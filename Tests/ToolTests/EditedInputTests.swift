import Foundation
import Testing

/// Each edit is followed by a run in the same folder, and by one into a new folder. Both have to say and
/// write the same.
@Suite("telex generate after edits")
struct EditedInputTests {
    private static let goods = """
        methods:
          goods.list:
            get: goods
            doc: Lists goods.
            query: { limit: { type: int?, max: 100, doc: How many. } }
            returns: [Good]
          goods.find: { get: "goods/{id}", path: { id: int }, returns: Good }
        models:
          Good:
            doc: A good.
            fields: { name: { type: string, max-length: 20, doc: Its name. }, kind: Kind }
          Kind: { enum: [food, other] }

        """

    /// An edit of the files of the sandbox.
    enum Edit: String, CaseIterable {
        case doc, rule, modelDoc, type, addedMethod, removedMethod, renamedModel, renamedFile,
            newFile
        case cascade, template, templateRule, warning, error
        case missingOutput, editedOutput, missingSpecs, damagedSpecs, otherSpecs

        func make(in sandbox: Sandbox) throws {
            let path = "spec/goods.yaml"
            switch self {
            case .doc: try sandbox.replace("Lists goods.", by: "Lists all.", in: path)
            case .rule: try sandbox.replace("max: 100", by: "max: 50", in: path)
            case .modelDoc: try sandbox.replace("A good.", by: "A thing.", in: path)
            case .type: try sandbox.replace("int?", by: "uint?", in: path)
            case .addedMethod:
                try sandbox.replace(
                    "models:", by: "  goods.add: { post: goods, json: { good: Good } }\nmodels:",
                    in: path)
            case .removedMethod:
                let text = try sandbox.read(path).split(separator: "\n")
                try sandbox.write(
                    path, text.filter { !$0.contains("goods.find") }.joined(separator: "\n"))
            case .renamedModel: try sandbox.replace("Kind", by: "Sort", in: path)
            case .renamedFile:
                try sandbox.write("spec/wares.yaml", sandbox.read(path))
                try sandbox.remove(path)
            case .newFile:
                try sandbox.write("spec/users.yaml", "methods: { users.get: { get: users } }\n")
            case .cascade:
                try sandbox.write("spec/api.yaml", sandbox.read("spec/api.yaml") + "timeout: 5s\n")
            case .template: try sandbox.replace("apple", by: "pear", in: Self.templatePath)
            case .templateRule: try sandbox.replace("max-length: 20", by: "max-length: 2", in: path)
            case .warning:
                try sandbox.replace(
                    "Kind: {", by: "More: { fields: { a: int } }\n  Kind: {", in: path)
            case .error: try sandbox.replace("max: 100", by: "max: many", in: path)
            case .missingOutput, .editedOutput, .missingSpecs, .damagedSpecs, .otherSpecs:
                try damage(sandbox)
                try sandbox.replace("Lists goods.", by: "Lists all.", in: path)
            }
        }

        private func damage(_ sandbox: Sandbox) throws {
            switch self {
            case .missingOutput: try sandbox.remove("out/Goods.swift")
            case .editedOutput: try sandbox.replace("Lists goods.", by: "", in: "out/Goods.swift")
            case .missingSpecs: try sandbox.remove("out/.telex/specs")
            case .damagedSpecs: try sandbox.write("out/.telex/specs", "9999999999999999999\n1\n")
            default: try sandbox.replace("A good.", by: "A thing", in: "out/.telex/specs")
            }
        }

        static let templatePath = "spec/templates/goods.find.json"
    }

    private static func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write("spec/goods.yaml", goods)
        try sandbox.write(Edit.templatePath, #"{ "name": "apple", "kind": "food" }"#)
        return sandbox
    }

    @Test(
        "telex generate after an edit says and writes the same as into a new folder",
        arguments: Edit.allCases)
    func same(_ edit: Edit) async throws {
        let sandbox = try Self.sandbox()
        let first = try await TelexTool.run("generate", "spec", "--output", "out", in: sandbox)
        try #require(first.status == 0 && first.errors == "", "\(first.errors)")
        try edit.make(in: sandbox)
        let run = try await TelexTool.run("generate", "spec", "--output", "out", in: sandbox)
        let whole = try await TelexTool.run("generate", "spec", "--output", "new", in: sandbox)
        #expect(run.status == whole.status && run.output == whole.output)
        let removed = run.errors.split(separator: "\n").filter { !$0.hasPrefix("removed ") }
        #expect(removed == whole.errors.split(separator: "\n"))
        guard whole.status == 0 else { return }
        #expect(try sandbox.names("out") == sandbox.names("new"))
        for name in try sandbox.names("new") {
            #expect(try sandbox.read("out/\(name)") == sandbox.read("new/\(name)"), "\(name)")
        }
        let check = try await TelexTool.run(
            "generate", "spec", "--output", "out", "--check", in: sandbox)
        #expect(check.status == 0)
    }

    @Test("after each small edit, telex generate writes the file of the group alone")
    func small() async throws {
        let sandbox = try Self.sandbox()
        let command = ["generate", "spec", "--output", "out"]
        #expect(try await TelexTool.run(command, in: sandbox).status == 0)
        let old = Date(timeIntervalSince1970: 1_000_000)
        for (text, next) in [("Lists goods.", "Lists all."), ("Lists all.", "Lists.")] {
            for name in try sandbox.names("out") { try sandbox.age("out/\(name)") }
            try sandbox.replace(text, by: next, in: "spec/goods.yaml")
            #expect(try await TelexTool.run(command, in: sandbox).status == 0)
            let written = try sandbox.names("out").filter { try sandbox.date("out/\($0)") != old }
            #expect(written == ["Goods.swift"])
            #expect(try sandbox.read("out/Goods.swift").contains("/// \(next)"))
        }
    }
}
