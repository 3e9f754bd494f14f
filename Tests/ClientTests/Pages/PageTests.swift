import Testing

/// The code on the pages is the code of the tests beside this file, and their YAML that of the
/// specs.
@Suite("The pages of TelexRuntime")
struct PageTests {
    private static let catalogue = "Sources/TelexRuntime/TelexRuntime.docc"
    private static let pages = [
        "Authentication", "Observation", "OperationLifecycle", "TelexRuntime",
        "TestingWithFaults", "Transfers",
    ]

    /// The page that shows files and no code; what it says is tested with the style of the house.
    private static let map = "WhereItIsDecided"

    @Test("are those that are tested")
    func names() throws {
        let tested = (Self.pages + [Self.map]).map { "\($0).md" }
        #expect(try Page.names("md", in: Self.catalogue) == tested.sorted())
    }

    @Test("show no code that no test runs", arguments: pages)
    func code(_ page: String) throws {
        let tests = try Page.files("swift", in: "Tests/ClientTests/Pages")
        let pieces = try Page("\(Self.catalogue)/\(page).md").pieces(of: "swift")
        #expect(!pieces.isEmpty)
        for piece in pieces {
            #expect(tests.contains { $0.hold(piece) }, "\(piece.joined(separator: "\n"))")
        }
    }

    @Test("show no spec that is not compiled", arguments: pages)
    func specs(_ page: String) throws {
        let specs = try Page.files("yaml", in: "specs/gallery")
        for piece in try Page("\(Self.catalogue)/\(page).md").pieces(of: "yaml") {
            #expect(specs.contains { $0.hold(piece) }, "\(piece.joined(separator: "\n"))")
        }
    }
}
