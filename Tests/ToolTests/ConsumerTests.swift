import Foundation
import ProcessSupport
import Testing

/// Builds a package that uses Telex. It is a single test, because each step needs the previous
/// build, and builds are slow.
@Suite("A package with the plugins")
struct ConsumerTests {
    /// `Tests/Consumer`, copied to a temporary folder and pointed at this package.
    private struct Consumer {
        let sandbox: Sandbox
        let telex: URL

        init() throws {
            telex = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            sandbox = try Sandbox()
            let source = telex.appendingPathComponent("Tests/Consumer")
            for name in ["Package.swift", "Sources"] {
                try FileManager.default.copyItem(
                    at: source.appendingPathComponent(name), to: sandbox.place(name))
            }
            try sandbox.replace("../..", by: telex.path, in: "Package.swift")
            // Reuses the resolved versions, so that nothing is fetched again.
            let pins = telex.appendingPathComponent("Package.resolved")
            if FileManager.default.fileExists(atPath: pins.path) {
                try FileManager.default.copyItem(at: pins, to: sandbox.place("Package.resolved"))
            }
        }

        /// Adds a target whose spec is what `telex new` writes.
        func addStarter() async throws {
            let run = try await TelexTool.run("new", "Sources/Starter/Specs", in: sandbox)
            try #require(run.status == 0)
            try sandbox.write("Sources/Starter/Starter.swift", "import TelexRuntime\n")
            let target = """
                targets: [
                        .target(
                            name: "Starter",
                            dependencies: [.product(name: "TelexRuntime", package: "telex")],
                            swiftSettings: [.treatAllWarnings(as: .error)],
                            plugins: [.plugin(name: "TelexBuildPlugin", package: "telex")]),
                """
            try sandbox.replace("\n    targets: [", by: "\n    " + target, in: "Package.swift")
        }

        func swift(_ arguments: String...) async throws -> Run {
            try await Run.program("/usr/bin/env", ["swift"] + arguments, in: sandbox.url)
        }

        /// The modification times of the package's object files and modules, by name.
        func products() throws -> [String: Date] {
            var dates: [String: Date] = [:]
            for folder in ["Shop.build", "shopper.build"] {
                for name in try sandbox.names(".build/debug/\(folder)") where name.hasSuffix(".o") {
                    dates[name] = try sandbox.date(".build/debug/\(folder)/\(name)")
                }
            }
            return dates
        }

        /// The names of files that a build rewrote.
        func rebuilt(since before: [String: Date]) throws -> Set<String> {
            Set(try products().filter { before[$0.key] != $0.value }.keys)
        }
    }

    @Test("a package with plugins builds, rebuilds only changes, and shows errors at their spans")
    func consumer() async throws {
        let consumer = try Consumer()
        let sandbox = consumer.sandbox
        let spec = "Sources/Shop/Specs/goods.yaml"

        // A clean build, including the starter spec, and a run of the generated client.
        try await consumer.addStarter()
        let clean = try await consumer.swift("build")
        try #require(clean.status == 0, "\(clean.output)\(clean.errors)")
        #expect(
            !(clean.output + clean.errors).contains("warning:"), "\(clean.output)\(clean.errors)")
        let shopper = try await Run.program(
            sandbox.place(".build/debug/shopper").path, [], in: sandbox.url)
        #expect(shopper.output == "1 Tea\n")
        var before = try consumer.products()
        #expect(before.keys.contains("Goods.swift.o"))

        // No change, and then a changed comment: nothing is recompiled.
        #expect(try await consumer.swift("build").status == 0)
        #expect(try consumer.rebuilt(since: before) == [])
        try sandbox.replace("# What", by: "# All that", in: spec)
        #expect(try await consumer.swift("build").status == 0)
        #expect(try consumer.rebuilt(since: before) == [])

        // A changed field: recompiles its group and importing modules, but not the other group.
        try sandbox.replace("title: string", by: "title: string\n      note: string?", in: spec)
        #expect(try await consumer.swift("build").status == 0)
        let rebuilt = try consumer.rebuilt(since: before)
        #expect(rebuilt.contains("Goods.swift.o"))
        #expect(!rebuilt.contains("Orders.swift.o"))
        #expect(!rebuilt.contains("API.swift.o"))

        // A spec that has become large: the same build succeeds, with the files that it has declared.
        let large = (1...400).map { index in
            "  Extra\(index): { number: int } # \(String(repeating: "-", count: 60))\n"
        }
        let goods = try sandbox.read(spec)
        try sandbox.write(spec, goods + large.joined())
        let grown = try await consumer.swift("build")
        #expect(grown.status == 0, "\(grown.output)\(grown.errors)")
        try sandbox.write("Sources/Shop/Specs/more.yaml", "models: { More: { number: int } }\n")
        let split = try await consumer.swift("build")
        #expect(split.status == 0, "\(split.output)\(split.errors)")
        #expect(try consumer.products().keys.contains("Goods+2.swift.o"))
        try FileManager.default.removeItem(at: sandbox.place("Sources/Shop/Specs/more.yaml"))
        try sandbox.write(spec, goods)
        #expect(try await consumer.swift("build").status == 0)

        // An error: the build fails at its span, and the objects stay.
        before = try consumer.products()
        try sandbox.replace("note: string?", by: "note: strin?", in: spec)
        let broken = try await consumer.swift("build")
        #expect(broken.status != 0)
        let place = sandbox.place(spec).path + ":13:13: error: "
        #expect((broken.output + broken.errors).contains(place), "\(broken.output)\(broken.errors)")
        #expect(try consumer.rebuilt(since: before) == [])

        // A file with the name of a generated one, apart from the case: the build names it and the fix.
        let taken = "Sources/Shop/Own/goods.swift"
        try sandbox.write(taken, "struct Own {}\n")
        let doubled = try await consumer.swift("build")
        #expect(doubled.status != 0)
        #expect(
            (doubled.output + doubled.errors).contains("rename \(sandbox.place(taken).path)"),
            "\(doubled.output)\(doubled.errors)")
        try FileManager.default.removeItem(at: sandbox.place(taken))

        // The command plugin, with targets as Xcode's dialog adds them: the same error, then the
        // generated code.
        let arguments =
            ["generate", "Sources/Shop/Specs", "--output", "Generated"]
            + ["--target", "Shop", "--target", "shopper"]
        let refused = try await command(consumer, arguments)
        #expect(refused.status == 1)
        #expect(
            (refused.output + refused.errors).contains(
                "Sources/Shop/Specs/goods.yaml:13:13: error: "))
        try sandbox.replace("note: strin?", by: "note: string?", in: spec)
        #expect(try await command(consumer, arguments).status == 0)
        #expect(
            try sandbox.names("Generated") == [
                "API+Methods.swift", "API.swift", "Goods.swift", "Orders.swift",
            ])
        #expect(try await command(consumer, arguments + ["--check"]).status == 0)
    }

    private func command(_ consumer: Consumer, _ arguments: [String]) async throws -> Run {
        try await Run.program(
            "/usr/bin/env",
            ["swift", "package", "--allow-writing-to-package-directory", "telex"] + arguments,
            in: consumer.sandbox.url)
    }
}
