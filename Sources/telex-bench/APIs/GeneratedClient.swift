import Foundation

/// The Swift files of a client in a folder of their own, to be compiled.
struct GeneratedClient {
    /// How the client is compiled.
    enum Mode: String, CaseIterable {
        case typecheck, debug, release

        fileprivate var options: [String] {
            switch self {
            case .typecheck: ["-typecheck", "-wmo"]
            case .debug: ["-c", "-Onone", "-enable-batch-mode", "-j2"]
            case .release: ["-c", "-O", "-wmo"]
            }
        }
    }

    /// The path of the folder.
    let folder: String
    /// The folder of the runtime's compiled modules.
    let modules: String
    /// Further options of the compiler.
    var options: [String] = []

    /// The options of a module that belongs to the main actor, with the features that new targets of
    /// Xcode 26 have on, and upcoming ones.
    static let mainActor =
        ["-default-isolation", "MainActor"]
        + [
            "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
            "MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny",
        ].flatMap { ["-enable-upcoming-feature", $0] }

    /// The names of the Swift files, sorted.
    var files: [String] {
        get throws { try names(ending: ".swift").sorted() }
    }

    /// Compiles the files in the language mode of Swift 6.
    ///
    /// - Throws: `BenchmarkFailure` after an error or a warning, which the compiler has printed.
    func compile(_ mode: Mode) throws -> Usage {
        for name in try names(ending: ".o") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let modules = URL(fileURLWithPath: modules)
        // The module map of TelexJSON's functions in C.
        let scan = modules.deletingLastPathComponent().appendingPathComponent("CScan.build")
        let arguments =
            ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-module-name", "BigClient"]
            + ["-I", modules.path, "-I", scan.path] + mode.options + options
        return try Usage.of(arguments + files, in: folder).usage
    }

    /// The size of the machine code in bytes: all sections whose names begin with `.text`, or with
    /// `__text` on Apple's platforms.
    ///
    /// - Throws: `BenchmarkFailure` if there is none.
    func codeSize() throws -> Int {
        // An object file has a section for each function, and the memory of this process is part of
        // what it measures in others.
        let lines = ["sh", "-c", #"size -A "$@" | grep -E '^(\.|__)text'"#, "size"]
        let sections = try Usage.of(lines + names(ending: ".o"), in: folder).output
            .split(separator: "\n")
        let sizes = sections.compactMap { line in
            line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        let size = sizes.reduce(0, +)
        guard size > 0 else { throw BenchmarkFailure("no machine code was found") }
        return size
    }

    private func names(ending end: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(end) }
    }
}
