import Foundation
import Testing

@testable import TelexRuntime

@Suite("The media type of a file's content")
struct MediaTypeTests {
    private func sniff(_ text: String) -> String { MediaType.sniff(Array(text.utf8)).name }

    @Test("is unknown for no bytes, a part of a signature, and noise")
    func unknown() {
        let pieces: [[UInt8]] = [
            [], [0], [0xFF], [0xFF, 0xD8], [0x89, 0x50, 0x4E, 0x47], [0xD0, 0xCF], [0x1F, 0x8B],
            [0, 0, 0, 0x18, 0x66, 0x74, 0x79, 0x70], [0xC3], [0xFE, 0xFF, 0],
            Array("RIFF\u{1}\u{1}\u{1}\u{1}AVI ".utf8), Array("a\0b".utf8), [0x61, 0x08, 0x62],
            [0xFF, 0xFB, 0xF0, 0], [0xFF, 0xEB, 0x90, 0], [0xFF, 0xFB, 0x9C, 0],
        ]
        for piece in pieces {
            #expect(MediaType.sniff(piece) == .unknown, "\(piece)")
        }
        #expect(MediaType.unknown.name == "application/octet-stream")
    }

    @Test(
        "is detected from the first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg", "jpg"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png", "png"),
            (Array("GIF89a".utf8), "image/gif", "gif"), (Array("GIF87a".utf8), "image/gif", "gif"),
            ([0x49, 0x49, 0x2A, 0x00], "image/tiff", "tiff"),
            ([0x4D, 0x4D, 0x00, 0x2A], "image/tiff", "tiff"),
            (Array("%PDF-1.7".utf8), "application/pdf", "pdf"),
            ([0x50, 0x4B, 0x03, 0x04], "application/zip", "zip"),
            ([0x50, 0x4B, 0x05, 0x06], "application/zip", "zip"),
            ([0x1F, 0x8B, 0x08, 0x00], "application/gzip", "gz"),
            (
                [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "application/x-ole-storage",
                "ole"
            ),
            ([0x52, 0x49, 0x46, 0x46, 9, 0, 0, 0] + Array("WEBPVP8 ".utf8), "image/webp", "webp"),
            ([0x52, 0x49, 0x46, 0x46, 9, 0, 0, 0] + Array("WAVEfmt ".utf8), "audio/wav", "wav"),
            (Array("ID3\u{4}".utf8), "audio/mpeg", "mp3"),
            ([0xFF, 0xFB, 0x90, 0x64], "audio/mpeg", "mp3"),
            ([0xFF, 0xF3, 0x40, 0xC0], "audio/mpeg", "mp3"),
        ] as [([UInt8], String, String)])
    func signatures(_ bytes: [UInt8], _ name: String, _ ending: String) {
        let type = MediaType.sniff(bytes + [1, 2, 3])
        #expect(type.name == name && type.fileExtension == ending)
        #expect(MediaType.sniff(bytes).name == name)
    }

    @Test(
        "of films and new pictures is detected from their brands",
        arguments: [
            ("heic", "mif1", "image/heic"), ("mif1", "heic", "image/heic"),
            ("mif1", "avif", "image/avif"), ("avif", "mif1", "image/avif"),
            ("isom", "mp42", "video/mp4"), ("XAVC", "zzzz", "video/mp4"),
            ("qt  ", "qt  ", "video/quicktime"), ("M4A ", "isom", "audio/mp4"),
            ("3gp5", "isom", "video/3gpp"),
        ])
    func brands(_ major: String, _ other: String, _ name: String) {
        let bytes: [UInt8] =
            [0, 0, 0, 0x18] + Array("ftyp\(major)\0\0\0\0none\(other)".utf8) + Array("heic".utf8)
        #expect(MediaType.sniff(bytes).name == name)
        for count in 12..<bytes.count { #expect(MediaType.sniff(bytes[..<count]) != .unknown) }
        let lying: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF] + bytes[4...]
        #expect(MediaType.sniff(lying) != .unknown)
        #expect(MediaType.sniff([0, 0, 0, 9] + Array("moov....".utf8)).name == "video/quicktime")
    }

