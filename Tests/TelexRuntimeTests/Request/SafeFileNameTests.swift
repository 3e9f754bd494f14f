import Testing

@testable import TelexDownloads
@testable import TelexRuntime

@Suite("The name of a file from a server")
struct SafeFileNameTests {
    @Test(
        "the name of a file from a server is harmless, or there is none",
        arguments: [
            ("../../etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"), ("..", nil),
            (".", nil), ("", nil), ("/", nil), ("...", nil), (" . ", nil), ("a/..", nil),
            (".bashrc", "bashrc"), ("...a.txt", "a.txt"), ("a.txt. .", "a.txt"),
            ("a\0b.txt", "ab.txt"), ("a\r\nb\u{7F}\u{85}", "ab"), ("dir/", "dir"),
            ("C:\\x\\y.txt", "y.txt"), ("C:y.txt", "C_y.txt"), ("a<b>c\"d|e?f*g", "a_b_c_d_e_f_g"),
            ("photo\u{202E}gpj.exe", "photogpj.exe"), ("\u{FEFF}x\u{2028}y", "xy"),
            ("naïve €.pdf", "naïve €.pdf"), ("👩‍👧.png", "👩‍👧.png"), ("\u{0301}", nil),
            ("\u{200D}x.txt", "x.txt"), (".\u{200C}.x\u{200C}y", "x\u{200C}y"),
            ("\u{301}evil.txt", "evil.txt"), ("a/\u{301}b", "b"), (".\u{301}.", nil),
            ("\u{FE0F}x", "x"), ("\u{20DD}", nil), ("\u{903}.\u{E33}x", "x"),
            ("\u{1F3FD}x", "x"), ("e\u{301}x", "e\u{301}x"), ("🇩🇪.txt", "🇩🇪.txt"),
        ] as [(String, String?)])
    func harmless(_ text: String, _ expected: String?) {
        #expect(SafeFileName.name(text) == expected)
    }

    @Test("a server's file name is one path component also to code comparing whole characters")
    func characters() {
        let blocks: [Range<UInt32>] = [
            0..<0x3100, 0xFE00..<0x10000, 0x1F000..<0x1F700, 0xE0000..<0xE0200,
        ]
        let merged = blocks.joined().compactMap(Unicode.Scalar.init).filter { scalar in
            "/\(SafeFileName.name("\(scalar)x") ?? "")".first != "/"
        }
        #expect(merged.isEmpty)
    }

    @Test("the name of a file from a server is short, and keeps its extension")
    func short() throws {
        for filler in ["a", "é", "€", "👩‍👧", "e\u{0301}\u{0302}", "\u{0301}"] {
            let long = String(repeating: filler, count: 1000)
            let name = try #require(SafeFileName.name("x\(long).tar.gz"))
            #expect(name.utf8.count <= 200 && name.utf8.count > 170)
            #expect(name.hasSuffix(".gz"))
            let bare = try #require(SafeFileName.name("x.\(long)"))
            #expect(bare.utf8.count <= 200 && bare.utf8.starts(with: "x.".utf8))
        }
        #expect(SafeFileName.name(String(repeating: "b", count: 200))?.utf8.count == 200)
    }

    @Test("the name of a file from a server is always one component, whatever the server sends")
    func random() {
        var random = SeededRandom(seed: 7)
        let alphabet = Array("./\\ab\0\r:*\"';=%2eF\u{202E}é ~-")
        for _ in 0..<2000 {
            let count = Int.random(in: 0...40, using: &random)
            let text = String(
                (0..<count).compactMap { _ in alphabet.randomElement(using: &random) })
            for name in [
                SafeFileName.name(text),
                ContentDisposition.fileName("attachment; filename=\(text)").flatMap(
                    SafeFileName.name),
                ContentDisposition.fileName("\(text); filename*=UTF-8''\(text)").flatMap(
                    SafeFileName.name),
            ].compactMap({ $0 }) {
                #expect(!name.isEmpty && name != "." && name != ".." && name.first != ".")
                #expect(
                    !name.unicodeScalars.contains { "/\\\0\r\u{202E}".unicodeScalars.contains($0) })
            }
        }
    }

    @Test(
        "the name of a file from a server is found in Content-Disposition",
        arguments: [
            ("attachment; filename=\"a b.txt\"", "a b.txt"),
            ("attachment; filename=a.txt", "a.txt"),
            ("ATTACHMENT;FILENAME = \"a\\\"b\\\\c\" ; x=y", "a\"b\\c"),
            ("attachment; filename=\"x;filename=y\"; z", "x;filename=y"),
            ("attachment; filename=\"e.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
            ("attachment; filename*=utf-8'en'%C3%A9; filename=e", "é"),
            ("attachment; filename*=ISO-8859-1''%E9", "é"),
            ("attachment; filename*=UTF-8''%E9; filename=fallback", "fallback"),
            ("attachment; filename*=KOI8-R''%E9; filename=fallback", "fallback"),
            ("attachment; filename*=UTF-8''%2; filename=fallback", "fallback"),
            ("attachment; filename*=UTF-8''%+1; filename=fallback", "fallback"),
            ("attachment; filename*=x; filename=fallback", "fallback"),
            ("attachment; filename=a; filename=b", "a"), ("attachment; filename=\"open", "open"),
            ("attachment; filename=\"\"", ""), ("attachment", nil), ("", nil), (";;;=;", nil),
            ("attachment; name=x", nil), ("filename=x", nil),
        ] as [(String, String?)])
    func disposition(_ text: String, _ expected: String?) {
        #expect(ContentDisposition.fileName(text) == expected)
    }
}

@Suite("SHA-256")
struct SHA256Tests {
    @Test("SHA-256 has the known values")
    func vectors() {
        func hash(_ text: String) -> String { SHA256.hexadecimal(text.utf8) }
        #expect(
            hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hash(String(repeating: "a", count: 10_000))
                == "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711")
        let lengths = (50...130).map { hash(String(repeating: "x", count: $0)) }
        #expect(Set(lengths).count == lengths.count)
        // A message in pieces has the hash of the whole.
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        for size in [1, 7, 63, 64, 65, 999] {
            var pieces = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                pieces.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            var whole = SHA256()
            whole.update(bytes)
            #expect(pieces.value == whole.value)
        }
    }
}
