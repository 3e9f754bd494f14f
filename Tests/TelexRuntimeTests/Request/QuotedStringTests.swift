import TelexTransport
import Testing

@Suite("Quoted strings of header fields")
struct QuotedStringTests {
    @Test("a quoted string without an end is read to the end of its field")
    func unclosed() {
        #expect("max-age=\"60".parameter == ("max-age", "60"))
        #expect("a=\"b, c".parts(at: ",") == ["a=\"b, c"])
    }

    @Test("a separator inside a quoted string separates nothing, nor does an escaped quote end it")
    func separators() {
        #expect("a=\"1,2\", b".parts(at: ",") == ["a=\"1,2\"", " b"])
        #expect("a=\"x\\\",y\",b".parts(at: ",") == ["a=\"x\\\",y\"", "b"])
        #expect(" title = \"a\\\"b\" ".parameter == ("title", "a\"b"))
    }

    @Test("a parameter without a value has none, and one with an empty value has that")
    func values() {
        #expect("no-store".parameter == ("no-store", nil))
        #expect("charset=\"\"".parameter == ("charset", ""))
        #expect("a=".parameter == ("a", ""))
    }
}
