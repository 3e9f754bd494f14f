import Foundation
import TelexJSON
import Testing

/// Runs code on a thread with a stack as small as in the thread pools of Apple's systems.
private func onThread<Value: Sendable>(
    stack: Int = 512 * 1024, _ body: @escaping @Sendable () -> Value
) async -> Value {
    await withCheckedContinuation { done in
        let thread = Thread { done.resume(returning: body()) }
        thread.stackSize = stack
        thread.start()
    }
}

/// Whether a document was refused because of the stack of the reading thread.
private func isRefused<Value>(_ result: JSONResult<Value>) -> Bool {
    result.value == nil && result.syntaxError?.description.contains("this thread's stack") == true
}

/// Eight elements, stored inline.
private struct Eight<Element: Sendable>: Sendable {
    var a, b, c, d, e, f, g, h: Element

    init(_ each: Element) {
        (a, b, c, d, e, f, g, h) = (each, each, each, each, each, each, each, each)
    }
}

/// A recursive model with 64 texts, which needs large stack frames.
private struct Wide: Sendable, JSONReadable, JSONWritable {
    var texts: Eight<Eight<String?>>
    var child: Indirect<Wide>?

    static func read(from json: inout JSONReader) -> Wide? {
        json.enterObject(required: "", optional: "a b child")
        var texts = Eight(Eight(String?.none))
        var child: Indirect<Wide>?
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&texts.a.a)
            case 1: json.string(&texts.h.h)
            default: json.read(&child)
            }
        }
        return json.endObject(Wide(texts: texts, child: child))
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("a", texts.a.a)
        json.field("child", child)
        json.endObject()
    }

    static func document(_ depth: Int) -> String {
        String(repeating: #"{"a":"x","child":"#, count: depth - 1) + "{}"
            + String(repeating: "}", count: depth - 1)
    }
}

private let limits = JSONLimits(depth: 512)

private func lists(_ depth: Int) -> String {
    let opening = String(repeating: #"[{"a":"#, count: depth / 2)
    return opening + "1" + String(repeating: "}]", count: depth / 2)
}

@Suite("Deep documents on threads with small stacks")
struct SmallStackTests {
    @Test(
        "a wide model is read or refused, never a crash", arguments: [16, 64, 127, 512],
        [512, 1024, 8192])
    func wide(_ depth: Int, _ kilobytes: Int) async {
        let isFine = await onThread(stack: kilobytes * 1024) { () -> Bool in
            let result: JSONResult<Wide> = read(Wide.document(depth), limits: limits) { $0.model() }
            return (result.value != nil) != isRefused(result)
        }
        #expect(isFine)
    }

    @Test("a wide model of ordinary depth is read, and written again, on a small stack")
    func ordinary() async {
        let text = await onThread { () -> String in
            let result: JSONResult<Wide> = read(Wide.document(10)) { $0.model() }
            var json = JSONWriter()
            if let value = result.value { json.value(value) }
            return json.text
        }
        #expect(text == Wide.document(10))
    }

    @Test("any JSON is read, written, compared and freed, or refused", arguments: [128, 500])
    func json(_ depth: Int) async {
        let isFine = await onThread { () -> Bool in
            let result: JSONResult<JSONValue> = read(lists(depth), limits: limits) { $0.value() }
            guard let value = result.value else { return isRefused(result) }
            let isSame = value.description == lists(depth)
            return isSame && Set([value, value]).count == 1
        }
        #expect(isFine)
    }

    @Test("a value read on a large stack is written, compared and freed on a small one")
    func handedOver() async throws {
        let made = await onThread(stack: 64 << 20) { () -> JSONValue? in
            let result: JSONResult<JSONValue> = read(lists(500), limits: limits) { $0.value() }
            return result.value
        }
        let value = try #require(made)
        let isFine = await onThread { () -> Bool in
            let isSame = value.description == lists(500)
            return isSame && Set([value, value]).count == 1
        }
        #expect(isFine)
    }

    @Test("ignored values are skipped without recursion")
    func skipped() async {
        let isFine = await onThread(stack: 128 * 1024) { () -> Bool in
            let result: JSONResult<Void> = read(lists(512), limits: limits) { $0.nothing() }
            return result.value != nil
        }
        #expect(isFine)
    }
}
