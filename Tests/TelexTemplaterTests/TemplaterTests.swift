import Foundation
import TelexJSON
import TelexTemplater
import TemplaterTestSupport
import Testing

@Suite("The store of templates")
struct TemplaterTests {
    private let folder: StoreFolder
    private let templater: Templater

    init() throws {
        folder = try StoreFolder()
        templater = folder.templater
    }

    private func write(_ text: String, _ method: String = "users.get") async throws {
        try await templater.write(Array(text.utf8), for: method)
    }

    @Test(
        "the store of templates refuses names that are not those of methods",
        arguments: [
            "", ".", "..", "../users", "a/b", "a\\b", "C:a", ".hidden", "a\u{0}", "a\nb",
            "a\u{202E}b", String(repeating: "a", count: 201),
        ])
    func names(_ name: String) async throws {
        for work: () async throws -> Void in [
            { _ = try templater.template(for: name) },
            { try await write(#"{"id":1}"#, name) },
            { try await templater.remove(name) },
            { try await templater.record([], for: name, mode: .always) },
        ] {
            let error = await #expect(throws: TemplaterError.self) { try await work() }
            guard case .invalidName = error?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(error?.description.contains("\n") == false)
        }
        #expect(folder.names("") == [])
    }

    @Test(
        "the store of templates refuses replies that would match any reply",
        arguments: ["", " \n", "null", "{}", "[]"])
    func empty(text: String) async throws {
        try await write(#"{"id":1}"#)
        let error = await #expect(throws: TemplaterError.self) { try await write(text) }
        #expect(error?.reason == .emptyReply)
        #expect(try templater.template(for: "users.get")?.sample == ["id": 1])
    }

    @Test(
        "the store of templates refuses text that is not a template",
        arguments: ["{", "id", #"{"id":1} x"#, #"{"a":1,"a":2}"#, #"{"a":1,"a-Rules":{"b":1}}"#])
    func malformed(text: String) async throws {
        let error = await #expect(throws: TemplaterError.self) { try await write(text) }
        guard case .corrupt = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(folder.names("store") == [])
    }

    @Test("the store of templates reports a damaged file with its place, and what to do")
    func corrupt() throws {
        try folder.write("store/users.get.json", "{\"id\": }")
        let error = #expect(throws: TemplaterError.self) {
            try templater.template(for: "users.get")
        }
        #expect(error?.path == folder.place("store/users.get.json"))
        let text = error?.description ?? ""
        #expect(text.hasPrefix("not a template: 1:8: "))
        #expect(text.contains("; correct or remove it (`"))
        #expect(text.hasSuffix("store/users.get.json`)"))
    }

    @Test("the store says first why a template is unusable, and omits the middle of a long path")
    func longPath() throws {
        let long = String(repeating: "long-", count: 30)
        try folder.write("\(long)/users.get.json", "{")
        let error = #expect(throws: TemplaterError.self) {
            try Templater(folder: folder.url(long)).template(for: "users.get")
        }
        let text = error?.description ?? ""
        let path = try #require(text.firstMatch(of: #/\(`(.*)`\)$/#)).output.1
        #expect(path.count == 60 && path.contains("…") && path.hasSuffix("/users.get.json"))
        #expect(path.hasPrefix(folder.place("").prefix(20)))
        #expect(error?.path == folder.place("\(long)/users.get.json"))
        #expect(Violation.bounded(text).hasPrefix("not a template: 1:2: "))
    }

    @Test("the store of templates does not read folders, links and files that are too large")
    func noFiles() throws {
        try folder.write("store/a.json/b", "")
        try folder.write("other.json", "[1]")
        try FileManager.default.createSymbolicLink(
            atPath: folder.place("store/b.json"), withDestinationPath: folder.place("other.json"))
        try folder.write("store/c.json", [UInt8](repeating: 0x20, count: (8 << 20) + 1))
        let reasons: [TemplaterError.Reason] = [.notAFile, .notAFile, .tooLarge(limit: 8 << 20)]
        for (name, reason) in zip(["a", "b", "c"], reasons) {
            let error = #expect(throws: TemplaterError.self) { try templater.template(for: name) }
            #expect(error?.reason == reason)
        }
        #expect(try templater.list().map(\.method) == ["c"])
    }

    @Test("the store of templates cannot be where a file is, or at an address that is no file's")
    func places() async throws {
        try folder.write("file", "")
        for (path, reason) in [
            (folder.place("file"), TemplaterError.Reason.notAFolder), ("", .notAPath),
        ] {
            let templater = Templater(folder: path, home: folder.path)
            let error = await #expect(throws: TemplaterError.self) {
                try await templater.write([0x31], for: "users.get")
            }
            #expect(error?.reason == reason)
        }
        let web = Templater(folder: try #require(URL(string: "https://a.example/store")))
        #expect(throws: TemplaterError.self) { try web.template(for: "users.get") }
    }

    @Test("the store writes a reply indented, with keys in their order and numbers as they are")
    func indented() async throws {
        try await write(#"{"z":1.50,"a":[1,{"b":null}],"e":[],"o":{},"t":"\u00fc\n\"","f":false}"#)
        #expect(
            try folder.text("store/users.get.json") == #"""
                {
                  "z": 1.50,
                  "a": [
                    1,
                    {
                      "b": null
                    }
                  ],
                  "e": [],
                  "o": {},
                  "t": "ü\n\"",
                  "f": false
                }

                """#)
    }

    @Test("the store of templates writes a template with comments as it is")
    func comments() async throws {
        let text = #"{"age":20, /* years */ "age-Rules":{"minimum":18},}"#
        try await write(text)
        #expect(try folder.text("store/users.get.json") == text)
        let template = try #require(try templater.template(for: "users.get"))
        #expect(!template.validate(Array(#"{"age":17}"#.utf8)).isValid)
    }

    @Test("the store of templates makes files that only their owner can read")
    func permissions() async throws {
        try await write("[1]")
        let facts = try FileManager.default.attributesOfItem(
            atPath: folder.place("store/users.get.json"))
        #expect(facts[.posixPermissions] as? Int == 0o600)
    }

    @Test("the store of templates looks in memory, then on disk, then in the bundle")
    func order() async throws {
        try folder.write("bundle/users.get.json", #"{"from":"bundle"}"#)
        let templater = Templater(
            folder: folder.base, home: folder.path, bundled: folder.place("bundle"))
        func source() throws -> String? {
            try templater.template(for: "users.get")?.sample["from"]?.asString
        }
        #expect(try source() == "bundle")
        try await templater.write(Array(#"{"from":"disk"}"#.utf8), for: "users.get")
        #expect(try source() == "disk")
        try folder.write("store/users.get.json", #"{"from":"another program"}"#)
        #expect(try source() == "disk")
        try await templater.remove("users.get")
        #expect(try source() == "bundle")
        #expect(try templater.template(for: "users.search") == nil)
    }

    @Test("the store of templates removes one or all of them, also from memory; other files stay")
    func removing() async throws {
        try await write("[1]")
        try await write("[2]", "friends.get")
        try folder.write("store/notes.txt", "mine")
        for method in ["users.get", "friends.get"] {
            #expect(try templater.template(for: method) != nil)
        }
        try await templater.remove("users.get")
        try await templater.remove("users.get")
        #expect(try templater.template(for: "users.get") == nil)
        #expect(try templater.template(for: "friends.get") != nil)
        try await templater.removeAll()
        #expect(try templater.template(for: "friends.get") == nil)
        #expect(folder.names("store") == ["notes.txt"])
    }

    @Test("the store of templates lists templates with sizes and times, and removes the oldest")
    func purging() async throws {
        #expect(try templater.list() == [] && templater.size() == 0)
        for (day, method) in ["c", "a", "b", "d"].enumerated() {
            try await write("[1]", method)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(day) * 86_400)],
                ofItemAtPath: folder.place("store/\(method).json"))
        }
        try folder.write("store/.d.json", "no template")
        let list = try templater.list()
        #expect(list.map(\.method) == ["a", "b", "c", "d"])
        #expect(list.map(\.size) == [8, 8, 8, 8])
        #expect(list[1].modified.timeIntervalSince1970 == 172_800)
        #expect(try templater.size() == 32)
        let noon = Date(timeIntervalSince1970: 43_200)
        #expect(try await templater.purge(olderThan: noon) == ["c"])
        #expect(try await templater.purge(keeping: 5) == [])
        #expect(try await templater.purge(keeping: 2) == ["a"])
        #expect(try templater.list().map(\.method) == ["b", "d"])
        #expect(try await templater.purge(keeping: -1) == ["b", "d"])
    }

    @Test("the store of templates is by default in the folder for data of the user")
    func defaultFolder() {
        #expect(Templater.dataFolder("/data").path == "/data")
        let home = URL.homeDirectory.appending(path: ".local/share").path
        #expect(Templater.dataFolder(nil).path == home)
        #expect(Templater.dataFolder("relative").path == home)
        #expect(Templater.defaultFolder.lastPathComponent == "TelexTemplates")
    }

    @Test("the store keeps every file whole under a thousand concurrent writes and reads")
    func concurrent() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for count in 0..<1_000 {
                let method = "method\(count % 10)"
                group.addTask { [templater] in
                    let text = #"{"a":\#(count),"b":\#(count)}"#
                    try await templater.write(Array(text.utf8), for: method)
                }
                group.addTask { [templater] in
                    let sample = try templater.template(for: method)?.sample
                    #expect(sample?["a"] == sample?["b"])
                }
            }
            try await group.waitForAll()
        }
        #expect(try templater.list().count == 10)
        for method in try templater.list().map(\.method) {
            // What is in memory is what is on disk.
            let sample = try templater.template(for: method)?.sample
            #expect(try folder.templater.template(for: method)?.sample == sample)
        }
        let all = try FileManager.default.contentsOfDirectory(atPath: folder.base)
        #expect(all.count == 11 && all.contains(".lock"))
    }
}
