import HTTPTypes
import TelexRuntime
import Testing

@testable import TelexURLSession

@Suite("Replies that the system resumed")
struct StoredReplyTests {
    private func mended(
        _ range: String?, _ size: Int, from first: Int?, status: Int = 206
    ) -> (Int, String?) {
        var head = HTTPResponse(status: .init(code: status))
        head.headerFields[.contentRange] = range
        let reply = StoredReply(head: head, length: nil, size: size).mergingParts(from: first)
        return (reply.head.status.code, reply.head.headerFields[.contentRange])
    }

    @Test("replies that the system resumed are complete if the whole was requested and is there")
    func whole() {
        #expect(mended("bytes 60-99/100", 100, from: nil) == (200, nil))
    }

    @Test("replies that the system resumed are the requested range if all of it is there")
    func part() {
        #expect(mended("bytes 60-99/100", 90, from: 10) == (206, "bytes 10-99/100"))
    }

    @Test(
        "replies that the system resumed are left unchanged where the numbers are inconsistent",
        arguments: [
            ("bytes 60-99/100", 40, 60), ("bytes 60-99/100", 99, nil), ("bytes 60-99/100", 40, nil),
            ("bytes 60-98/100", 100, nil), ("bytes 60-99/*", 100, nil), ("bytes */100", 100, nil),
            ("bytes 60-99/100", 80, 10), (nil, 100, nil),
            ("bytes 99999999999999999999-1/2", 2, nil),
        ] as [(String?, Int, Int?)])
    func unproven(_ range: String?, _ size: Int, _ first: Int?) {
        #expect(mended(range, size, from: first) == (206, range))
    }

    @Test("replies that the system resumed keep other statuses")
    func others() {
        #expect(mended("bytes 60-99/100", 100, from: nil, status: 200) == (200, "bytes 60-99/100"))
    }
}
