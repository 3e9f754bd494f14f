import TelexValues
import Testing

@testable import TelexRuntime

@Suite("The media type of an upload")
struct MediaTypeTests {
    @Test(
        "the media type of an upload is that of its file's extension, in letters of any case",
        arguments: [
            ("a.jpg", "image/jpeg"), ("a.JPEG", "image/jpeg"), ("a.b.png", "image/png"),
            (".gif", "image/gif"), ("clip.mov", "video/quicktime"), ("song.mp3", "audio/mpeg"),
            ("a.pdf", "application/pdf"), ("list.csv", "text/csv"), ("notes.txt", "text/plain"),
        ])
    func extensions(name: String, type: String) {
        #expect(UploadFile(bytes: [0xFF, 0xD8, 0xFF], name: name).type == type)
        #expect(UploadFile(path: "/nowhere/\(name)").type == type)
        #expect(UploadFile(path: "/nowhere/a.bin", name: name).type == type)
        #expect(UploadFile(streaming: 1, name: name) { nil }.type == type)
    }

    @Test(
        "an upload is application/octet-stream for an unknown extension, whatever its bytes are",
        arguments: ["", "a", "a.", "jpg", "a.jpg ", "a.jpg.exe", "a.dat", "a\u{0}.p\u{0}ng"])
    func unknown(name: String) {
        let picture = UploadFile(bytes: [0xFF, 0xD8, 0xFF, 0xE0], name: name)
        #expect(picture.type == "application/octet-stream")
    }

    @Test("the media type of an upload is the declared one, whatever the name is")
    func declared() {
        #expect(UploadFile(bytes: [1], name: "a.png", type: "image/gif").type == "image/gif")
        #expect(UploadFile(path: "/a.png", type: "image/gif").type == "image/gif")
    }
}

@Suite("The beginning of a reply")
struct PageBeginningTests {
    @Test(
        "the beginning of a reply is recognised as that of a page of HTML",
        arguments: [
            "<!DOCTYPE html><p>", " \n<HTML lang=en>", "\u{FEFF}<html>", "<!-- x --><body>",
            "<?xml version=\"1.0\"?><html xmlns=\"x\">", "<head><title>x</title>",
        ])
    func pages(text: String) {
        #expect(Array(text.utf8).beginAsHTML)
    }

    @Test(
        "the beginning of a reply is not taken for that of a page of HTML in other texts",
        arguments: [
            "", "<", "hello <html>", #"{"a":"<html>"}"#, "<?xml version=\"1.0\"?><rss>", "<svg>",
            "<!DOCTYPE svg>", "<p>no</p>", "\u{0}<html>",
        ])
    func others(text: String) {
        #expect(!Array(text.utf8).beginAsHTML)
    }
}
