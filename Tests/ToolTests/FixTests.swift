import Foundation
import Testing

@Suite("telex check --fix")
struct FixTests {
    @Test("telex check --fix corrects what has one remedy, and reports the rest")
    func fix() async throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            "spec/api.yaml", "telex: 1\napi: A\nservres: { a: https://a.example/ }\n")
        try sandbox.write(
            "spec/goods.yaml",
            """
            # What the shop has.
            methods:
              list: { get: goods, retruns: [Good] }   # all of them
              find: { get: find, query: { sort: [sting] }, returns: Unknown }
            models:
              Good: { id: int, size: { type: string, max-lenght: 3 } }

            """)
        let run = try await TelexTool.run("check", "spec", "--fix", in: sandbox)
        #expect(run.status == 1)
        #expect(run.errors.contains("fixed 4 mistakes\n"), "\(run.errors)")
        #expect(run.errors.contains("`Unknown`"))
        #expect(!run.errors.contains("did you mean"))
        #expect(
            try sandbox.read("spec/api.yaml")
                == "telex: 1\napi: A\nservers: { a: https://a.example/ }\n")
        #expect(
            try sandbox.read("spec/goods.yaml") == """
                # What the shop has.
                methods:
                  list: { get: goods, returns: [Good] }   # all of them
                  find: { get: find, query: { sort: [string] }, returns: Unknown }
                models:
                  Good: { id: int, size: { type: string, max-length: 3 } }

                """)
    }

    @Test("telex check --fix writes nothing where nothing has a remedy, or none does good")
    func nothing() async throws {
        let sandbox = try Sandbox.withSpec()
        // The key that is meant is there already.
        let text = "methods:\n  list: { get: goods, returns: [string], retruns: [int] }\n"
        try sandbox.write("spec/goods.yaml", text)
        try sandbox.age("spec/goods.yaml")
        let date = try sandbox.date("spec/goods.yaml")
        let run = try await TelexTool.run("check", "spec", "--fix", in: sandbox)
        #expect(run.status == 1)
        #expect(!run.errors.contains("fixed"))
        #expect(try sandbox.read("spec/goods.yaml") == text)
        #expect(try sandbox.date("spec/goods.yaml") == date)
    }

    @Test("telex check --fix removes comments that ignore nothing")
    func comments() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write(
            "spec/goods.yaml", "methods:\n  list: { get: goods }  # telex:ignore T0205 x\n")
        let run = try await TelexTool.run("check", "spec", "--fix", "--strict", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try sandbox.read("spec/goods.yaml") == "methods:\n  list: { get: goods }  \n")
    }

    @Test("a remedy is in the formats for tools")
    func formats() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write("spec/goods.yaml", "methods:\n  list: { gett: goods }\n")
        for (format, text) in [("sarif", "\"insertedContent\""), ("json", "\"edits\"")] {
            let run = try await TelexTool.run("check", "spec", "--format", format, in: sandbox)
            #expect(run.output.contains(text), "\(format)")
        }
    }
}
