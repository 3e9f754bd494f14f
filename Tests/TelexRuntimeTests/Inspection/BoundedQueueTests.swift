import TelexInspection
import Testing

@Suite("A bounded queue")
struct BoundedQueueTests {
    @Test("a bounded queue keeps the newest elements within its number, and their numbers")
    func count() {
        var queue = BoundedQueue<String>(count: 2, bytes: 100)
        let removed = ["a", "b", "c", "d"].map { queue.append($0, size: 1) }
        #expect(removed == [[], [], ["a"], ["b"]])
        #expect(queue.elements == ["c", "d"] && queue.numbers == 3..<5 && queue.dropped == 2)
        #expect((1...5).map { queue[$0] } == [nil, nil, "c", "d", nil])
    }

    @Test("a bounded queue keeps elements within its size, but always the newest one")
    func size() {
        var queue = BoundedQueue<String>(count: 9, bytes: 10)
        queue.append("a", size: 6)
        queue.append("b", size: 4)
        #expect(queue.append("c", size: 11) == ["a", "b"])
        #expect(queue.elements == ["c"] && queue.firstSize == 11)
    }

    @Test("a bounded queue makes room for an element that has grown")
    func growth() {
        var queue = BoundedQueue<String>(count: 9, bytes: 10)
        for text in ["a", "b", "c"] { queue.append(text, size: 2) }
        let removed = queue.update(2) { text in
            text += "!"
            return 8
        }
        #expect(removed == ["a"] && queue.elements == ["b!", "c"] && queue.numbers == 2..<4)
        // One that is gone stays gone.
        #expect(queue.update(1) { _ in 100 } == [] && queue.elements == ["b!", "c"])
    }

    @Test("a bounded queue gives no number twice, also after all elements were removed")
    func numbers() {
        var queue = BoundedQueue<Int>(count: 100, bytes: 1000)
        for element in 1...10 { queue.append(element, size: 1) }
        #expect((1...7).map { _ in queue.popFirst() } == Array(1...7) && queue[8] == 8)
        queue.clear()
        #expect(queue.numbers.isEmpty && queue.popFirst() == nil && queue.dropped == 0)
        queue.append(11, size: 1)
        #expect(queue.numbers == 11..<12 && queue[11] == 11)
    }
}