    @Test("distinguishes a bitmap from a word")
    func bitmaps() {
        let header: [UInt8] = [0x42, 0x4D, 0x46, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, 0x28, 0, 0, 0]
        #expect(MediaType.sniff(header).name == "image/bmp")
        #expect(sniff("BMW and others build cars") == "text/plain")
        #expect(
            sniff("II and MM are numbers; GIF is a format, PK a band, RIFF too") == "text/plain")
    }

    @Test(
        "of text is detected from its content",
        arguments: [
            ("hello", "text/plain"), (" ", "text/plain"), ("naïve €\n", "text/plain"),
            ("\u{1B}[1mbold", "text/plain"), ("{}", "application/json"),
            (" [1, {\"a\": null}]\n", "application/json"),
            ("\u{FEFF}{\"a\":1}", "application/json"),
            ("[1] see there", "text/plain"), ("[section]\nkey=1", "text/plain"),
            ("{ not json }", "text/plain"), ("{\"a\":1} x", "text/plain"), ("{", "text/plain"),
            ("\"text\"", "text/plain"), ("12", "text/plain"),
            ("<!DOCTYPE html><p>", "text/html"), ("  <HTML lang=en>", "text/html"),
            ("<!-- x --><body>", "text/html"), ("<a href=x>", "text/html"), ("<br/>", "text/html"),
            ("<abbr>", "text/plain"), ("<-- see", "text/plain"), ("< 5", "text/plain"),
            ("<!-- open", "text/plain"), ("<", "text/plain"), ("<!", "text/plain"),
            ("<?xml version=\"1.0\"?><rss>", "application/xml"), ("<?xml", "application/xml"),
            ("<?xml version=\"1.0\"?>\n<!-- <svg> --><rss>", "application/xml"),
            ("<?xml version=\"1.0\"?><html xmlns=\"x\">", "text/html"),
            ("<svg xmlns=\"http://www.w3.org/2000/svg\">", "image/svg+xml"),
            ("<svg>", "image/svg+xml"),
            ("<?xml version=\"1.0\"?>\n<!-- a -->\n<svg:svg>", "image/svg+xml"),
            (
                "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a \"<b>\">]><svg>", "image/svg+xml"
            ),
            ("<svgs>", "text/plain"), ("<!DOCTYPE svg PUBLIC \"-//W3C//DTD", "image/svg+xml"),
        ])
    func texts(_ text: String, _ name: String) {
        #expect(sniff(text) == name)
    }

    @Test("of a long text is detected from its beginning, wherever that is cut")
    func long() {
        for filler in ["a", "é", "€", "🎉", "\\u00e9", "\\n", "1,"] {
            for shift in 0..<13 {
                let body = String(repeating: filler, count: 6000)
                let space = String(repeating: " ", count: shift)
                let isNumbers = filler == "1,"
                let json = isNumbers ? "\(space)[\(body)1]" : "\(space){\"k\":\"\(body)\"}"
                #expect(sniff(json) == "application/json", "\(filler) \(shift)")
                #expect(sniff(space + "x" + body) == "text/plain")
            }
        }
        #expect(sniff("{ no json" + String(repeating: " ", count: 9000)) == "text/plain")
        let deep = String(repeating: "[", count: 9000)
        #expect(sniff(deep) == "text/plain")
        let wide: [UInt8] = [0xFF, 0xFE] + (0..<9001).map { _ in 0x20 }
        #expect(MediaType.sniff(wide).name == "text/plain")
    }

    @Test("agrees with the older table of signatures on the files of that table")
    func compatibility() {
        let table: [(UInt8, [UInt8], String, String)] = [
            (0xFF, [0xD8, 0xFF, 0xE0], "image/jpeg", "jpg"),
            (0x89, [0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png", "png"),
            (0x47, Array("IF89a".utf8), "image/gif", "gif"),
            (0x49, [0x49, 0x2A, 0], "image/tiff", "tiff"),
            (0x4D, [0x4D, 0, 0x2A], "image/tiff", "tiff"),
            (0x25, Array("PDF-1.4".utf8), "application/pdf", "pdf"),
            (0x46, Array("rom: a text".utf8), "text/plain", "txt"),
            (0x01, [2, 3], "application/octet-stream", "bin"),
        ]
        for (first, rest, name, ending) in table {
            let type = MediaType.sniff([first] + rest)
            #expect(type.name == name && type.fileExtension == ending)
        }
    }

    @Test("never traps, whatever the bytes are")
    func random() {
        var random = SeededRandom(seed: 13)
        let starts = [
            "", "<", "<!", "<?", "<!--", "{", "[", "BM", "RIFF", "\0\0\0\u{7F}ftyp", "ID3",
        ]
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...24, using: &random)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let start = starts.randomElement(using: &random).map { Array($0.utf8) } ?? []
            #expect(!MediaType.sniff(start + noise).name.isEmpty)
        }
    }

    @Test("is the declared type of an upload that requests detection")
    func uploads() throws {
        #expect(
            UploadFile(bytes: [0xFF, 0xD8, 0xFF, 0], name: "a").type == "application/octet-stream")
        #expect(UploadFile(sniffing: [0xFF, 0xD8, 0xFF, 0], name: "a").type == "image/jpeg")
        try withFolder { folder in
            let path = "\(folder)/a.dat"
            #expect(UploadFile(sniffing: path).type == "application/octet-stream")
            #expect(UploadFile(sniffing: folder).type == "application/octet-stream")
            try DiskFile.replace(
                path, with: Array("[\(String(repeating: "1,", count: 9000))1]".utf8))
            let file = UploadFile(sniffing: path)
            #expect(file.type == "application/json" && file.name == "a.dat")
            #expect(UploadFile(sniffing: path, name: "b").name == "b")
        }
    }
}
