import SpecImport
import TestSupport
import Testing

@Suite("Descriptions become specs that compile without a warning")
struct GoldenImportTests {
    /// Each case `x.description` is YAML or JSON; `x.spec` has all files and the report.
    @Test("descriptions become specs that compile without a warning, feature by feature")
    func goldens() throws {
        let folder = GoldenFolder()
        var results: [String: String] = [:]
        for (name, bytes) in try folder.cases(endingIn: ".description") {
            let imported = Imported([(path: name, bytes: bytes)])
            #expect(imported.errors == "", "\(name)")
            #expect(imported.diagnostics == "", "\(name)")
            results["\(name).spec"] =
                imported.spec + "\n# report\n" + imported.result.page(imported.sources)
        }
        let problems = try folder.problems(with: results, casesEndingIn: ".description")
        #expect(problems == [])
    }

    @Test("groups of the last import keep their shared path, or their having none")
    func keeping() throws {
        let bytes = try #require(
            GoldenFolder().cases(endingIn: ".description").first { $0.name == "sharing" }?.bytes)
        func guilds(after last: String) -> String {
            var options = DescriptionImport.Options()
            options.last = [("guilds.yaml", last)]
            return Imported([(path: "sharing", bytes: bytes)], options).file("guilds.yaml")
        }
        #expect(!guilds(after: "methods:\n  guilds.get: { get: guilds }\n").contains("prefix:"))
        let deeper = guilds(after: "prefix: guilds/{guild_id}/roles\n")
        #expect(deeper.hasPrefix("prefix: guilds/{guild_id}/roles\npath: { guild_id: int }\n"))
        #expect(deeper.contains("guilds.listRoles: { get: \"\", "))
        #expect(deeper.contains("/guilds/{guild_id}/emojis/{emoji_id}"))
        #expect(guilds(after: "prefix: guilds/{gone}\n").hasPrefix("methods:"))
    }

    @Test("a shared path and a generic model say the same as each method and model with its own")
    func sharing() throws {
        let bytes = try #require(
            GoldenFolder().cases(endingIn: ".description").first { $0.name == "sharing" }?.bytes)
        let imported = Imported([(path: "sharing", bytes: bytes)])
        var files = imported.result.files
        let index = try #require(files.firstIndex { $0.name == "guilds.yaml" })
        #expect(files[index].text.contains("prefix: guilds/{guild_id}\n"))
        #expect(files[index].text.contains("  ListResponse<Item>: "))
        files[index].text = """
            methods:
              guilds.list: { get: guilds, returns: ListGuildsResponse }
              guilds.get: { get: "guilds/{guild_id}", path: { guild_id: int }, returns: Guild }
              guilds.change: { patch: "guilds/{guild_id}", path: { guild_id: int }, returns: Guild }
              guilds.listRoles:
                get: guilds/{guild_id}/roles
                path: { guild_id: int }
                returns: ListRolesResponse
              guilds.getRole:
                get: guilds/{guild_id}/roles/{role_id}
                path: { guild_id: int, role_id: int }
                returns: ListRolesResponse
              guilds.getEmoji:
                get: guilds/{guild_id}/emojis/{emoji_id}
                path: { guild_id: int, emoji_id: int }
                returns: ListEmojisResponse
            models:
              ListGuildsResponse: { object: { const: list }, data: [Guild], has_more: bool }
              Guild: { id: int }
              ListRolesResponse: { object: { const: list }, data: [Role], has_more: bool }
              ListEmojisResponse: { object: { const: list }, data: [Emoji], has_more: bool }
              Role: { name: string }
              Emoji: { code: string }
            """
        let plain = try #require(Imported.compiled(files).api)
        var shared = try #require(Imported.compiled(imported.result.files).api)
        for group in shared.groups.indices {
            for model in shared.groups[group].models.indices {
                shared.groups[group].models[model].generic = nil
            }
        }
        #expect(shared == plain)
    }
}
