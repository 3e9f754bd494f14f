import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecImport

/// `telex import`
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a spec folder of a description in another format.",
        subcommands: [ImportOpenAPI.self, ImportVK.self])
}

/// `telex import openapi`
struct ImportOpenAPI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Make a spec folder of an OpenAPI description (2.0, 3.0 to 3.2).",
        discussion: """
            Reads JSON and YAML. What a spec cannot say is reported by kind and place: a summary on \
            standard error, and the whole in import-report.md. Files that a `$ref` names are read from \
            the folder of the description; others have to be given, too. Nothing is loaded from \
            servers. A second import replaces what the first one wrote, unless it was changed; with \
            --update, it keeps what was changed.

              telex import openapi openapi.yaml --output Specs
              telex import openapi openapi.yaml --output Specs --update
              telex import openapi api.json models.json --output Specs --include users --include /orders
            """)

    @Argument(
        help: ArgumentHelp(
            "The files of the description, or the folder of its root file.", valueName: "file"))
    var files: [String]

    @OptionGroup var options: ImportOptions

    func run() throws {
        let paths = try files.map { try DescriptionFolder.rootFile(of: $0) }
        try options.run(paths.map { (path: $0, name: $0) }) {
            DescriptionImport(openAPI: $0, options: $1, load: $2)
        }
    }
}

/// `telex import vk`
struct ImportVK: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vk",
        abstract: "Make a spec folder of the VK API's schema.",
        discussion: """
            Reads the JSON files of a clone of github.com/VKCOM/vk-api-schema. A method with several \
            shapes of replies becomes several methods, one for each.

              telex import vk vk-api-schema --output Specs --include users --include wall
            """)

    @Argument(help: ArgumentHelp("The folder of the schema.", valueName: "folder"))
    var folder: String

    @OptionGroup var options: ImportOptions

    func validate() throws { try requireFolder(folder, "the schema") }

    func run() throws {
        let all = FileManager.default.subpaths(atPath: folder) ?? []
        let names = all.filter(DescriptionImport.isPartOfVK).sorted()
        try options.run(names.map { (path: "\(folder)/\($0)", name: $0) }) {
            files, options, _ in DescriptionImport(vk: files, options: options)
        }
    }
}
